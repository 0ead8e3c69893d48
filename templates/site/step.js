// Keys, replay, zoom, and search; without this file links do the rest.
"use strict";
const one = (selector) => document.querySelector(selector);

// The arrow keys lead to the phase before and the next one, in the view that is shown.
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key === "Escape" && location.hash === "#play") location.hash = "#orders";
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const pans = event.target instanceof Element && event.target.closest(".wide, .pan, input");
  const link = rel && !pans && one(`a[rel="${rel}"]`);
  if (link) location.href = link.href + location.hash;
});

// Replay: each phase plays once and leads to the next.
const play = one("a.play");
let timer;
const replay = () => {
  clearTimeout(timer);
  const on = location.hash === "#play";
  play.dataset.play ??= play.textContent;
  play.textContent = on ? `■ ${play.dataset.stop}` : play.dataset.play;
  play.hash = on ? "#orders" : "#play";
  if (!on) return;
  const picture = one("#play");
  picture.src = picture.src.replace(/(\?\d+)?#/, `?${Date.now()}#`);
  const next = one('a[rel="next"]');
  timer = setTimeout(() => (location.href = next ? `${next.href}#play` : "#orders"), 5200);
};
if (play) {
  addEventListener("hashchange", replay);
  replay();
}

// Zoom: the board grows within its frame, which scrolls.
const zoom = one(".zoom");
if (zoom) {
  zoom.hidden = false;
  const frame = one(".frame");
  let size = 1;
  const [smaller, larger] = zoom.children;
  const to = (by) => {
    size = Math.min(4, Math.max(1, size * by));
    frame.style.width = `${100 * size}%`;
  };
  smaller.addEventListener("click", () => to(1 / 1.4));
  larger.addEventListener("click", () => to(1.4));
}

// Search: the names of games and players are loaded with the first letter.
const search = one(".search");
let names = null;
function found(all) {
  names = all;
  show();
}
const show = () => {
  const wanted = search.querySelector("input").value.trim().toLowerCase();
  const near = wanted ? names.filter(([name]) => name.toLowerCase().includes(wanted)) : [];
  near.sort(([a], [b]) => !a.toLowerCase().startsWith(wanted) - !b.toLowerCase().startsWith(wanted));
  search.querySelector("ul").replaceChildren(
    ...near.slice(0, 20).map(([name, file]) => {
      const link = document.createElement("a");
      link.href = search.dataset.root + file;
      link.textContent = name;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
};
if (search) {
  search.hidden = false;
  search.querySelector("input").addEventListener("input", () => {
    if (names) return show();
    const script = document.createElement("script");
    script.src = `${search.dataset.root}names.js`;
    if (!one(`script[src="${script.src}"]`)) document.head.append(script);
  });
}
