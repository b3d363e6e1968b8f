// WebKitGTK: its small browser and its driver, on a display of their own, driven by Selenium.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Builder, By, Capabilities } from "selenium-webdriver";

/** Starts a program and resolves to it and to the first line it writes on the channel. */
function start(program, args, channel, env) {
  const stdio = ["ignore", "pipe", "pipe"];
  if (channel === 3) stdio.push("pipe");
  const child = spawn(program, args, { stdio, env: { ...process.env, ...env } });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => output.push(String(text)));
  const said = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program} ended (${code}): ${output.join("")}`)));
    child.stdio[channel]?.once("data", (text) => resolve(String(text).trim()));
  });
  // A program that ends later, when it is told to, is no failure.
  said.catch(() => {});
  return { child, output, said };
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
  const screen = start("Xvfb", ["-displayfd", "3", "-screen", "0", "2600x2000x24", "-nolisten", "tcp"], 3);
  const display = `:${await screen.said}`;
  const port = await freePort();
  const service = start(program, [`--port=${port}`], 1, {
    DISPLAY: display,
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
      service.child.kill();
      screen.child.kill();
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
