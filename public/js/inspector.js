// Peek: a read-only overlay that shows all there is to know of one card. It never sends a write.
import { pathOf, read } from "./client.js";
import { curvePath, EASINGS, springPath } from "./easing.js";
import { make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { serverTime } from "./source.js";

const GROUPS = ["Value", "Motion", "Timing", "Stream", "Accessibility", "Raw events"];
const STORE = "tweencast-inspector";
const EVENTS = ["message", "complete", "paused", "resumed", "milestone", "fired", "hello", "removed"];
const plain = (value) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);
const middle = (list, at) => `${([...list].sort((a, b) => a - b)[Math.floor(list.length * at)] ?? 0).toFixed(1)} ms`;
const box = { viewBox: "0 0 240 70", class: "graph", "aria-hidden": "true" };
const graph = (...parts) => make("svg", box, make("path"), ...parts);
const button = (text, click) => make("button", { type: "button", click }, text);
const field = (tag, name, more) => make(tag, { placeholder: name, "aria-label": name, ...more });

export class Inspector {
	rows = new Map();

	constructor(board) {
		this.board = board;
		const { at } = springPath({ dampingRatio: 0.9, initialVelocity: 1.1 }, 0.2);
		this.outline = make("div", { class: "outline" });
		const points = Array.from({ length: 21 }, (_, i) => at(i / 20).toFixed(3));
		this.outline.style.transitionTimingFunction = `linear(${points})`;
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
			this.groups[name] = make("details", { toggle: () => this.remember() }, make("summary", {}, name));
			this.groups[name].open = open.includes(name);
		}
		this.curve = graph(make("circle", { r: 4 }));
		this.gaps = graph();
		this.raw = make("pre", { tabindex: 0 });
		this.links = make("p");
		this.groups.Motion.append(this.curve, this.links);
		this.groups.Stream.append(this.gaps);
		this.groups["Raw events"].append(this.raw);
		this.title = make("h2", {}, "Point at a card");
		this.filter = field("input", "Filter attributes", { type: "search", input: () => this.sift() });
		this.notes = field("textarea", "Notes for the report");
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
			this.events?.close();
			this.card = this.pinned = null;
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
		this.listen(card.key);
		this.refresh();
		return true;
	}

	/** Its own stamped stream of the one resource: gaps, latency, ticks without a frame, raw events. */
	listen(key) {
		this.events?.close();
		const stats = (this.stats = { gaps: [], late: [], empty: 0, lines: [] });
		const push = (list, value, most = 120) => list.push(value) > most && list.shift();
		this.events = new EventSource(`${pathOf(key)}/events?stamp`);
		for (const name of EVENTS) this.events.addEventListener(name, ({ data }) => {
			push(stats.lines, `event: ${name}\ndata: ${data}`, 20);
			if (name !== "message") return;
			const { t, seq } = JSON.parse(data), now = performance.now(), gap = now - stats.last;
			if (t) push(stats.late, feedFrom().now() - serverTime(t));
			if (gap < 500) push(stats.gaps, gap);
			if (gap < 500 && seq) stats.empty += seq - stats.seq - 1;
			Object.assign(stats, { last: now, seq });
		});
	}

	async refresh() {
		const { card, stats } = this;
		const resource = card && (await read(pathOf(card.key)));
		if (!resource || card !== this.card) return;
		card.take(resource);
		const { motion = {}, display, definition, ...value } = resource;
		const { from, to, velocity, easing, spring, then: _, ...timing } = motion;
		const then = value.then ?? motion.then ?? value.do ?? definition?.do;
		const root = card.view.shadowRoot, bar = root.querySelector("[role]");
		this.show("Value", { ...display, ...value });
		this.show("Motion", { from, to, velocity, easing, spring, "all easings": EASINGS.join(" "), then });
		this.show("Timing", { ...timing, ...definition });
		this.show("Stream", {
			"gap, median": middle(stats.gaps, 0.5), "gap, p95": middle(stats.gaps, 0.95), latency: middle(stats.late, 0.5),
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
				const parts = [make("input", { type: "checkbox", checked: "" }), make("span", {}, name), make("output")];
				this.rows.set(key, make("label", { class: "row" }, ...parts));
				this.groups[group].append(this.rows.get(key));
			}
			write(this.rows.get(key).lastChild, plain(value));
		}
	}

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
		const { motion } = this.card, { firstChild: line, lastChild: head } = this.curve;
		this.curve.toggleAttribute("hidden", !motion);
		if (motion) {
			const { share } = motion.sample(feedFrom().now());
			if (this.drawn !== motion) line.setAttribute("d", curvePath(motion.at, 240, 70));
			this.drawn = motion;
			head.setAttribute("cx", share * 240);
			head.setAttribute("cy", 70 - ((motion.at(share) + 0.15) / 1.4) * 70);
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
