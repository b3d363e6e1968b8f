// The embed matrix: the same cases in every browser that `cargo xtask test` found. By hand, name them as it does:
// GOODPUT_CHROMIUM, GOODPUT_FIREFOX, and GOODPUT_WEBKIT_DRIVER with GOODPUT_WEBKIT. A name that is missing is a browser less.

import { defineConfig } from "@playwright/test";
import main from "../playwright.config.js";

const { GOODPUT_FIREFOX, GOODPUT_WEBKIT_DRIVER, GOODPUT_WEBKIT } = process.env;

const projects = [{ name: "chromium", use: { adapter: "./chromium.js", program: main.use.launchOptions } }];
if (GOODPUT_FIREFOX) {
  projects.push({ name: "firefox", use: { adapter: "./firefox.js", program: { executablePath: GOODPUT_FIREFOX } } });
}
if (GOODPUT_WEBKIT_DRIVER && GOODPUT_WEBKIT) {
  const program = { driver: GOODPUT_WEBKIT_DRIVER, binary: GOODPUT_WEBKIT };
  projects.push({ name: "webkitgtk", use: { adapter: "./webkit.js", program } });
}

export default defineConfig({
  testDir: ".",
  testMatch: "matrix.js",
  outputDir: "../test-results/matrix",
  forbidOnly: main.forbidOnly,
  workers: 1,
  retries: main.retries,
  reporter: main.reporter,
  timeout: 120_000,
  // Starting an engine in a browser that has just been started takes its time, four of them even more.
  expect: { timeout: 20_000 },
  projects,
});
