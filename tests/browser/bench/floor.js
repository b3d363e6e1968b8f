// Shows the slider's value one frame later: what a page with no work to do pays from move to pixels.

const slider = document.querySelector("input");
const output = document.querySelector("output");

slider.addEventListener("input", () => {
  requestAnimationFrame(() => {
    output.textContent = slider.value;
  });
});
