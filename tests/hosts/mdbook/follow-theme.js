// The book's readers choose its colours themselves, whatever the system has; the lab follows them.
"use strict";

(() => {
  const DARK = ["coal", "navy", "ayu"];
  const book = document.documentElement;
  const follow = () => {
    const theme = DARK.some((name) => book.classList.contains(name)) ? "dark" : "light";
    for (const lab of document.querySelectorAll("goodput-lab")) lab.setAttribute("theme", theme);
  };
  // mdBook writes the chosen theme into the class of the page.
  new MutationObserver(follow).observe(book, { attributes: true, attributeFilter: ["class"] });
  follow();
})();
