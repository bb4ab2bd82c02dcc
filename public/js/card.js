// A card: a live component, what can be done with it, a handle to seek by.
import { parts, pathOf, read, send } from "./client.js";
import { drawing, make, write } from "./element.js";
import { feedFrom } from "./feed.js";

const SIGNS = {
	pause: "M4 3h3v10H4zM9 3h3v10H9z", resume: "M4 2v12l9-6z", finish: "M2 3v10l7-5zM10 3h3v10h-3z",
	cancel: "M4 4h8v8H4z", delete: "m4 3 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z",
};

// What is out of sight is not drawn.
const sight = new IntersectionObserver((all) => all.forEach(({ target, isIntersecting }) => target.look(isIntersecting)));

export class Card {
	state = "";

	constructor(key) {
		const [kind, id] = parts(key), timed = kind !== "schedule";
		const look = (seen) => {
			this.view.unseen = !seen;
			if (seen) this.refresh(this.view.draw());
		};
		Object.assign(this, { key, kind, id });
		this.view = make(`tween-${kind}`, { src: pathOf(key), rate: "", wheels: "" });
		this.view.appearance = null;
		this.detail = make("p");
		this.seek = make("input", { type: "range", max: 1, step: "any", "aria-label": `Seek ${id}`, input: () => this.seekTo() });
		this.seek.hidden = !timed;
		const tools = Object.entries(SIGNS).filter(([op]) => timed || !/finish|delete/.test(op)).map(([op, sign]) =>
			make("button", { title: op, name: op, "aria-label": `${op} ${id}`, click: () => this.act(op) }, drawing("0 0 16 16", sign)));
		this.element = make("article", { class: "card", "data-key": key, "aria-label": id, pointerenter: look, focusin: look },
			make("header", {}, make("input", { type: "checkbox", class: "pick", "aria-label": `Select ${id}` }),
				make("h3", {}, id), make("span", {}, kind)),
			this.view, this.detail, make("div", { class: "tools" }, this.seek, ...tools));
		this.element.look = look;
		sight.observe(this.element);
	}

	/** Long texts are set smaller; what starts to move while looked at is asked how. */
	frame({ text }) {
		if (this.length !== text.length) this.element.style.setProperty("--length", (this.length = text.length));
		if (!this.state && this.looked) this.refresh();
	}

	event(name) {
		if (name !== "complete" || this.state) this.refresh();
	}

	async refresh() {
		if (this.asking) return;
		const asking = (this.asking = read(this.key)), resource = await asking;
		if (asking === this.asking) this.take(resource);
	}

	/** The newest state; an answer still awaited would be older. */
	take(resource) {
		this.asking = null;
		if (!resource) return;
		const { motion, appearance } = (this.resource = resource);
		this.asked = feedFrom().now();
		this.element.dataset.state = this.state = (motion ?? resource).state.replace("idle", "");
		this.view.appearance = appearance;
		this.seek.disabled = !this.state;
		if (motion) this.follow(); else this.plan(resource);
	}

	plan({ due, next = [due], definition: { every, count, do: actions } }) {
		write(this.detail, [
			every && `every ${every}${every > 0 ? " s" : ""}`, count && `${count} times`,
			due && next.map((time) => new Date(time).toLocaleTimeString()).join(", "),
			`→ ${actions.map(({ ticker, progress, notify = "webhook" }) => ticker ?? progress ?? notify).join(", ")}`,
		].filter(Boolean).join(" · "));
	}

	get looked() {
		return this.element.matches(":hover, :focus-within");
	}

	/** Moves the handle on from what the server told, while it is looked at. */
	follow() {
		const { fraction = 1, end } = this.resource.motion, left = Date.parse(end) - this.asked;
		const gone = this.state === "running" && left > 0 ? (feedFrom().now() - this.asked) / left : 0;
		if (!this.sought && !this.seek.matches(":active")) this.seek.value = fraction + (1 - fraction) * gone;
		cancelAnimationFrame(this.next);
		if (gone < 1 && this.state === "running" && this.looked) this.next = requestAnimationFrame(() => this.follow());
	}

	/** Seeks by one request at a time, the last one always. */
	async seekTo() {
		if (this.sought) return;
		let resource;
		while (this.sought !== this.seek.value) {
			this.sought = this.seek.value;
			resource = await send("POST", `${pathOf(this.key)}/seek`, { fraction: +Number(this.sought).toFixed(4) });
		}
		this.sought = null;
		this.take(resource);
	}

	async act(op) {
		const gone = op === "delete" || (op === "cancel" && this.kind === "schedule");
		this.take(await send(gone ? "DELETE" : "POST", pathOf(this.key) + (gone ? "" : `/${op}`)));
	}
}
