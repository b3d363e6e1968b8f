// Runs in a page before its own scripts: counts the slider's changes and finds the module's memory. Keeps nothing else,
// for the heap is what is measured.

(() => {
  let memory = null;
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const instantiate = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const result = await instantiate(...args);
      memory = (result.instance ?? result).exports.memory;
      return result;
    };
  }

  window.tally = { changes: 0, wasmBytes: () => memory?.buffer.byteLength ?? null };
  addEventListener("input", ({ target }) => (window.tally.changes += target.name === "rate" ? 1 : 0), {
    capture: true,
    passive: true,
  });
})();
