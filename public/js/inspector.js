// Peek: a read-only overlay with all there is to know of one card. It never sends a write.
import { pathOf, read } from "./client.js";
import { curvePath } from "./easing.js";
import { make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { Motion } from "./motion.js";
import { listen } from "./source.js";

const plain = (value) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);
const middle = (list, at = 0.5) => `${([...list].sort((a, b) => a - b)[Math.floor(list.length * at)] ?? 0).toFixed(1)} ms`;
const push = (list, value, most = 120) => list.push(value) > most && list.shift();

export class Inspector {
	rows = new Map();
	streams = [];
	outline = make("div", { class: "outline" });
	panel = document.querySelector("template").content.firstElementChild;

	constructor(board) {
		const { panel } = this, groups = [...panel.querySelectorAll("details")];
		Object.assign(this, { board, groups });
		[...(localStorage.inspector ?? "110100")].forEach((open, i) => (groups[i].open = +open));
		panel.addEventListener("toggle", () => (localStorage.inspector = groups.map(({ open }) => +open).join("")), true);
		[this.title, this.filter, this.curve, this.links, this.gaps, this.raw, this.notes] =
			panel.querySelectorAll("h2, input, svg, details p, pre, textarea");
		this.filter.addEventListener("input", () => this.sift());
		panel.addEventListener("click", ({ target: { name } }) => {
			if (name === "close") this.toggle();
			else if (name) navigator.clipboard.writeText(this.report(name === "json"));
		});
		const on = (act, ...names) => names.forEach((name) =>
			addEventListener(name, (event) => panel.isConnected && act(event), true));
		on(({ target }) => this.pinned || this.select(target), "pointerover", "focusin");
		on((event) => this.act(event), "pointerdown", "click", "dblclick", "keydown");
	}

	/** A click takes a card, Enter or a double click opens it, Escape leaves; the card itself feels nothing of it. */
	act(event) {
		const { key, type, target } = event;
		if (key === "Escape") return this.toggle();
		if ((key && key !== "Enter") || !this.select(target, true)) return;
		if (key || type === "dblclick") this.panel.lastElementChild.hidden = false;
		event.preventDefault();
		event.stopPropagation();
	}

	toggle() {
		const opens = document.body.classList.toggle("inspecting");
		clearInterval(this.timer);
		if (opens) {
			document.body.append(this.outline, this.panel);
			this.timer = setInterval(() => this.refresh(), 500);
			this.draw();
		} else {
			for (const part of [this.panel, this.outline]) part.remove();
			this.card = this.pinned = null;
			this.listen();
		}
		document.querySelector(opens ? ".inspector button" : "#inspect").focus();
	}

	/** Takes the card under an element; `pin` keeps it while the pointer goes elsewhere. */
	select(target, pin) {
		const card = this.board.cards.get(target.closest?.(".card")?.dataset.key);
		if (!card) return false;
		this.pinned = pin;
		if (card === this.card) return true;
		this.card = card;
		write(this.title, card.id);
		for (const part of [...this.links.children, ...this.rows.values()]) part.remove();
		this.rows.clear();
		this.listen(`${pathOf(card.key)}/events`);
		this.refresh();
		return true;
	}

	/** Streams of the one resource: stamped frames for gaps, latency and ticks without a frame, and its motions. */
	listen(path) {
		const stats = (this.stats = { gaps: [], late: [], empty: 0, lines: [] });
		for (const stream of this.streams) stream.close();
		this.streams = [];
		this.motion = null;
		if (!path) return;
		this.streams.push(listen(`${path}?stamp`, (name, data) => {
			push(stats.lines, `event: ${name}\ndata: ${data}`, 20);
			if (name !== "message") return;
			const { t, seq } = JSON.parse(data), now = performance.now(), gap = now - stats.last;
			push(stats.late, feedFrom().now() - t / 1e6);
			if (gap < 500) {
				push(stats.gaps, gap);
				stats.empty += seq - stats.seq - 1;
			}
			Object.assign(stats, { last: now, seq });
		}));
		if (this.card.kind !== "schedule") this.streams.push(listen(`${path}?mode=motion`, (name, data) => {
			if (name !== "motion") return;
			this.motion = new Motion(JSON.parse(data));
			this.curve.firstChild.setAttribute("d", curvePath(this.motion.at, 240, 70));
		}));
	}

	async refresh() {
		const { card, stats } = this, resource = card && (await read(card.key));
		if (!resource || card !== this.card) return;
		card.take(resource);
		const { motion = {}, display, definition, ...value } = resource;
		const { from, to, velocity, easing, spring, then = value.then ?? definition?.do ?? [], ...timing } = motion;
		const { view, id } = card, bar = view.shadowRoot.querySelector("[role]") ?? {};
		[{ ...display, ...value }, { from, to, velocity, easing, spring, then }, { ...timing, ...definition }, {
			"gap, median": middle(stats.gaps), "gap, p95": middle(stats.gaps, 0.95), latency: middle(stats.late),
			"ticks without a frame": stats.empty, "frames this page left out": feedFrom().left,
		}, {
			role: bar.role ?? "text", name: bar.ariaLabel ?? id, "value now": bar.ariaValueNow, "value text": bar.ariaValueText,
			spoken: view.spoken?.textContent, direction: getComputedStyle(view.value).direction,
		}].forEach((values, i) => this.show(this.groups[i], values));
		write(this.raw, stats.lines.join("\n\n"));
		this.link(then);
		this.sift();
	}

	/** One row for each attribute; its box says whether the report has it. */
	show(group, values) {
		for (const [name, value] of Object.entries(values)) {
			const key = `${group.firstChild.textContent}: ${name}`;
			if (value == null) continue;
			const row = this.rows.get(key) ?? make("label", { class: "row" },
				make("input", { type: "checkbox", checked: "" }), make("span", {}, name), make("output"));
			if (!row.isConnected) group.append(row);
			this.rows.set(key, row);
			write(row.lastChild, plain(value));
		}
	}

	/** Buttons that go to what a motion or a schedule sets going. */
	link(actions) {
		for (const { ticker, progress } of actions) {
			const key = ticker ? `ticker:${ticker}` : `progress:${progress}`, card = this.board.cards.get(key);
			if (!card || this.links.textContent.includes(`→ ${key} `)) continue;
			this.links.append(make("button", { click: () => this.select(card.element, true) }, `→ ${key} `));
		}
	}

	sift() {
		const wanted = this.filter.value.toLowerCase();
		for (const [key, row] of this.rows) row.hidden = !(key + row.textContent).toLowerCase().includes(wanted);
	}

	draw() {
		if (!this.panel.isConnected) return;
		requestAnimationFrame(() => this.draw());
		if (!this.card) return;
		const { motion, outline: { style }, curve: { lastChild: head } } = this, box = this.card.element.getBoundingClientRect();
		for (const side of ["left", "top", "width", "height"]) style[side] = `${box[side]}px`;
		if (motion) {
			const { share } = motion.sample(feedFrom().now());
			head.setAttribute("cx", share * 240);
			head.setAttribute("cy", 70 - ((motion.at(share) + 0.15) / 1.4) * 70);
		}
		const points = this.stats.gaps.map((gap, i) => `${i * 2} ${70 - Math.min(gap, 70)}`);
		this.gaps.firstChild.setAttribute("d", points.length ? `M${points.join("L")}` : "");
	}

	/** The chosen rows, as JSON or as Markdown. */
	report(json) {
		const chosen = [...this.rows].filter(([, row]) => row.firstChild.checked);
		const items = Object.fromEntries(chosen.map(([key, row]) => [key, row.lastChild.textContent]));
		const title = this.card?.key, notes = this.notes.value;
		const facts = { server: feedFrom().status.greeting, agent: navigator.userAgent, time: new Date() };
		if (json) return JSON.stringify({ title, notes, ...facts, items }, null, 2);
		const lines = Object.entries(items).map(([key, value]) => `| ${key} | ${value.replaceAll("|", "\\|")} |`);
		return [`# ${title}\n\n${notes}\n\n${plain(facts)}\n\n| attribute | value |\n|---|---|`, ...lines].join("\n");
	}
}
