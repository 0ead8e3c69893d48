// The arrow keys lead to the phase before and the next one; without this file the links do.
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const wide = event.target instanceof Element && event.target.closest(".wide");
  const link = rel && !wide && document.querySelector(`a[rel="${rel}"]`);
  if (link) link.click();
});
