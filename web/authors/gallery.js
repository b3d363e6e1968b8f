// The gallery's lines name the address at which this very site stands, and can be copied with a press.
"use strict";

(() => {
  const site = new URL("..", location.href).href.replace(/\/$/, "");
  const status = document.createElement("p");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  document.querySelector("main").append(status);

  async function copy(code, button) {
    try {
      await navigator.clipboard.writeText(code.textContent);
      status.textContent = button.textContent = "Copied";
    } catch {
      // No clipboard here: the text is marked, and the keyboard copies it.
      getSelection().selectAllChildren(code);
      status.textContent = button.textContent = "Marked: press Ctrl+C";
    }
  }

  for (const code of document.querySelectorAll("pre code")) {
    code.textContent = code.textContent.replaceAll("HOST", site);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(code, button));
    code.parentElement.after(button);
  }
})();
