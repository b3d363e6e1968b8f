// The lab as a reader meets it, and the fixtures of all specs.

import { test as base, expect } from "@playwright/test";

export { expect };

/** The figures the lesson publishes. */
export const PUBLISHED = {
  4: {
    throughput_tokens_per_s: "804",
    "ttft_s.p50": "72 ms",
    "ttft_s.p99": "188 ms",
    "tpot_s.p50": "25 ms",
    slo_attainment: "100 %",
  },
  5: {
    throughput_tokens_per_s: "1,004",
    "ttft_s.p50": "81 ms",
    "ttft_s.p99": "1.23 s",
    "tpot_s.p50": "38 ms",
    slo_attainment: "89 %",
  },
  6: {
    throughput_tokens_per_s: "1,142",
    "ttft_s.p50": "12.4 s",
    "ttft_s.p99": "30.0 s",
    "tpot_s.p50": "55 ms",
    slo_attainment: "0 %",
  },
};

export const RATE_CHARTS = ["throughput", "ttft", "tpot", "goodput"];
export const CHARTS = [...RATE_CHARTS, "time"];

/** Every rate on the slider [requests/s]. */
export const SLIDER_RATES = Array.from({ length: 76 }, (_, i) => (5 + i) / 10);

/** The value at a dotted path of a summary. */
export const at = (summary, path) => path.split(".").reduce((value, key) => value?.[key], summary);

/** A lab in a page or a frame. */
export class Lab {
  constructor(page, selector = "[data-lab]") {
    this.page = page;
    this.root = page.locator(selector);
    this.slider = this.root.locator("input[name=rate]");
    this.number = this.root.locator("[data-rate-number]");
    this.seed = this.root.locator("input[name=seed]");
    this.draw = this.root.locator("[data-draw]");
    this.refusal = this.root.locator("[data-refusal]");
    this.status = this.root.locator("[data-lab-status]");
    this.verdict = this.root.locator("[data-verdict]");
    this.outputs = this.root.locator("[data-metric]:not([data-rate])");
    this.disclosure = this.root.locator("[data-curve]");
    this.rows = this.root.locator("[data-curve] tbody tr");
  }

  async open(path = "/") {
    const response = await this.page.goto(path);
    await this.runs();
    return response;
  }

  /** Waits until the engine has taken over. */
  async runs() {
    await expect(this.root).toHaveAttribute("data-state", "running");
  }

  figure(path) {
    return this.root.locator(`[data-metric="${path}"]:not([data-rate])`);
  }

  stop(rate) {
    return this.root.locator(`[data-stop="${rate}"]`);
  }

  action(name) {
    return this.root.locator(`[data-action=${name}]`);
  }

  chart(name) {
    const figure = this.root.locator(`[data-chart=${name}]`);
    return {
      figure,
      plot: figure.locator(".plot"),
      canvas: figure.locator("canvas"),
      headline: figure.locator("[data-headline]"),
      readout: figure.locator("[data-readout]"),
      reader: figure.locator("input.reader"),
    };
  }

  async typeRate(text) {
    await this.number.fill(text);
    await this.number.press("Enter");
  }

  async typeSeed(text) {
    await this.seed.fill(text);
    await this.seed.press("Enter");
  }

  /** Acts, waits until the lab has settled for good, and returns what it handed out last. */
  async settled(act) {
    const results = await this.root.evaluateHandle((root) => {
      const results = [];
      root.addEventListener("lab-result", ({ detail }) => results.push(detail));
      return results;
    });
    await act();
    // A hand that rests on its way has settled, too: only when nothing moves any more the last one counts.
    await expect(this.root).not.toHaveAttribute("data-moving");
    await expect.poll(() => results.evaluate(({ length }) => length)).toBeGreaterThan(0);
    return results.evaluate((results) => results.at(-1));
  }

  /** Where the middle of the thumb is for a rate [CSS px of the window]. */
  async thumb(rate) {
    await this.slider.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await this.slider.boundingBox();
    const half = 12;
    return { x: x + half + ((width - 2 * half) * (rate - 0.5)) / 7.5, y: y + height / 2 };
  }

  /** Drags the thumb with the mouse, from where it is over the rates given; lets go at the last. */
  async drag(...rates) {
    const { mouse } = this.page;
    const from = await this.thumb(Number(await this.slider.inputValue()));
    await mouse.move(from.x, from.y);
    await mouse.down();
    for (const rate of rates) {
      const to = await this.thumb(rate);
      await mouse.move(to.x, to.y, { steps: 12 });
    }
    await mouse.up();
  }

  /** What the module's `run` says; the very instance that runs the page. */
  run(scenario) {
    return this.engine("run", scenario);
  }

  sweep(scenario, rates) {
    return this.engine("sweep", scenario, rates);
  }

  engine(name, ...args) {
    // In the lab's own document, which may be a frame.
    return this.root.evaluate(
      async (_, { name, args }) => {
        const { js } = document.querySelector("script[data-js]").dataset;
        const glue = await import(new URL(js, document.baseURI).href);
        // What crosses to the test has no undefined in arrays.
        return glue[name](...args.map((arg) => arg ?? undefined));
      },
      { name, args },
    );
  }

  /** The figures shown, unrounded, by their path. */
  values() {
    return this.outputs.evaluateAll((outputs) =>
      Object.fromEntries(outputs.map(({ dataset }) => [dataset.metric, Number(dataset.value)])),
    );
  }

  async showsPublishedFigures(rate) {
    for (const [path, text] of Object.entries(PUBLISHED[rate])) {
      await expect(this.figure(path).first(), `${path} at ${rate}`).toHaveText(text);
    }
  }

  /** The figures the lesson publishes for a rate, and the rate itself in the slider and the field. */
  async showsPublished(rate) {
    await this.showsPublishedFigures(rate);
    await expect(this.slider).toHaveValue(String(rate));
    await expect(this.number).toHaveValue(`${rate}.0`);
  }

  /** Every figure shown is, unrounded, the one in the summary. */
  async shows(summary) {
    const wanted = async () => {
      const shown = await this.values();
      expect(Object.keys(shown).length).toBeGreaterThan(7);
      return Object.keys(shown).filter((path) => shown[path] !== at(summary, path));
    };
    await expect.poll(wanted).toEqual([]);
  }
}

/** Collects what the browser complains about: the console, errors, failed requests, breaches of the policy. */
export async function listen(page, complaints) {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    // A picture is given up when another of its sources fits the window better.
    const reason = request.failure()?.errorText;
    if (!(request.resourceType() === "image" && reason === "net::ERR_ABORTED")) {
      complaints.push(`failed: ${request.url()}: ${reason}`);
    }
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
      console.error(`the policy's ${effectiveDirective} was broken by ${blockedURI}`),
    );
  });
}

/** What the device remembers of a reader who was here before and passed over the guess: the lab is open. */
export const beenHere = (target) =>
  target.addInitScript(() => {
    try {
      localStorage["goodput-lab.guess"] ??= "skipped";
    } catch {
      // A sandboxed frame has no memory: there the lab asks each time.
    }
  });

/**
 * `lab` is the page's lab, running; `closed` is one whose page is not opened yet. Both fail on any complaint.
 * `visit` is "another", or "first": then the lab is covered and asks for a guess.
 */
export const test = base.extend({
  visit: ["another", { option: true }],
  context: async ({ context, visit }, use) => {
    if (visit === "another") await beenHere(context);
    await use(context);
  },
  complaints: async ({ page }, use) => {
    const complaints = [];
    await listen(page, complaints);
    await use(complaints);
    expect(complaints, "complaints of the browser").toEqual([]);
  },
  closed: async ({ page, complaints }, use) => {
    void complaints;
    await use(new Lab(page));
  },
  lab: async ({ closed }, use) => {
    await closed.open();
    await use(closed);
  },
});

/** Records the lab's events from now on: their names, when they came, and their details. */
export async function record(lab, ...names) {
  const log = await lab.root.evaluateHandle((root, names) => {
    const log = [];
    // On the document: the events must bubble.
    for (const name of names) {
      document.addEventListener(name, (event) => {
        if (event.target === root) log.push({ name, at: performance.now(), detail: event.detail });
      });
    }
    return log;
  }, names);
  return () => log.jsonValue();
}

/** Two animation frames: whatever was asked for before has been drawn. */
export function frames(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
