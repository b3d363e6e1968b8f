// What the module exports for people who want their own page.

import { Lab, expect, test } from "./support/lab.js";

/** Calls an export that must throw; returns whether it was an Error, and its words. */
function thrown(lab, name, ...args) {
  return lab.page.evaluate(
    async ({ name, args }) => {
      const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
      try {
        return { returned: glue[name](...args.map((arg) => arg ?? undefined)) };
      } catch (error) {
        return { isError: error instanceof Error, message: error.message };
      }
    },
    { name, args },
  );
}

test("default_scenario is the lesson's, and run needs no more", async ({ lab }) => {
  expect(await lab.engine("default_scenario")).toEqual({
    rate: 5,
    seed: "lesson",
    horizon: 600,
    warmup: 60,
    max_batch: 64,
    prompt: 1000,
    output: 200,
    prefill_ms_per_1k: 60,
    step_ms: 10,
    per_seq_ms: 0.4,
    slo_ttft_ms: 1000,
    slo_tpot_ms: 50,
    arrival_cv: 1,
    spike_factor: 1,
    spike_from: 240,
    spike_to: 300,
    prompt_cv: 0,
    output_cv: 0,
    cached_share: 0,
    cached_prompt: 0.5,
    output_law: "lognormal",
    token_budget: 0,
    kv_tokens: 0,
    replicas: 1,
    routing: "round-robin",
    prefill_replicas: 0,
    transfer_ms_per_1k: 5,
    autoscale: "off",
    max_replicas: 8,
    queue_target: 4,
    busy_target: 0.8,
    provision: 60,
    max_queue: 0,
    high_share: 0,
    max_queue_low: 0,
    users: 0,
    think: 0,
    retry_after: 0,
  });
  const run = await lab.run();
  expect(run.throughput_tokens_per_s).toBeCloseTo(1003.7037037, 6);
  expect(run.scenario).toEqual(await lab.engine("default_scenario"));
  expect(await lab.run(await lab.engine("default_scenario"))).toEqual(run);
  expect(await lab.run({})).toEqual(run);
});

test("run takes what differs; every field has a say", async ({ lab }) => {
  const six = await lab.run({ rate: 6 });
  expect([six.rate_per_s, six.offered, six.slo_attainment]).toEqual([6, expect.any(Number), 0]);
  for (const [field, value] of Object.entries({
    rate: 4,
    seed: 7,
    horizon: 300,
    warmup: 30,
    max_batch: 8,
    prompt: 500,
    output: 50,
    prefill_ms_per_1k: 30,
    step_ms: 5,
    per_seq_ms: 0.2,
    slo_ttft_ms: 100,
    slo_tpot_ms: 20,
    arrival_cv: 2,
    spike_factor: 3,
    prompt_cv: 1,
    output_cv: 1,
    cached_share: 0.5,
    max_queue: 5,
  })) {
    const changed = await lab.run({ [field]: value });
    expect(changed.scenario[field]).toBe(value);
    const { scenario: _, ...figures } = changed;
    const { scenario: __, ...before } = await lab.run();
    expect(figures, field).not.toEqual(before);
  }
});

test("sweep is run at each rate", async ({ lab }) => {
  const runs = [await lab.run({ rate: 4 }), await lab.run({ rate: 5 }), await lab.run({ rate: 6 })];
  expect(await lab.sweep(undefined, [4, 5, 6])).toEqual(runs);
  expect(await lab.sweep({ seed: 7 }, [5])).toEqual([await lab.run({ rate: 5, seed: 7 })]);
  expect(await lab.sweep(undefined, [])).toEqual([]);
});

test("what is not allowed is thrown as an Error with the sentence", async ({ lab }) => {
  for (const [scenario, message] of [
    [{ rate: 0 }, "rate = 0 requests/s: allowed are 0.01 to 1000 requests/s"],
    [{ rate: -1 }, "rate = -1 requests/s: allowed are 0.01 to 1000 requests/s"],
    [{ rate: 1e9 }, "rate = 1000000000 requests/s: allowed are 0.01 to 1000 requests/s"],
    [{ rate: "fast" }, 'rate = "fast": allowed are numbers, 0.01 to 1000 requests/s'],
    [{ warmup: 600 }, "warmup = 600 s: must be shorter than the horizon of 600 s"],
    [{ seed: -1 }, 'seed = "-1": allowed are lesson, or a whole number, 0 to 18446744073709551615'],
  ]) {
    expect(await thrown(lab, "run", scenario)).toEqual({ isError: true, message });
  }
  const unknown = await thrown(lab, "run", { speed: 9 });
  expect(unknown.isError).toBe(true);
  expect(unknown.message).toMatch(/^there is no field "speed": allowed are rate, /);
  for (const field of ["max_batch", "prompt", "output"]) {
    expect((await thrown(lab, "run", { [field]: 0 })).message).toMatch(/ = 0 [a-z]+: allowed are 1 to \d+ [a-z]+$/);
  }
  for (const scenario of [5, "x"]) {
    expect(await thrown(lab, "run", scenario)).toMatchObject({ isError: true, message: expect.stringMatching(/\w/) });
  }
  expect((await thrown(lab, "sweep", { warmup: 600 }, [4])).message).toContain("must be shorter than the horizon");
  expect(await thrown(lab, "sweep", null, [4, 0])).toEqual({
    isError: true,
    message: "rate = 0 requests/s: allowed are 0.01 to 1000 requests/s",
  });
  await lab.stop(6).click();
  await lab.showsPublished(6);
});

test("not a number is refused too, which JSON cannot carry", async ({ lab }) => {
  const messages = await lab.page.evaluate(async () => {
    const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
    return [NaN, Infinity, -Infinity].map((rate) => {
      try {
        return glue.run({ rate });
      } catch (error) {
        return error.message;
      }
    });
  });
  for (const message of messages) expect(message).toMatch(/^rate = \S+ requests\/s: allowed are 0.01 to 1000 requests\/s$/);
});

test("where nothing completes, distributions are null", async ({ lab }) => {
  const run = await lab.run({ rate: 0.01, horizon: 1, warmup: 0 });
  expect(run.completed).toBe(0);
  for (const field of ["ttft_s", "tpot_s", "e2e_s", "itl_s", "slo_attainment"]) {
    expect(run, field).toHaveProperty(field);
    expect(run[field], field).toBeNull();
  }
});

/** Puts a second lab after the first, from the page's own markup, and mounts it. */
async function secondLab(page) {
  await page.evaluate(async () => {
    const html = await (await fetch(document.baseURI)).text();
    const copy = new DOMParser().parseFromString(html, "text/html").querySelector("[data-lab]");
    copy.id = "second";
    document.querySelector("[data-lab]").id = "first";
    document.querySelector("[data-lab]").after(copy);
    const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
    window.second = glue.mount(copy);
  });
  return [new Lab(page, "#first"), new Lab(page, "#second")];
}

test("two labs on a page each live their own life, and one survives the other", async ({ lab }) => {
  const [first, second] = await secondLab(lab.page);
  await second.runs();
  await second.showsPublished(5);
  await second.stop(6).click();
  await second.showsPublished(6);
  await first.showsPublished(5);
  // A lab in somebody's own page has no address that could be shared.
  await expect(second.root.locator("[data-share]")).toBeHidden();
  await expect(first.root.locator("[data-share]")).toBeVisible();
  await first.stop(4).click();
  await first.showsPublished(4);
  await second.showsPublished(6);

  await lab.page.evaluate(() => window.second.destroy());
  await first.stop(5).click();
  await first.showsPublished(5);
});

test("a destroyed lab hears nothing and keeps its picture", async ({ lab }) => {
  const [first, second] = await secondLab(lab.page);
  // With a change under way: its frame and its timer must go too.
  await second.stop(6).click();
  await second.showsPublished(6);
  await lab.page.evaluate(() => window.second.destroy());
  const changes = await second.root.evaluateHandle((root) => {
    const changes = [];
    for (const name of ["lab-change", "lab-result"]) root.addEventListener(name, () => changes.push(name));
    new MutationObserver((all) => changes.push(...all.map(({ target }) => target.nodeName))).observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    return changes;
  });
  await second.stop(4).click();
  await second.slider.press("ArrowRight");
  await second.chart("ttft").plot.hover();
  await second.chart("time").reader.focus();
  await lab.page.emulateMedia({ colorScheme: "dark" });
  await lab.page.setViewportSize({ width: 900, height: 700 });
  await first.settled(() => first.stop(6).click());
  expect(await changes.jsonValue()).toEqual([]);
  await lab.page.evaluate(() => window.second.destroy());
  await lab.page.evaluate(() => window.second.free());
  await first.stop(4).click();
  await first.showsPublished(4);
});

for (const name of ["lab-change", "lab-result"]) {
  test(`a lab may be destroyed by who hears its ${name}`, async ({ lab }) => {
    const [first, second] = await secondLab(lab.page);
    const heard = second.root.evaluate(
      (root, name) =>
        new Promise((done) => {
          root.addEventListener(name, () => (window.second.destroy(), done(true)), { once: true });
        }),
      name,
    );
    await second.stop(6).click();
    expect(await heard).toBe(true);
    await first.settled(() => first.stop(4).click());
    await first.showsPublished(4);
  });
}

test("fifty labs come and go", async ({ lab }) => {
  await lab.page.evaluate(async () => {
    const html = await (await fetch(document.baseURI)).text();
    const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
    for (let i = 0; i < 50; i++) {
      const copy = new DOMParser().parseFromString(html, "text/html").querySelector("[data-lab]");
      document.body.append(copy);
      const mounted = glue.mount(copy);
      mounted.destroy();
      mounted.free();
      copy.remove();
    }
  });
  await lab.stop(6).click();
  await lab.showsPublished(6);
});

test("markup that lacks something is refused by name", async ({ lab }) => {
  const message = await lab.page.evaluate(async () => {
    const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
    try {
      glue.mount(document.createElement("section"));
      return "mounted";
    } catch (error) {
      return String(error.message ?? error);
    }
  });
  expect(message).toContain("the lab's markup lacks");
});
