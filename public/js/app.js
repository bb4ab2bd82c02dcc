// The board's page: creates its parts and connects them.
import { Board } from "./board.js";
import { send, splitKey } from "./client.js";
import { copy } from "./clipboard.js";
import { defineOwnElements } from "./components.js";
import { confirmAction } from "./confirm-dialog.js";
import { showConnectionStatus } from "./connection-status.js";
import { setText } from "./dom.js";
import { feedFrom } from "./feed.js";
import { showHero } from "./hero.js";
import { formatNumber, translate, translateMarkup } from "./i18n.js";
import { TweenMarquee } from "./marquee.js";
import { defaultPace, followPace, setPace } from "./pace.js";
import { settings, setUpSettings } from "./settings.js";
import { readURLState, writeURLState } from "./url-state.js";

defineOwnElements();
translateMarkup(document);
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
let view = readURLState();
/** @type {Promise<void> | undefined} */
let wall;

// The layout is the chosen one, or one that suits the window.
for (const name of /** @type {const} */ (["q", "kind", "order", "layout"])) {
  form.elements[name].value = view[name];
}
const layOut = () => {
  dataset.layout = view.layout || (narrow.matches ? "rows" : "cards");
};
layOut();
// Values without a meaning are removed from the address.
writeURLState({ kind: view.kind, order: view.order, layout: view.layout, pace: view.pace });
if (view.kiosk) dataset.kiosk = "";
// From here on the body has these states.
document.documentElement.classList.remove("early-wall", "early-kiosk", "early-words");

setUpSettings(find("#settings"));
const board = new Board(find("#board"), () => view);
showConnectionStatus(board, () => wall);
if (!view.kiosk) showHero();
else import("./lazy.js").then(({ blockInput }) => blockInput());
addEventListener("ready", async () => {
  const { Announcer, RovingTabindex } = await import("./assistance.js");
  new RovingTabindex(board, marquee);
  new Announcer(find("#spoken"), () => settings.spoken);
  board.arrange();
}, { once: true });
loadWall();
board.arrange();

// MARK: View

/** Loads the wall when it is first chosen. */
function loadWall() {
  if (view.layout !== "wall") return;
  wall ??= import("./lazy.js").then(({ Wall }) => {
    new Wall(board, () => view, () => change({ layout: "" }));
    board.arrange();
  }, () => {
    wall = undefined;
    setTimeout(loadWall, 2_000);
  });
}

/** @param {Partial<import("./url-state.js").View>} changes */
function change(changes) {
  Object.assign(view, changes);
  if ("layout" in changes) form.elements.layout.value = view.layout;
  const { q, kind, order, layout } = view;
  writeURLState({ q, kind, order, layout });
  layOut();
  loadWall();
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
  setText(
    find("#count"),
    length === size ? `${size}` : translate("{shown} of {all}", { shown: length, all: size })
  );
  // Removed cards leave the selection.
  marquee.select([...marquee.selectedKeys].filter((key) => board.cards.has(key)));
  updateSelection();
});

if (view.pace) setPace(view.pace);
followPace((pace) => {
  find("#pace").value = dataset.pace = pace;
});
on("#pace", "change", ({ target: { value } }) => {
  setPace(value);
  writeURLState({ pace: value === defaultPace() ? "" : value });
});

// MARK: Actions

feed.addEventListener("request", (event) => {
  const { line, problem } = /** @type {CustomEvent<import("./client.js").RequestReport>} */ (event).detail;
  setText(find("#line"), line);
  setText(find("#problem"), problem);
  find("#undo").hidden = true;
  find("#request").hidden = !line;
});
on("#copy", "click", ({ target }) => copy(find("#line").textContent, target));
on("#hide", "click", () => {
  find("#request").hidden = true;
  setText(find("#problem"), "");
});

/** The question before an action that can't be undone, and the label of its button.
 *  @type {Record<string, (keys: string[]) => [string, string]>} */
const QUESTIONS = {
  delete: ([key, ...more]) => [
    more.length ? translate("Delete {count} cards for good?", { count: more.length + 1 })
      : translate("Delete {id}?", { id: splitKey(key)[1] }),
    "Delete",
  ],
  cancel: ([key, ...more]) => [
    more.length
      ? translate("Stop {count} cards where they are? This deletes their schedules.", { count: more.length + 1 })
      : translate("Stop {id}?", { id: splitKey(key)[1] }),
    "Stop",
  ],
};

for (const button of document.querySelectorAll(".starts")) {
  button.addEventListener("click", async () => (await import("./lazy.js")).openForm());
}
on("#all", "click", () => marquee.select(board.shown.map(({ key }) => key)));
on("tween-marquee", "selectionchange", updateSelection);
on("#selection", "click", async ({ target: { name: op } }) => {
  if (op === "clear") return marquee.select([]);
  const keys = marquee.selectedVisible;
  if (!op || !keys.length) return;
  const question = QUESTIONS[op]?.(keys);
  if (question && !(await confirmAction(...question))) return;
  send("POST", "/v1/batch", keys.map(splitKey).map(([kind, id]) => ({ op, [kind]: id })));
});

/** Hidden cards stay selected, but actions leave them alone. */
function updateSelection() {
  const count = marquee.selectedVisible.length;
  const hidden = marquee.selectedKeys.size - count;
  find("#selection").hidden = !marquee.selectedKeys.size;
  setText(find("#selection output"), translate("{count} selected", { count: formatNumber(count) })
    + (hidden ? `, ${translate("{count} hidden", { count: formatNumber(hidden) })}` : ""));
}

/** @type {(() => void) | undefined} */
let toggle;
/** Loaded when first used: most visitors never inspect a card. */
async function toggleInspector() {
  toggle ??= (await import("./lazy.js")).inspectorToggle(board.cards);
  toggle();
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
