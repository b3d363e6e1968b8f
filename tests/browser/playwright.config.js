import { createServer } from "node:net";
import { defineConfig, devices } from "@playwright/test";

/** A port nobody listens on, so that two checkouts can be tested at once. */
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

// The runner chooses the port; its workers read this file again and inherit the choice.
process.env.GOODPUT_PORT ??= String(await freePort());
const origin = `http://127.0.0.1:${process.env.GOODPUT_PORT}/`;

// A Chromium that is already on the machine; without it Playwright uses its own.
const executablePath = process.env.GOODPUT_CHROMIUM || undefined;

const args = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
// Chromium refuses its sandbox to root, as in most containers.
if (process.getuid?.() === 0) args.push("--no-sandbox");

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.js",
  outputDir: "test-results",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: false,
  workers: 1,
  // A machine that builds for others may stall in the middle of a drag: there a test may fail once, and it is told.
  retries: process.env.CI ? 1 : 0,
  reporter: [["list"]],
  use: {
    baseURL: origin,
    trace: "off",
    launchOptions: { executablePath, args },
  },
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
  webServer: {
    command: "node server.mjs",
    url: origin,
    reuseExistingServer: false,
    stdout: "ignore",
    stderr: "pipe",
    timeout: 20_000,
  },
});
