// The page: puts board, controls, selection, inspector and connection together.
import "../embed.js";
import { Board } from "./board.js";
import { parts, send } from "./client.js";
import { control } from "./controls.js";
import { curvePath, easingCurve } from "./easing.js";
import { drawing, make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { Inspector } from "./inspector.js";
import { TweenMarquee } from "./marquee.js";

const [line, connection, selection, spoken, problem] = ["line", "connection", "selection", "spoken", "problem"]
	.map((id) => document.getElementById(id));
const on = (selector, name, act) => document.querySelector(selector).addEventListener(name, act);
const feed = feedFrom();

// The three preset counters, 0 to 100 and back in 3.5 s, by one request.
const presets = Object.entries({ linear: "linear", "ease-out": "easeOut", "ease-in": "easeIn" });
for (const [name, easing] of presets) {
	const curve = make("path", { d: curvePath(easingCurve(easing), 100, 40, 0, 1) });
	document.querySelector("#lanes").append(make("li", {},
		drawing("0 -2 100 54", curve),
		make("tween-ticker", { wheels: "", src: `/v1/tickers/preset-${name}` }, "0"), make("code", {}, easing)));
}
on("#presets", "click", () => {
	const to = feed.latest.get("ticker:preset-linear")?.value > 50 ? 0 : 100, duration = 3.5;
	send("POST", "/v1/batch", presets.map(([name, easing]) => ({ ticker: `preset-${name}`, to, duration, easing })));
});

customElements.define("tween-marquee", TweenMarquee);
const marquee = document.querySelector("tween-marquee");
control(document.querySelector("#start"), (text) => write(line, text));

feed.addEventListener("said", ({ detail }) => {
	write(line, detail.line);
	write(problem, detail.problem);
});
on("#copy", "click", async ({ target }) => {
	await navigator.clipboard.writeText(line.textContent);
	write(target, "Copied");
	setTimeout(() => write(target, "Copy"), 1500);
});
feed.addEventListener("status", () => {
	const { state, greeting } = feed.status;
	connection.dataset.state = state;
	write(connection, state === "live" ? `Live, ${greeting.tickRate} Hz` : "Reconnecting…");
});

const { pace } = document.forms.pace.elements, { dataset } = document.body;
pace.value = dataset.pace = feed.pace;
on("#pace", "change", () => feed.setPace((dataset.pace = pace.value)));

on("#selection", "click", ({ target: { name: op } }) => {
	if (op === "clear") marquee.choose([]);
	else if (op) send("POST", "/v1/batch", [...marquee.chosen].map(parts).map(([kind, id]) => ({ op, [kind]: id })));
});
marquee.addEventListener("selectionchange", ({ detail: { ids } }) => {
	selection.hidden = !ids.length;
	write(selection.firstChild, `${ids.length} selected`);
});
on("#schedules", "click", ({ target: { name: op } }) => {
	if (op) send(op === "cancel" ? "DELETE" : "POST", `/v1/schedules${op === "cancel" ? "" : `/${op}`}`);
});

// One region speaks values that have come to rest.
let speaking;
feed.listen("ticker:*", {
	event({ finished, text, ticker }) {
		if (!finished) return;
		clearTimeout(speaking);
		speaking = setTimeout(() => write(spoken, `${ticker} ${text}`), 500);
	},
});

const inspector = new Inspector(new Board(document.querySelector("#board"), document.querySelector("#view")));
on("#inspect", "click", () => inspector.toggle());
addEventListener("keydown", ({ key, ctrlKey, metaKey, target }) => {
	if (key === "i" && !ctrlKey && !metaKey && !target.matches("input:not([type=checkbox]), textarea, select")) inspector.toggle();
});
