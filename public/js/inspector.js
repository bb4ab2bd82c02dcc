// Peek: an overlay with all there is to know of one card. It never sends a write.
import { read } from "./client.js";
import { curvePath } from "./easing.js";
import { make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { Probe } from "./probe.js";

const plain = (value) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);
const middle = (list) => `${([...list].sort((a, b) => a - b)[list.length >> 1] ?? 0).toFixed(1)} ms`;

/** Answers with what opens and closes the inspector of cards. */
export function inspect(cards) {
	const feed = feedFrom(), rows = new Map(), outline = make("div", { class: "outline" });
	const panel = document.querySelector("template").content.firstElementChild;
	const groups = [...panel.querySelectorAll("details")];
	const [title, filter, curve, links, graphs, raw, notes] = panel.querySelectorAll("h2, input, svg, details p, pre, textarea");
	let card, pinned, motion, timer, probe;

	[...(localStorage.inspector ?? "110100")].forEach((open, i) => (groups[i].open = +open));
	panel.addEventListener("toggle", () => (localStorage.inspector = groups.map(({ open }) => +open).join("")), true);
	filter.addEventListener("input", sift);
	panel.addEventListener("click", ({ target: { name } }) => {
		if (name === "close") toggle();
		else if (name) navigator.clipboard.writeText(report(name === "json"));
	});
	const on = (act, ...names) => names.forEach((name) => addEventListener(name, (event) => panel.isConnected && act(event), true));
	on(({ target }) => pinned || select(target), "pointerover", "focusin");
	on(act, "pointerdown", "click", "dblclick", "keydown");
	return toggle;

	/** A click takes a card, Enter or a double click opens it, Escape leaves; the card feels nothing. */
	function act(event) {
		const { key, type, target } = event;
		if (key === "Escape") return toggle();
		if ((key && key !== "Enter") || !select(target, true)) return;
		if (key || type === "dblclick") panel.lastElementChild.hidden = false;
		event.preventDefault();
		event.stopPropagation();
	}

	function toggle() {
		const opens = document.body.classList.toggle("inspecting");
		clearInterval(timer);
		if (opens) {
			document.body.append(outline, panel);
			timer = setInterval(refresh, 500);
			draw();
		} else {
			for (const part of [panel, outline]) part.remove();
			card = pinned = null;
			follow();
		}
		document.querySelector(opens ? ".inspector button" : "#inspect").focus();
	}

	/** Takes an element's card; `pin` keeps it when the pointer leaves. */
	function select(target, pin) {
		const found = cards.get(target.closest?.(".card")?.dataset.key);
		if (!found) return false;
		pinned = pin;
		if (found === card) return true;
		card = found;
		write(title, card.id);
		for (const part of [...links.children, ...rows.values()]) part.remove();
		rows.clear();
		follow();
		refresh();
		return true;
	}

	/** Listens to the card's resource; without one, to nothing. */
	function follow() {
		probe?.close();
		motion = null;
		probe = card && new Probe(card, (played) => {
			motion = played;
			curve.firstChild.setAttribute("d", curvePath(motion.at, 240, 70));
		});
	}

	async function refresh() {
		const asked = card, resource = card && (await read(card.key));
		if (!resource || asked !== card) return;
		card.take(resource);
		const { motion: { from, to, velocity, easing, spring, then, ...timing } = {}, display, definition, ...value } = resource;
		const actions = then ?? value.then ?? definition?.do ?? [];
		const { view, id } = card, bar = view.shadowRoot.querySelector("[role]") ?? {};
		[{ ...display, ...value }, { from, to, velocity, easing, spring, then: actions }, { ...timing, ...definition }, {
			gap: middle(probe.gaps), latency: middle(probe.latencies),
			"ticks without a frame": probe.empty, "frames this page left out": feed.left,
		}, {
			role: bar.role ?? "text", name: bar.ariaLabel ?? id, "value now": bar.ariaValueNow, "value text": bar.ariaValueText,
			spoken: view.spoken?.dataset.text, direction: getComputedStyle(view.valuePart).direction,
		}].forEach((values, i) => show(groups[i], values));
		write(raw, probe.lines.join("\n\n"));
		link(actions);
		sift();
	}

	/** A row for each attribute; its box says if the report has it. */
	function show(group, values) {
		for (const [name, value] of Object.entries(values)) {
			const key = `${group.firstChild.textContent}: ${name}`;
			if (value == null) continue;
			const row = rows.get(key) ?? make("label", { class: "row" },
				make("input", { type: "checkbox", checked: "" }), make("span", {}, name), make("output"));
			if (!row.isConnected) group.append(row);
			rows.set(key, row);
			write(row.lastChild, plain(value));
		}
	}

	/** Buttons that go to what comes next. */
	function link(actions) {
		for (const { ticker, progress } of actions) {
			const key = ticker ? `ticker:${ticker}` : `progress:${progress}`, target = cards.get(key);
			if (!target || links.textContent.includes(`→ ${key} `)) continue;
			links.append(make("button", { click: () => select(target.element, true) }, `→ ${key} `));
		}
	}

	function sift() {
		const wanted = filter.value.toLowerCase();
		for (const [key, row] of rows) row.hidden = !(key + row.textContent).toLowerCase().includes(wanted);
	}

	function draw() {
		if (!panel.isConnected) return;
		requestAnimationFrame(draw);
		if (!card) return;
		const box = card.element.getBoundingClientRect(), head = curve.lastChild;
		for (const side of ["left", "top", "width", "height"]) outline.style[side] = `${box[side]}px`;
		if (motion) {
			const { share } = motion.sample(feed.now());
			head.setAttribute("cx", share * 240);
			head.setAttribute("cy", 70 - ((motion.at(share) + 0.15) / 1.4) * 70);
		}
		[probe.gaps, probe.latencies].forEach((list, i) => graphs.children[i].setAttribute("d",
			list.map((ms, i) => `${i ? "L" : "M"}${i * 2} ${70 - Math.min(ms, 70)}`).join("")));
	}

	function report(json) {
		const chosen = [...rows].filter(([, row]) => row.firstChild.checked);
		const items = Object.fromEntries(chosen.map(([key, row]) => [key, row.lastChild.textContent]));
		const told = { title: card?.key, notes: notes.value, server: feed.status.greeting, agent: navigator.userAgent, time: new Date() };
		if (json) return JSON.stringify({ ...told, items }, null, 2);
		const lines = Object.entries({ ...told, ...items }).map(([key, value]) => `| ${key} | ${plain(value).replaceAll("|", "\\|")} |`);
		return ["| attribute | value |", "|---|---|", ...lines].join("\n");
	}
}
