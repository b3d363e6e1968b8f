// The lab in other people's pages, as `cargo xtask hosts` has built them.

import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import main from "../playwright.config.js";

process.env.GOODPUT_HOSTS ??= fileURLToPath(new URL("../../../target/hosts", import.meta.url));

export default defineConfig({
  testDir: ".",
  testMatch: "hosts.js",
  outputDir: "../test-results/hosts",
  forbidOnly: main.forbidOnly,
  workers: 1,
  retries: main.retries,
  reporter: main.reporter,
  use: main.use,
  projects: main.projects,
});
