// <tween-progress src="…/v1/progress/id">: a bar, pie or ring, with its title on any side. Attributes override the
// server's `appearance`, which tickets don't give access to.
import { make, setText, svg } from "./dom.js";
import { TweenElement } from "./tween-element.js";

const STYLES = `
:host { display: block; --color: var(--tween-color, currentColor); --trackColor: var(--tween-track, #8884) }
.body { display: flex; flex-direction: column; gap: var(--tween-gap, .45em .75em); --height: var(--tween-height, 12px); margin: var(--margin, 0); padding: var(--padding, 0) }
.left, .right { flex-direction: row; align-items: center }
:is(.left, .right) .value::after { content: attr(data-room); display: block; height: 0; overflow: clip; visibility: hidden; white-space: pre }
.track { flex: 1; min-width: min(3em, 24%) }
.track:has(svg) { flex: none }
:is(.bottom, .right) .track { order: -1 }
.bar { position: relative; overflow: hidden; height: var(--height); background: var(--trackColor) }
.fill { position: absolute; inset: 0; background: var(--color) }
.empty .fill { visibility: hidden }
.round :is(.bar, .fill) { border-radius: 1e3px }
.legend .fill::after { content: ""; position: absolute; inset-block: 25%; inset-inline-end: calc(var(--height) / 4);
	aspect-ratio: 1; border-radius: 50%; background: var(--tween-legend, Canvas) }
svg { display: block; width: var(--tween-size, 4.5em); overflow: visible }
circle { fill: none; r: calc(50px - var(--strokeWidth, 14) * .5px); stroke: var(--trackColor); stroke-width: var(--strokeWidth, 14) }
svg .fill { stroke: var(--color) }
.pie .fill { r: 25px; stroke-width: 50 }
.pie .edge { r: calc(50.5px - var(--strokeWidth, 1) * .5px); stroke: var(--color); stroke-width: var(--strokeWidth, 1) }
.round .ring .fill { stroke-linecap: round }
.note { font-size: .8em; opacity: .8 }
.unknown .bar .fill { width: 35%; animation: pass 1.6s ease-in-out infinite var(--tween-play, running) }
.unknown svg { animation: turn 1.6s linear infinite var(--tween-play, running) }
@keyframes pass { from { transform: translateX(-100%) } to { transform: translateX(290%) } }
@keyframes turn { to { transform: rotate(1turn) } }
@media (forced-colors: active) { .track { forced-color-adjust: none; --color: Highlight; --trackColor: GrayText } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important } }`;

/** The default stroke width of a ring, in percent of its size; the styles repeat it. */
const STROKE = 14;

/** Values that styles may use: the CSS property that validates each, and its unit. */
const LOOKS = {
	height: ["height", "px"], margin: ["margin", "px"], padding: ["padding", "px"], strokeWidth: ["flex-grow", ""],
	color: ["color", ""], trackColor: ["color", ""],
};

export class TweenProgress extends TweenElement {
	static get observedAttributes() {
		return [...super.observedAttributes, "shape", "title-direction", "height", "ends", "legend", "label", "start-angle",
			"clockwise", "margin", "padding"];
	}

	static get properties() {
		return [...super.properties, "appearance"];
	}

	styles = STYLES;
	track = make("div", { part: "track", class: "track", role: "progressbar" });
	#note = make("span", { part: "note", class: "note" });
	/** Whether the page has set the appearance. */
	#isSetByPage = false;
	/** Whether it has shown a resource before. */
	#wasReset = false;
	/** When assistive technology was last updated. */
	#settledAt = -Infinity;
	/** @type {import("./tween-element.js").Resource | undefined} */
	#resource;
	/** The address whose appearance is known or requested. */
	#asked = "";
	/** The part of a ring that its round ends take. */
	#cap = 0;

	build() {
		this.valuePart.ariaHidden = true;
		this.body = make("div", {}, this.valuePart, this.track);
		return [this.body, this.#note];
	}

	follow() {
		this.#restyle();
		super.follow();
	}

	/** The appearance that the page set belonged to the previous resource. */
	reset() {
		super.reset();
		if (this.#wasReset) {
			this.looks = null;
			this.#isSetByPage = false;
			this.#resource = undefined;
			this.#asked = "";
		}
		this.#wasReset = true;
		this.#restyle();
	}

	/** @param {import("./tween-element.js").Resource} resource */
	listen(resource) {
		this.#resource = resource;
		this.#loadLooks();
		return super.listen(resource);
	}

	/** @param {import("./feed.js").Staleness | null} reason */
	setStale(reason) {
		// One that is created again may have another appearance.
		if (reason === "missing" || reason === "removed") this.#asked = "";
		else if (!reason) this.#loadLooks();
		super.setStale(reason);
	}

	/** Requests the server's appearance once. */
	async #loadLooks() {
		const { address = "", key } = this.#resource ?? {};
		if (address === this.#asked || this.#isSetByPage || this.ticket) return;
		this.#asked = address;
		const answer = await fetch(address).catch(() => null);
		const resource = answer?.ok && (await answer.json().catch(() => null));
		if (key !== this.key || this.#isSetByPage) return;
		if (resource) this.looks = resource.appearance ?? {};
		else this.#asked = "";
		this.#restyle();
	}

	/**
	 * The server's `appearance`, set by a page that fetches it itself. Attributes override it.
	 * @param {Record<string, any> | null | undefined} looks
	 */
	set appearance(looks) {
		this.#isSetByPage = true;
		this.looks = looks ?? {};
		if (this.body) this.#restyle();
	}

	/**
	 * The value of an attribute, else of the server's appearance.
	 * @param {string} name
	 * @returns {any}
	 */
	#look(name) {
		return this.getAttribute(name.replace(/[DA]/, (letter) => `-${letter.toLowerCase()}`)) ?? this.looks?.[name];
	}

	#restyle() {
		for (const [name, [property, unit]] of Object.entries(LOOKS)) {
			const value = (name === "strokeWidth" ? Math.min(50, this.#look(name)) : this.#look(name)) + unit;
			// Excludes var(), which could contain an url().
			const isSafe = /^[\w#.]+(\([^()]*\))?$/.test(value) && CSS.supports(property, value);
			this.body.style.setProperty(`--${name}`, isSafe ? value : "");
		}
		const shape = /pie|ring/.exec(this.#look("shape"))?.[0] ?? "bar", legend = `${this.#look("legend") ?? false}`;
		this.body.className = ["body", this.#look("titleDirection") ?? (shape === "bar" ? "top" : "right"),
			legend !== "false" && "legend", this.#look("ends") !== "flat" && "round"].filter(Boolean).join(" ");
		this.track.ariaLabel = this.getAttribute("label") ?? this.key?.slice(9) ?? "";
		if (shape !== this.shape) this.#reshape(shape);
		// From twelve o'clock; SVG circles begin at three.
		const turn = (Number(this.#look("startAngle")) || 0) - 90;
		const mirror = `${this.#look("clockwise") ?? true}` === "false" ? " scale(1 -1)" : "";
		// The round ends of a ring extend beyond its line by its width: as a share of the circle.
		const width = Number(this.body.style.getPropertyValue("--strokeWidth")) || STROKE;
		this.#cap = shape === "ring" && this.#look("ends") !== "flat" ? width / (Math.PI * (100 - width)) : 0;
		if (shape !== "bar") this.fill.setAttribute("transform", `rotate(${turn})${mirror}`);
		this.body.classList.toggle("empty", !this.newest);
		this.draw();
	}

	/** @param {string} shape */
	#reshape(shape) {
		const round = shape !== "bar";
		this.shape = shape;
		this.fill = make(round ? "circle" : "div", { part: "fill", class: "fill", pathLength: 1 });
		this.track.replaceChildren(make("div", { part: "bar", class: shape },
			round ? svg("-51 -51 102 102", make("circle", { class: "edge" }), this.fill) : this.fill));
	}

	get wants() {
		return { frames: true, display: this.hasAttribute("rate") };
	}

	/** The fraction drawn, from 0 to 1 even if a spring overshoots; null while it is unknown. */
	get fraction() {
		const fraction = super.fraction;
		return fraction && Math.min(1, Math.max(0, fraction));
	}

	set fraction(_) {
		this.warnReadOnly("fraction");
	}

	/** @param {{ text: string, percent: number }} data */
	render({ text, percent }) {
		const { fraction } = this, { style } = this.fill, known = fraction != null;
		const away = (fraction - 1) * (this.matches(":dir(rtl)") ? -100 : 100);
		setText(this.valuePart, text);
		// Reserves the width of the longest title, so that the bar beside it doesn't move.
		this.valuePart.dataset.room = known ? text.replace(`${Math.trunc(percent)}`, "100") : "";
		this.body.classList.toggle("unknown", !known);
		this.body.classList.remove("empty");
		if (this.shape === "bar") style.transform = known ? `translateX(${away}%)` : "";
		else this.#sweep(known && fraction < 1 ? this.#cap : 0);
		style.visibility = fraction === 0 ? "hidden" : "";
	}

	/**
	 * Draws a part of the circle, round ends included; a part shorter than these gets flat ends.
	 * @param {number} cap
	 */
	#sweep(cap) {
		const { fraction } = this, { style } = this.fill, length = fraction ?? 0.25, inner = length - cap;
		style.strokeDasharray = `${inner > 0 ? inner : length} 2`;
		style.strokeDashoffset = `${inner > 0 ? -cap / 2 : 0}`;
		style.strokeLinecap = inner > 0 ? "" : "butt";
	}

	/** @param {any} data */
	show(data) {
		super.show(data);
		if (performance.now() - this.#settledAt >= 1000) this.settle();
	}

	/** Assistive technology gets the value once a second and at rest, as a percentage; none while it is unknown. */
	settle() {
		const { newest: { text, percent, display = {} }, fraction } = this, { rate, eta, state, accessible = text } = display;
		const known = fraction != null;
		this.#settledAt = performance.now();
		this.track.ariaValueNow = known ? Math.min(100, Math.max(0, percent)) : null;
		this.track.ariaValueText = known ? accessible : null;
		setText(this.#note, [rate && `${rate}/s`, eta && `${eta} left`, /paused|stalled/.test(state) && state].filter(Boolean).join(" · "));
	}
}
