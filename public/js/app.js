// The page: puts its parts together.
import "../embed.js";
import { showBoard } from "./board.js";
import { parts, send } from "./client.js";
import { control } from "./controls.js";
import { curvePath, easingCurve } from "./easing.js";
import { drawing, make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { inspect } from "./inspector.js";
import { TweenMarquee } from "./marquee.js";
import { askFor, dismiss } from "./session.js";

customElements.define("tween-marquee", TweenMarquee);
const find = (selector) => document.querySelector(selector);
const on = (selector, name, act) => find(selector).addEventListener(name, act);
const say = (selector, text) => write(find(selector), text);
const marquee = find("tween-marquee"), feed = feedFrom(), { dataset } = document.body;
const toggle = inspect(showBoard(find("#board"), find("#view")));
control(find("#start"), (text) => say("#line", text));

// Three counters, 0 to 100 and back, by one request.
const presets = [["linear", "linear"], ["ease-out", "easeOut"], ["ease-in", "easeIn"]].map(([name, easing]) => {
	const ticker = `preset-${name}`;
	find("#lanes").append(make("li", {}, drawing("0 -2 100 54", curvePath(easingCurve(easing), 100, 40, 0, 1)),
		make("tween-ticker", { wheels: "", src: `/v1/tickers/${ticker}` }, "0"), make("code", {}, easing)));
	return { ticker, easing, duration: 3.5 };
});
on("#presets", "click", () => {
	const to = feed.latest.get("ticker:preset-linear")?.value > 50 ? 0 : 100;
	send("POST", "/v1/batch", presets.map((preset) => ({ ...preset, to })));
});

feed.addEventListener("said", ({ detail }) => {
	say("#line", detail.line);
	say("#problem", detail.problem);
});
on("#copy", "click", () => navigator.clipboard.writeText(find("#line").textContent).then(() => say("#copy", "Copied")));
on("#copy", "blur", () => say("#copy", "Copy"));

const ENDS = { expired: "The token has expired", revoked: "The token was revoked" };
let asked;
feed.addEventListener("status", () => {
	const { state, greeting, detail, ended } = feed.status;
	if (state === "asked") askFor(ENDS[ended] ?? detail);
	if (state === "live" && asked) {
		dismiss();
		// Its curl line has a token now.
		find("#start").dispatchEvent(new Event("input"));
	}
	asked = state === "asked" || (asked && state !== "live");
	find("#connection").dataset.state = dataset.state = state;
	say("#connection", find("#board").dataset.told = {
		live: `Live, ${greeting?.tickRate} Hz`, asked: "Not signed in", refused: `Nothing to show: ${detail}`,
	}[state] ?? "Reconnecting…");
});

find("#pace").value = dataset.pace = feed.pace;
on("#pace", "change", ({ target }) => feed.setPace((dataset.pace = target.value)));

on("#selection", "click", ({ target: { name: op } }) => {
	if (op === "clear") marquee.choose([]);
	else if (op) send("POST", "/v1/batch", [...marquee.chosen].map(parts).map(([kind, id]) => ({ op, [kind]: id })));
});
on("tween-marquee", "selectionchange", ({ detail: { ids } }) => {
	find("#selection").hidden = !ids.length;
	say("#selection output", `${ids.length} selected`);
});
on("#schedules", "click", ({ target: { name } }) => {
	if (name === "cancel") send("DELETE", "/v1/schedules");
	else if (name) send("POST", `/v1/schedules/${name}`);
});

// One region speaks values at rest.
let speaking;
feed.listen("ticker:*", {
	event({ finished, text, ticker }) {
		if (!finished) return;
		clearTimeout(speaking);
		speaking = setTimeout(() => say("#spoken", `${ticker} ${text}`), 500);
	},
});

on("#inspect", "click", toggle);
addEventListener("keydown", ({ key, ctrlKey, metaKey, target }) => {
	const typing = target.matches("input:not([type=checkbox]), textarea, select");
	if (key === "i" && !ctrlKey && !metaKey && !typing) toggle();
});
