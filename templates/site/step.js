// Keys, replay, zoom, orders and their arrows, and search; without this file links do the rest.
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

// Replay: the board before a phase, its orders, the board after it, and on to the next phase.
const play = one("a.play");
let timer;
const replay = () => {
  clearTimeout(timer);
  const on = location.hash === "#play";
  play.dataset.play ??= play.textContent;
  play.textContent = on ? `■ ${play.dataset.stop}` : play.dataset.play;
  play.hash = on ? "#orders" : "#play";
  if (!on) return;
  const next = one('a[rel="next"]');
  const show = ([name, ...rest]) => {
    if (name) one("#play").src = one(`#${name}`).getAttribute("src");
    else location.href = next ? `${next.href}#play` : "#orders";
    if (name) timer = setTimeout(show, name === "orders" ? 2400 : 1400, rest);
  };
  show(["before", "orders", "after"]);
};
if (play) {
  addEventListener("hashchange", replay);
  replay();
}

// Zoom: the board grows within its frame, which scrolls and keeps its middle.
const zoom = one(".zoom");
const pan = one(".board .pan");
if (zoom) {
  zoom.hidden = false;
  let size = 1;
  const [smaller, larger] = zoom.children;
  const to = (by) => {
    const x = (pan.scrollLeft + pan.clientWidth / 2) / pan.scrollWidth;
    const y = (pan.scrollTop + pan.clientHeight / 2) / pan.scrollHeight;
    if (size === 1) pan.style.maxHeight = `${pan.clientHeight}px`;
    size = Math.min(4, Math.max(1, size * by));
    if (size === 1) pan.style.maxHeight = "";
    one(".frame").style.width = `${100 * size}%`;
    pan.scrollTo(x * pan.scrollWidth - pan.clientWidth / 2, y * pan.scrollHeight - pan.clientHeight / 2);
    smaller.disabled = size === 1;
    larger.disabled = size === 4;
  };
  to(1);
  smaller.addEventListener("click", () => to(1 / 1.4));
  larger.addEventListener("click", () => to(1.4));
}

// An order and its arrow light each other: below the mouse, by a tap, and with the keys up and down.
const lines = [...document.querySelectorAll(".orders li")];
const marks = [...document.querySelectorAll(".room .order")];
const same = (a, b) => a.dataset.power === b.dataset.power && a.dataset.order === b.dataset.order;
const light = (lit) => {
  for (const each of [...lines, ...marks]) each.classList.toggle("lit", Boolean(lit) && same(each, lit));
  one(".told").textContent = lines.find((each) => lit && same(each, lit))?.title ?? "";
};
// What is drawn near the mouse: fingers are not as thin as arrows.
const near = (x, y) => {
  for (const far of [0, 5, 10, 15]) {
    for (let turn = 0; turn < 8; turn += 1) {
      const angle = (turn * Math.PI) / 4;
      const found = document.elementFromPoint(x + far * Math.cos(angle), y + far * Math.sin(angle));
      const mark = found?.closest(".room .order");
      if (mark) return mark;
    }
  }
  return null;
};
if (pan) {
  lines.forEach((line, at) => {
    line.tabIndex = at ? -1 : 0;
    line.addEventListener("mouseenter", () => light(line));
    line.addEventListener("mouseleave", () => light(null));
    line.addEventListener("focus", () => light(line));
    line.addEventListener("blur", () => light(null));
    line.addEventListener("click", () => {
      const [mark, board] = [marks.find((each) => same(each, line)), pan].map((each) => each?.getBoundingClientRect());
      if (!mark) return;
      pan.scrollBy(mark.x + (mark.width - board.width) / 2 - board.x, mark.y + (mark.height - board.height) / 2 - board.y);
      pan.scrollIntoView({ block: "nearest" });
    });
    line.addEventListener("keydown", (event) => {
      const next = lines[at + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? lines.length)];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
  });
  for (const kind of ["mousemove", "click"]) {
    pan.addEventListener(kind, (event) => light(near(event.clientX, event.clientY)));
  }
  pan.addEventListener("mouseleave", () => light(null));
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

// Times: in the zone of the reader.
const times = [...document.querySelectorAll("time")];
for (const each of times) {
  each.title = each.textContent;
  each.textContent = new Date(each.dateTime).toLocaleString(document.documentElement.lang, {
    weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hour12: false,
  });
}
const zone = one(".zone");
if (zone && times.length) zone.textContent = zone.dataset.own;

// A whole game: one picture after the other, the next one loaded while one is shown.
const reel = one(".reel");
if (reel) {
  const shots = [...reel.children];
  const [back, run, forth] = one(".reeling").children;
  const words = run.textContent;
  let at = 0;
  let moving;
  const turn = (to) => {
    at = Math.min(shots.length - 1, Math.max(0, to));
    shots.forEach((each, number) => { each.hidden = number !== at; });
    if (shots[at + 1]) new Image().src = shots[at + 1].querySelector("img").src;
    back.disabled = at === 0;
    forth.disabled = at === shots.length - 1;
    if (forth.disabled) halt();
  };
  const halt = () => {
    clearInterval(moving);
    moving = undefined;
    run.textContent = words;
  };
  one(".reeling").hidden = false;
  back.addEventListener("click", () => { halt(); turn(at - 1); });
  forth.addEventListener("click", () => { halt(); turn(at + 1); });
  run.addEventListener("click", () => {
    if (moving) return halt();
    if (at === shots.length - 1) turn(0);
    moving = setInterval(() => turn(at + 1), 1800);
    run.textContent = run.dataset.stop;
  });
  addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) { halt(); turn(at + by); }
  });
  turn(0);
}

// Filters: the boards, paces and free seats that there are; a game is shown that has what is chosen.
const filters = one(".filters");
const cards = [...document.querySelectorAll(".card")];
if (filters && cards.length > 1) {
  filters.hidden = false;
  const selects = [...filters.querySelectorAll("select")];
  for (const select of selects) {
    const found = new Set(cards.map((card) => card.dataset[select.dataset.by]).filter(Boolean));
    for (const value of [...found].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))) select.add(new Option(value));
    select.addEventListener("change", () => {
      for (const card of cards) card.hidden = !selects.every(({ value, dataset }) => !value || card.dataset[dataset.by] === value);
    });
  }
}
