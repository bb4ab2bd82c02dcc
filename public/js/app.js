// The page: puts its parts together.
import { registerOwn } from "./components.js";
import { readAddress, writeAddress } from "./url-state.js";
import { Board } from "./board.js";
import { parts, send } from "./client.js";
import { copy } from "./clipboard.js";
import { write } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { StartForm } from "./start-form.js";
import { showHero } from "./hero.js";
import { TweenMarquee } from "./marquee.js";
import { followPace, setPace, usualPace } from "./pace.js";
import { Roving } from "./roving-tabindex.js";
import { ask, offerSettings, settings } from "./settings.js";
import { Speech } from "./announcer.js";
import { showStatus } from "./connection-status.js";
import { Wall } from "./wall.js";
import { local, translate, words } from "./i18n.js";

registerOwn();
translate(document);
customElements.define("tween-marquee", TweenMarquee);

/** @param {string} selector
 *  @returns {any} */
const find = (selector) => document.querySelector(selector);
/** @param {string} selector
 *  @param {string} name
 *  @param {(event: any) => void} act */
const on = (selector, name, act) => find(selector).addEventListener(name, act);

const feed = feedFrom();
/** @type {TweenMarquee} */
const marquee = find("tween-marquee");
const form = find("#view");
const { dataset } = document.body;
const narrow = matchMedia("(max-width: 40rem)");
let view = readAddress();

// A view's layout is what was chosen, else what suits the window.
for (const name of /** @type {const} */ (["q", "kind", "order", "layout"])) {
  form.elements[name].value = view[name];
}
const layOut = () => {
  dataset.layout = view.layout || (narrow.matches ? "rows" : "cards");
};
layOut();
// What can't be meant is asked no more.
writeAddress({ kind: view.kind, order: view.order, layout: view.layout, pace: view.pace });
if (view.kiosk) dataset.kiosk = "";
// From here on the body says so.
document.documentElement.classList.remove("early-wall", "early-kiosk", "early-words");

offerSettings(find("#settings"));
const board = new Board(find("#board"), () => view);
showStatus(board);
if (!view.kiosk) showHero();
else import("./lazy.js").then(({ guard }) => guard());
new StartForm(find("#start"));
new Roving(board, marquee);
new Wall(board, () => view, () => change({ layout: "" }));
new Speech(find("#spoken"), () => settings.spoken);
board.arrange();

// MARK: What is shown

/** @param {Partial<import("./url-state.js").View>} asked */
function change(asked) {
  Object.assign(view, asked);
  if ("layout" in asked) form.elements.layout.value = view.layout;
  const { q, kind, order, layout } = view;
  writeAddress({ q, kind, order, layout });
  layOut();
  board.arrange();
}

for (const name of ["input", "change"]) {
  form.addEventListener(name, () => change(Object.fromEntries(new FormData(form))));
}
on("#view", "submit", (event) => event.preventDefault());
narrow.addEventListener("change", () => change({}));
board.addEventListener("arranged", () => {
  const { size } = board.cards;
  const { length } = board.shown;
  write(
    find("#count"),
    length === size ? `${size}` : words("{shown} of {all}", { shown: length, all: size })
  );
  // What is gone is selected no more.
  marquee.choose([...marquee.chosen].filter((key) => board.cards.has(key)));
  tellSelection();
});

if (view.pace) setPace(view.pace);
followPace((pace) => {
  find("#pace").value = dataset.pace = pace;
});
on("#pace", "change", ({ target: { value } }) => {
  setPace(value);
  writeAddress({ pace: value === usualPace() ? "" : value });
});

// MARK: What is done

feed.addEventListener("said", (event) => {
  const { line, problem } = /** @type {CustomEvent<import("./client.js").Said>} */ (event).detail;
  write(find("#line"), line);
  write(find("#problem"), problem);
  find("#undo").hidden = true;
  find("#said").hidden = !line;
});
on("#copy", "click", ({ target }) => copy(find("#line").textContent, target));
on("#hush", "click", () => {
  find("#said").hidden = true;
  write(find("#problem"), "");
});

/** What is asked before something is done to a selection that can't be undone, and the word for it.
 *  @type {Record<string, (keys: string[]) => [string, string]>} */
const QUESTIONS = {
  delete: ([key, ...more]) => [
    more.length ? words("Delete {count} cards for good?", { count: more.length + 1 })
      : words("Delete {id}?", { id: parts(key)[1] }),
    "Delete",
  ],
  cancel: ([key, ...more]) => [
    more.length
      ? words("Stop {count} cards where they are? Schedules are gone then.", { count: more.length + 1 })
      : words("Stop {id}?", { id: parts(key)[1] }),
    "Stop",
  ],
};

on("#all", "click", () => marquee.choose(board.shown.map(({ key }) => key)));
on("tween-marquee", "selectionchange", tellSelection);
on("#selection", "click", async ({ target: { name: op } }) => {
  if (op === "clear") return marquee.choose([]);
  const keys = marquee.acting;
  if (!op || !keys.length) return;
  const question = QUESTIONS[op]?.(keys);
  if (question && !(await ask(...question))) return;
  send("POST", "/v1/batch", keys.map(parts).map(([kind, id]) => ({ op, [kind]: id })));
});

/** What is selected and hidden is told of, and left alone. */
function tellSelection() {
  const count = marquee.acting.length;
  const hidden = marquee.chosen.size - count;
  find("#selection").hidden = !marquee.chosen.size;
  write(find("#selection output"), words("{count} selected", { count: local(count) })
    + (hidden ? `, ${words("{count} hidden", { count: local(hidden) })}` : ""));
}

/** @type {(() => void) | undefined} */
let toggle;
/** Most who see a board never inspect it. */
async function toggleInspector() {
  const later = toggle ? undefined : await import("./lazy.js").catch(() => undefined);
  toggle ??= later?.inspect(board.cards);
  if (toggle) toggle();
  else write(find("#problem"), words("No connection"));
}

on("#inspect", "click", toggleInspector);
addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isTyping = /** @type {Element} */ (target).matches(
    "input:not([type=checkbox], [type=range]), textarea, select"
  );
  const isFree = !isTyping && !ctrlKey && !metaKey && !altKey && !document.querySelector(
    "dialog[open]"
  );
  if (settings.key && key.toLowerCase() === settings.key && isFree) toggleInspector();
});
