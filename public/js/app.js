// The page: puts board, controls, selection and connection together.
import "../embed.js";
import { Board, toggle } from "./board.js";
import { batch, send } from "./client.js";
import { Controls } from "./controls.js";
import { curvePath, parseEasing } from "./easing.js";
import { feedFrom } from "./feed.js";
import { TweenMarquee } from "./marquee.js";

customElements.define("tween-marquee", TweenMarquee);
const find = (selector) => document.querySelector(selector);
const feed = feedFrom();
const board = new Board(find("#board"), find("#view"));
const line = find("#line");
new Controls(find("#start"), (text) => (line.textContent = text));

for (const path of document.querySelectorAll("[data-curve]")) {
  path.setAttribute("d", curvePath(parseEasing(path.dataset.curve), 100, 40, 0, 1));
}

feed.addEventListener("said", ({ detail }) => {
  line.textContent = detail.line;
  find("#problem").textContent = detail.problem;
});
find("#copy").addEventListener("click", async ({ target }) => {
  await navigator.clipboard.writeText(line.textContent);
  target.textContent = "Copied";
  setTimeout(() => (target.textContent = "Copy"), 1500);
});

function connection() {
  const { state, greeting } = feed.status;
  const live = state === "live";
  find("#connection").dataset.state = state;
  find("#connection").textContent = live ? `Live, ${greeting?.tickRate ?? 60} Hz` : "Reconnecting…";
}
feed.addEventListener("status", connection);

let up = false;
find("#presets").addEventListener("click", () => {
  const shown = feed.latest.get("ticker:preset-linear");
  up = shown ? shown.value < 50 : !up;
  toggle(up);
});

const pace = find("#pace");
pace.elements.pace.value = feed.pace;
pace.addEventListener("change", () => {
  feed.setPace(pace.elements.pace.value);
  document.documentElement.dataset.pace = feed.pace;
});
document.documentElement.dataset.pace = feed.pace;

const selection = find("#selection");
document.addEventListener("selectionchange", ({ detail }) => {
  if (!detail?.ids) return;
  selection.hidden = detail.ids.length === 0;
  selection.querySelector("output").textContent = `${detail.ids.length} selected`;
});
selection.addEventListener("click", async ({ target }) => {
  const marquee = find("tween-marquee");
  const { op } = target.dataset;
  if (op === "clear") marquee.choose([]);
  else if (op) await batch(op, marquee.selection);
});
find("#schedules").addEventListener("click", ({ target }) => {
  const { all } = target.dataset;
  if (all === "cancel") send("DELETE", "/v1/schedules");
  else if (all) send("POST", `/v1/schedules/${all}`);
});

// Settled values are spoken one at a time, never frames.
let speaking;
feed.listen("ticker:*", {
  event(name, data, key) {
    if (name !== "complete" || data.finished === false) return;
    clearTimeout(speaking);
    speaking = setTimeout(() => (find("#spoken").textContent = `${key.split(":")[1]} ${data.text}`), 500);
  },
});

let inspector;
async function inspect() {
  if (!inspector) {
    const { Inspector } = await import("./inspector.js");
    inspector ??= new Inspector(board);
  }
  inspector.toggle();
}
find("#inspect").addEventListener("click", inspect);
addEventListener("keydown", (event) => {
  if (event.key === "i" && !event.ctrlKey && !event.metaKey && !event.target.closest("input:not([type=checkbox]), textarea, select")) inspect();
});
