// Notes what goes wrong in a lab's page, first of all its scripts. The driver of WebKitGTK is told of no console.
"use strict";

(() => {
  const notes = (window.notes = []);
  for (const name of ["error", "warn"]) {
    const tell = console[name].bind(console);
    console[name] = (...words) => {
      notes.push(`${name}: ${words.join(" ")}`);
      tell(...words);
    };
  }
  addEventListener("unhandledrejection", ({ reason }) => notes.push(`unhandled: ${reason}`));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    notes.push(`the policy's ${effectiveDirective} was broken by ${blockedURI}`),
  );
  // Captured: a style sheet or a picture that does not load tells only its own element.
  const failed = ({ message, target }) => notes.push(message ? `error: ${message}` : `not loaded: ${target.outerHTML}`);
  addEventListener("error", failed, { capture: true });
})();
