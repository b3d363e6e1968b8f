// WebKitGTK: its small browser and its driver, on a display of their own, driven by Selenium.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Builder, By, Capabilities } from "selenium-webdriver";

/** Starts a program that ends with this one at the latest. */
function start(program, args, stdio, env = {}) {
  const child = spawn(program, args, { stdio, env: { ...process.env, ...env } });
  const end = () => child.kill();
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}

/** Starts a display of its own and resolves to its name, which the program writes on the channel it is given. */
async function startDisplay() {
  const args = ["-displayfd", "3", "-screen", "0", "2600x2000x24", "-nolisten", "tcp"];
  const display = start("Xvfb", args, ["ignore", "ignore", "ignore", "pipe"]);
  const number = await new Promise((resolve, reject) => {
    display.once("error", reject);
    display.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    display.stdio[3].once("data", (text) => resolve(String(text).trim()));
  });
  return { display, name: `:${number}` };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function answers(url) {
  for (;;) {
    const up = await fetch(`${url}/status`).then(({ ok }) => ok).catch(() => false);
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** GTK reads the system's wishes from a file. */
async function settings({ reducedMotion }) {
  const folder = await mkdtemp(join(tmpdir(), "goodput-webkit-"));
  await mkdir(join(folder, "gtk-3.0"));
  await writeFile(
    join(folder, "gtk-3.0", "settings.ini"),
    `[Settings]
gtk-application-prefer-dark-theme=false
gtk-enable-animations=${!reducedMotion}
`,
  );
  return folder;
}

export async function launch(options, { driver: program, binary }) {
  const { width, height, zoom, storage } = options;
  const folder = await settings(options);
  const { display, name } = await startDisplay();
  const port = await freePort();
  const service = start(program, [`--port=${port}`], "ignore", {
    DISPLAY: name,
    XDG_CONFIG_HOME: folder,
    GDK_BACKEND: "x11",
    // Zoom is fewer CSS pixels, each made of more of the device's.
    GDK_SCALE: String(zoom),
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  const args = ["--automation"];
  if (storage === "blocked") args.push("--enable-html5-local-storage=false", "--cookies-policy=never");
  const capabilities = new Capabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary, args } });
  const browser = await new Builder().usingServer(url).withCapabilities(capabilities).build();
  await browser.manage().window().setRect({ x: 0, y: 0, width: Math.round(width / zoom), height: Math.round(height / zoom) });

  const run = (act, value) => browser.executeScript(`return (${act})(arguments[0]);`, value ?? null);
  const within = async (index, act) => {
    const frames = await browser.findElements(By.css("iframe"));
    await browser.switchTo().frame(frames[index]);
    try {
      return await act();
    } finally {
      await browser.switchTo().defaultContent();
    }
  };
  return {
    // Nobody is told of the console; what matters is noted by the page itself.
    complaints: () => [],
    open: (address) => browser.get(address),
    evaluate: run,
    inFrame: (index, act, value) => within(index, () => run(act, value)),
    click: (index, selector) => within(index, () => browser.findElement(By.css(selector)).click()),
    screenshot: () => browser.takeScreenshot(),
    close: async () => {
      await browser.quit();
      service.kill();
      display.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const LACKS = {
  // https://bugs.webkit.org/show_bug.cgi?id=316847, mended in 2026, but not in every WebKit that is about.
  sandboxedSelf: "in a sandboxed frame 'self' may mean nobody, so the site's policy names its address as well",
  forcedColors: "WebKitGTK has no forced colours",
  print: "the driver of WebKitGTK cannot print",
};
