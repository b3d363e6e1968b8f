// Runs in a page before its own scripts and times what follows a move of the slider `input[name=rate]`.
//
// One sample per frame that answers a move:
//   moved   the mouse moved: the pointer event's own time stamp
//   heard   the page learned of the slider's new value: first listener of the first `input` event of the frame
//   frame   the frame began: first of its requestAnimationFrame callbacks
//   script  time spent in its requestAnimationFrame callbacks
//   done    the frame was handed over to be put on the screen: callbacks, style, layout and paint are over
// All in milliseconds of performance.now(). `value` is the slider's value in that frame, `shown` what the page said at
// its end the p99 of TTFT is: it tells whether the frame answered that very value.

(() => {
  const samples = [];
  let moved = NaN;
  let waiting = null;
  let script = 0;
  let scriptOf = NaN;

  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((at) => {
      begin(at);
      const start = performance.now();
      try {
        callback(at);
      } finally {
        script += performance.now() - start;
      }
    });

  // Called first in every callback of a frame. All callbacks of one frame are called with the same time.
  const begin = (at) => {
    if (at === scriptOf) return;
    // Had the last frame's end not had its turn yet, it is now at the latest: before anything is shown in this frame.
    close();
    [script, scriptOf] = [0, at];
  };

  // The frame that was begun last and whose end was not seen yet.
  let open = null;
  const close = () => {
    if (!open) return;
    samples.push({ ...open, done: performance.now(), script, shown: shown() });
    open = null;
  };
  const shown = () => document.querySelector('[data-lab] [data-metric="ttft_s.p99"]')?.dataset.value;

  addEventListener("pointermove", (event) => (moved = event.timeStamp), { capture: true, passive: true });
  addEventListener(
    "input",
    ({ target: slider }) => {
      if (slider.name !== "rate" || slider.type !== "range" || waiting) return;
      waiting = { moved, heard: performance.now() };
      request((at) => {
        begin(at);
        open = { ...waiting, frame: performance.now(), value: Number(slider.value) };
        waiting = null;
        // An urgent task that a callback of the frame asks for gets its turn when the frame's work is over.
        window.scheduler.postTask(close, { priority: "user-blocking" });
      });
    },
    { capture: true, passive: true },
  );

  window.probe = { take: () => samples.splice(0) };
})();
