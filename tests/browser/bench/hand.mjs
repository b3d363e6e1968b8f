// Drags the slider as a person would, with real mouse events of the browser.

const SLIDER = "form input[type=range][name=rate]";

/** Half of a thumb, the least distance of its centre from the end of the track [CSS px]. */
const HALF_THUMB = 8;

/** Opens the lab as for a reader who has been here before: nothing is covered. */
export const beenHere = (page) => page.addInitScript(() => (localStorage["goodput-lab.guess"] ??= "skipped"));

/** The slider of a page, at hand. */
export async function takeSlider(page) {
  const slider = page.locator(SLIDER);
  // The charts belong to the cost of a move: they must be in the window.
  await slider.evaluate((input) => input.form.scrollIntoView({ block: "start" }));
  await slider.scrollIntoViewIfNeeded();
  return { page, slider, mouse: await page.context().newCDPSession(page) };
}

/**
 * Presses the thumb, moves it to one end, to the other and back to where it was, and lets go.
 *
 * A move every 16 ms, a little out of step with a display of 60 Hz, so that moves fall at every moment between two
 * frames. Like a hand, it does not wait for the page.
 */
export async function drag({ slider, mouse }, { moves = 125, everyMs = 16 } = {}) {
  const { x, y, width, height } = await slider.boundingBox();
  const from = await slider.evaluate((input) => (input.value - input.min) / (input.max - input.min));
  const phase = Math.asin(2 * from - 1);
  const sent = [];
  const send = (type, turn) => {
    const share = 0.5 + 0.5 * Math.sin(phase + 2 * Math.PI * turn);
    const at = { x: x + HALF_THUMB + (width - 2 * HALF_THUMB) * share, y: y + height / 2 };
    sent.push(mouse.send("Input.dispatchMouseEvent", { type, ...at, button: "left", buttons: 1, clickCount: 1 }));
  };

  send("mousePressed", 0);
  const start = performance.now();
  for (let i = 1; i <= moves; i++) {
    const due = start + i * everyMs - performance.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    send("mouseMoved", i / moves);
  }
  send("mouseReleased", 1);
  await Promise.all(sent);
}
