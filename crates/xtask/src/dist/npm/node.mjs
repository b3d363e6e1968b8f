// The same module under Node.js, which fetches nothing from the disk: the WebAssembly is read.
import { readFile } from "node:fs/promises";
import init from "./goodput-lab.mjs";

export * from "./goodput-lab.mjs";

const bundled = new URL("./goodput_lab_bg.wasm", import.meta.url);

export default async function initInNode(options) {
  return init(options ?? { module_or_path: await readFile(bundled) });
}
