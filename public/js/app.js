// The page: puts board, controls, selection, inspector and connection together.
import "../embed.js";
import { Board } from "./board.js";
import { batch, send } from "./client.js";
import { Controls } from "./controls.js";
import { curvePath, parseEasing } from "./easing.js";
import { write } from "./element.js";
import { feedFrom } from "./feed.js";
import { TweenMarquee } from "./marquee.js";

const find = (selector) => document.querySelector(selector);
const on = (selector, name, act) => find(selector).addEventListener(name, act);
const feed = feedFrom();
customElements.define("tween-marquee", TweenMarquee);
const board = new Board(find("#board"), find("#view"));
new Controls(find("#start"), (line) => write(find("#line"), line));

feed.addEventListener("said", ({ detail: { line, problem } }) => {
	write(find("#line"), line);
	write(find("#problem"), problem);
});
on("#copy", "click", async ({ target }) => {
	await navigator.clipboard.writeText(find("#line").textContent);
	write(target, "Copied");
	setTimeout(() => write(target, "Copy"), 1500);
});

feed.addEventListener("status", () => {
	const { state, greeting } = feed.status;
	find("#connection").dataset.state = state;
	write(find("#connection"), state === "live" ? `Live, ${greeting.tickRate ?? 60} Hz` : "Reconnecting…");
});

// The three preset counters, 0 to 100 and back in 3.5 s, by one request.
const presets = [...document.querySelectorAll("[data-curve]")];
for (const path of presets) path.setAttribute("d", curvePath(parseEasing(path.dataset.curve), 100, 40, 0, 1));
let up = false;
on("#presets", "click", () => {
	up = !up;
	send("POST", "/v1/batch", presets.map(({ id, dataset }) =>
		({ ticker: id, to: up ? 100 : 0, duration: 3.5, easing: dataset.curve })));
});
feed.listen("ticker:preset-linear", { event: (name, { finished, value }) => finished && (up = value > 50) });

const { pace } = find("#pace").elements;
pace.value = document.documentElement.dataset.pace = feed.pace;
on("#pace", "change", () => feed.setPace((document.documentElement.dataset.pace = pace.value)));

const marquee = find("tween-marquee");
marquee.addEventListener("selectionchange", ({ detail: { ids } }) => {
	find("#selection").hidden = !ids.length;
	write(find("#selection output"), `${ids.length} selected`);
});
on("#selection", "click", ({ target: { dataset: { op } } }) => {
	if (op === "clear") marquee.choose([]);
	else if (op) batch(op, [...marquee.chosen]);
});
on("#schedules", "click", ({ target: { dataset: { all } } }) => {
	if (all) send(all === "cancel" ? "DELETE" : "POST", `/v1/schedules${all === "cancel" ? "" : `/${all}`}`);
});

// One region speaks values that have come to rest.
let speaking;
feed.listen("ticker:*", {
	event(name, { finished, text, ticker }) {
		if (!finished) return;
		clearTimeout(speaking);
		speaking = setTimeout(() => write(find("#spoken"), `${ticker} ${text}`), 500);
	},
});

let inspector;
async function inspect() {
	const { Inspector } = await import("./inspector.js");
	inspector ??= new Inspector(board);
	inspector.toggle();
}
on("#inspect", "click", inspect);
addEventListener("keydown", ({ key, ctrlKey, metaKey, target }) => {
	if (key === "i" && !ctrlKey && !metaKey && !target.matches("input:not([type=checkbox]), textarea, select")) inspect();
});
