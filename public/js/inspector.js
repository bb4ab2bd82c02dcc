// Peek: a read-only overlay that shows all there is to know of one card. It never sends a write.
import { pathOf, read } from "./client.js";
import { curvePath, springCurve } from "./easing.js";
import { make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { Motion } from "./motion.js";
import { serverTime } from "./source.js";

const GROUPS = ["Value", "Motion", "Timing", "Stream", "Accessibility", "Raw events"];
const STORE = "tweencast-inspector";
const EVENTS = ["message", "complete", "paused", "resumed", "milestone", "fired", "hello", "removed"];
const plain = (value) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);
const middle = (list, at = 0.5) => `${([...list].sort((a, b) => a - b)[Math.floor(list.length * at)] ?? 0).toFixed(1)} ms`;
const graph = (label) => make("svg", { viewBox: "0 0 240 70", class: "graph", role: "img", "aria-label": label }, make("path"));
const button = (text, click) => make("button", { type: "button", click }, text);

export class Inspector {
	rows = new Map();
	streams = [];

	constructor(board) {
		this.board = board;
		this.outline = make("div", { class: "outline" });
		const spring = springCurve({ dampingRatio: 0.9, response: 0.1, initialVelocity: 0 });
		this.outline.style.transitionTimingFunction = `linear(${Array.from({ length: 21 }, (_, i) => spring(i / 20).toFixed(3))})`;
		this.build();
		for (const name of ["pointerover", "focusin"]) this.on(name, ({ target }) => this.pinned || this.select(target));
		for (const name of ["pointerdown", "click", "dblclick", "keydown"]) this.on(name, (event) => this.act(event));
	}

	on(name, act) {
		addEventListener(name, (event) => this.panel.isConnected && act(event), true);
	}

	/** A click takes a card, Enter or a double click opens it, Escape leaves; the card itself feels nothing of it. */
	act(event) {
		const { key, type, target } = event;
		if (key === "Escape") return this.toggle();
		if ((key && key !== "Enter") || !this.select(target, true)) return;
		if (key || type === "dblclick") this.body.hidden = false;
		event.preventDefault();
		event.stopPropagation();
	}

	build() {
		const open = JSON.parse(localStorage[STORE] ?? '["Value","Motion","Stream"]');
		this.groups = {};
		for (const name of GROUPS) {
			const group = (this.groups[name] = make("details", { toggle: () => this.remember() }, make("summary", {}, name)));
			group.open = open.includes(name);
		}
		this.curve = graph("The motion's curve");
		this.head = this.curve.appendChild(make("circle", { r: 4 }));
		this.gaps = graph("Gaps between frames");
		this.raw = make("pre", { tabindex: 0 });
		this.links = make("p");
		this.groups.Motion.append(this.curve, this.links);
		this.groups.Stream.append(this.gaps);
		this.groups["Raw events"].append(this.raw);
		this.title = make("h2", {}, "Point at a card");
		this.filter = make("input", { type: "search", placeholder: "Filter", "aria-label": "Filter", input: () => this.sift() });
		this.notes = make("textarea", { placeholder: "Notes for the report", "aria-label": "Notes for the report" });
		this.body = make("div", { hidden: "" }, this.filter, ...Object.values(this.groups), this.notes,
			make("p", {}, "Copy report ", button("JSON", () => this.copy(true)), " ", button("Markdown", () => this.copy())));
		this.panel = make("section", { class: "inspector", "aria-label": "Inspector", "data-keep": "" },
			make("header", {}, this.title, button("Close", () => this.toggle())),
			make("p", { class: "hint" }, "Click selects, Enter or a double click opens."), this.body);
	}

	toggle() {
		const leave = this.panel.isConnected;
		document.documentElement.classList.toggle("inspecting", !leave);
		clearInterval(this.timer);
		if (leave) {
			this.panel.remove();
			this.outline.remove();
			this.listen();
			this.card = this.pinned = null;
			document.querySelector("#inspect").focus();
			return;
		}
		document.body.append(this.outline, this.panel);
		this.panel.querySelector("button").focus();
		this.timer = setInterval(() => this.refresh(), 500);
		this.draw();
	}

	remember() {
		localStorage[STORE] = JSON.stringify(GROUPS.filter((name) => this.groups[name].open));
	}

	/** Takes the card under an element; `pin` keeps it while the pointer goes elsewhere. */
	select(target, pin) {
		const card = this.board.cards.get(target.closest?.(".card")?.dataset.key);
		if (!card) return false;
		this.pinned = pin;
		if (card === this.card) return true;
		this.card = card;
		write(this.title, card.id);
		for (const row of this.rows.values()) row.remove();
		this.rows.clear();
		this.listen(pathOf(card.key));
		this.refresh();
		return true;
	}

	/** Streams of the one resource: stamped frames for gaps, latency and ticks without a frame, and its motions. */
	listen(path) {
		for (const stream of this.streams) stream.close();
		this.streams = [];
		this.motion = null;
		if (!path) return;
		const stats = (this.stats = { gaps: [], late: [], empty: 0, lines: [] });
		const push = (list, value, most = 120) => list.push(value) > most && list.shift();
		const open = (query) => this.streams[this.streams.push(new EventSource(`${path}/events?${query}`)) - 1];
		const frames = open("stamp");
		for (const name of EVENTS) frames.addEventListener(name, ({ data }) => {
			push(stats.lines, `event: ${name}\ndata: ${data}`, 20);
			if (name !== "message") return;
			const { t, seq } = JSON.parse(data), now = performance.now(), gap = now - stats.last;
			if (t) push(stats.late, feedFrom().now() - serverTime(t));
			if (gap < 500) push(stats.gaps, gap);
			if (gap < 500 && seq) stats.empty += seq - stats.seq - 1;
			Object.assign(stats, { last: now, seq });
		});
		if (path.includes("schedules")) return;
		open("mode=motion").addEventListener("motion", ({ data }) => {
			this.motion = new Motion(JSON.parse(data));
			this.curve.firstChild.setAttribute("d", curvePath(this.motion.at, 240, 70));
		});
	}

	async refresh() {
		const { card, stats } = this;
		const resource = card && (await read(card.key));
		if (!resource || card !== this.card) return;
		card.take(resource);
		const { motion = {}, display, definition, ...value } = resource;
		const { from, to, velocity, easing, spring, then: _, ...timing } = motion;
		const then = value.then ?? motion.then ?? definition?.do;
		const bar = card.view.shadowRoot.querySelector("[role]");
		this.show("Value", { ...display, ...value });
		this.show("Motion", { from, to, velocity, easing, spring, then });
		this.show("Timing", { ...timing, ...definition });
		this.show("Stream", {
			"gap, median": middle(stats.gaps), "gap, p95": middle(stats.gaps, 0.95), latency: middle(stats.late),
			"ticks without a frame": stats.empty, "frames this page left out": feedFrom().left,
		});
		this.show("Accessibility", {
			role: bar?.role ?? "text", name: bar?.ariaLabel ?? card.id,
			"value now": bar?.ariaValueNow, "value text": bar?.ariaValueText,
			spoken: card.view.spoken?.textContent, direction: getComputedStyle(card.view.value).direction,
		});
		write(this.raw, stats.lines.join("\n\n"));
		this.follow(then);
		this.sift();
	}

	/** One row for each attribute; its box says whether the report has it. */
	show(group, values) {
		for (const [name, value] of Object.entries(values)) {
			const key = `${group}: ${name}`;
			if (value == null) continue;
			if (!this.rows.has(key)) {
				const box = make("input", { type: "checkbox", checked: "" });
				this.rows.set(key, make("label", { class: "row" }, box, make("span", {}, name), make("output")));
				this.groups[group].append(this.rows.get(key));
			}
			write(this.rows.get(key).lastChild, plain(value));
		}
	}

	/** Buttons that go to what a motion or a schedule sets going. */
	follow(actions = []) {
		const keys = actions.map(({ ticker, progress }) => (ticker ? `ticker:${ticker}` : `progress:${progress}`));
		const known = keys.filter((key) => this.board.cards.has(key));
		if (this.linked === `${known}`) return;
		this.linked = `${known}`;
		const go = (key) => this.select(this.board.cards.get(key).element, true);
		this.links.replaceChildren(...known.map((key) => button(`→ ${key}`, () => go(key))));
	}

	sift() {
		const wanted = this.filter.value.toLowerCase();
		for (const [key, row] of this.rows) row.hidden = !(key + row.textContent).toLowerCase().includes(wanted);
	}

	draw() {
		if (!this.panel.isConnected) return;
		requestAnimationFrame(() => this.draw());
		if (!this.card) return;
		const { left, top, width, height } = this.card.element.getBoundingClientRect();
		Object.assign(this.outline.style, { translate: `${left}px ${top}px`, width: `${width}px`, height: `${height}px` });
		const { motion } = this;
		this.curve.toggleAttribute("hidden", !motion);
		if (motion) {
			const { share } = motion.sample(feedFrom().now());
			this.head.setAttribute("cx", share * 240);
			this.head.setAttribute("cy", 70 - ((motion.at(share) + 0.15) / 1.4) * 70);
		}
		const points = this.stats.gaps.map((gap, i) => `${i * 2} ${(70 - Math.min(gap, 70)).toFixed(1)}`);
		this.gaps.firstChild.setAttribute("d", points.length ? `M${points.join("L")}` : "");
	}

	copy(json) {
		const items = [...this.rows].filter(([, row]) => row.firstChild.checked).map(([name, row]) => {
			const [group, key] = name.split(": ");
			return { group, key, value: row.lastChild.textContent };
		});
		const facts = { server: feedFrom().status.greeting, agent: navigator.userAgent, time: new Date() };
		const report = { title: this.card?.key, notes: this.notes.value, ...facts, items };
		const table = items.map(({ group, key, value }) => `| ${group} | ${key} | ${value.replaceAll("|", "\\|")} |`);
		const lines = ["| group | attribute | value |", "|---|---|---|", ...table].join("\n");
		const text = [`# ${report.title}`, report.notes, plain(facts), lines].join("\n\n");
		navigator.clipboard.writeText(json ? JSON.stringify(report, null, 2) : text);
	}
}
