// <tween-progress src="…/v1/progress/id">: a bar, pie or ring, its title on any side. Looks come from attributes
// (`shape`, `title-direction`, `height`, `ends`, `legend`), else from the server's appearance.
import { make, sheet, TweenElement, write } from "./element.js";

const styles = sheet(`
:host { display: block; --color: var(--tween-color, currentColor); --track: var(--tween-track, #8884) }
.body { display: grid; gap: .45em .75em; align-items: center; --high: 12px }
[data-title=top] { grid-template: "title" "track" / minmax(0, 1fr) }
[data-title=bottom] { grid-template: "track" "title" / minmax(0, 1fr) }
[data-title=left] { grid-template: "title track" / auto minmax(3em, 1fr) }
[data-title=right] { grid-template: "track title" / minmax(3em, 1fr) auto }
[data-title=left]:has(svg) { grid-template-columns: 1fr auto }
[data-title=right]:has(svg) { grid-template-columns: auto 1fr }
.value { grid-area: title }
.track { grid-area: track; min-width: 0 }
.bar { position: relative; overflow: hidden; height: var(--high); background: var(--track) }
.round .bar, .round .fill { border-radius: 1e3px }
.fill { position: absolute; inset: 0; background: var(--color) }
.legend .fill::after { content: ""; position: absolute; inset-block: 25%; inset-inline-end: calc(var(--high) / 4) }
.legend .fill::after { aspect-ratio: 1; border-radius: 50%; background: var(--tween-legend, Canvas) }
svg { display: block; width: var(--tween-size, 4.5em); fill: var(--color); overflow: visible }
.edge, .groove, .arc { fill: none; stroke: var(--color) }
.groove, .arc { stroke-width: var(--stroke, 14) }
.groove { stroke: var(--track) }
.round .arc { stroke-linecap: round }
.note { font-size: .8em; opacity: .75 }
:host([rate]) .note { display: block; min-height: 1.5em }
.unknown .fill { width: 35%; animation: pass 1.6s ease-in-out infinite var(--tween-play, running) }
.unknown svg { animation: turn 1.6s linear infinite var(--tween-play, running) }
@keyframes pass { from { transform: translateX(-100%) } to { transform: translateX(290%) } }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important } }`);

/** A sector of a disc of radius 50, from twelve o'clock clockwise. */
export function sectorPath(fraction) {
	if (fraction >= 1) return "M0-50A50 50 0 1 1 0 50A50 50 0 1 1 0-50Z";
	const angle = fraction * 2 * Math.PI;
	const end = `${(50 * Math.sin(angle)).toFixed(4)} ${(-50 * Math.cos(angle)).toFixed(4)}`;
	return fraction > 0 ? `M0 0L0-50A50 50 0 ${+(fraction > 0.5)} 1 ${end}Z` : "";
}

export class TweenProgress extends TweenElement {
	static observedAttributes = ["src", "shape", "title-direction", "height", "ends", "legend", "label"];
	static styles = styles;
	looks = {};

	build() {
		this.value.ariaHidden = true;
		this.track = make("div", { part: "track", class: "track", role: "progressbar" });
		this.note = make("span", { part: "note", class: "note" });
		this.body = make("div", { class: "body" }, this.value, this.track);
		return [this.body, this.note];
	}

	follow() {
		this.restyle();
		super.follow();
	}

	/** Looks as the server hands them out; attributes win. */
	set appearance(looks) {
		this.looks = looks ?? {};
		this.restyle();
	}

	restyle() {
		const { looks, body } = this;
		const look = (name) => this.getAttribute(name.replace(/D/, "-d")) ?? looks[name];
		const shape = look("shape") ?? "bar";
		body.dataset.title = look("titleDirection") ?? (shape === "bar" ? "top" : "right");
		body.classList.toggle("round", look("ends") !== "flat");
		body.classList.toggle("legend", !/^(undefined|null|false)$/.test(look("legend")));
		for (const [name, value, unit] of [["--high", look("height"), "px"], ["--stroke", looks.strokeWidth, ""]]) {
			if (value >= 0 && value <= 400) body.style.setProperty(name, value + unit);
		}
		for (const [name, value] of [["--color", looks.color], ["--track", looks.trackColor]]) {
			if (CSS.supports("color", value)) body.style.setProperty(name, value);
		}
		this.track.ariaLabel = this.getAttribute("label") ?? this.resource?.key.slice(9) ?? "";
		if (shape !== this.shape) this.reshape(shape);
	}

	reshape(shape) {
		this.shape = shape;
		const disc = (...parts) => make("svg", { viewBox: "-51 -51 102 102", "aria-hidden": "true" }, ...parts);
		if (shape === "pie") {
			this.fill = make("path", { part: "fill" });
			this.track.replaceChildren(disc(make("circle", { class: "edge", r: 50 }), this.fill));
		} else if (shape === "ring") {
			this.fill = make("circle", { part: "fill", class: "arc", r: 43, pathLength: 1, transform: "rotate(-90)" });
			this.track.replaceChildren(disc(make("circle", { class: "groove", r: 43 }), this.fill));
		} else {
			this.fill = make("div", { part: "fill", class: "fill" });
			this.track.replaceChildren(make("div", { part: "bar", class: "bar" }, this.fill));
		}
		if (this.current) this.frame(this.current);
	}

	frame(data) {
		write(this.value, data.text);
		const known = typeof data.fraction === "number";
		const fraction = known ? Math.min(1, Math.max(0, data.fraction)) : 0.25;
		this.body.classList.toggle("unknown", !known);
		if (this.shape === "pie") {
			this.fill.setAttribute("d", sectorPath(fraction));
		} else if (this.shape === "ring") {
			this.fill.setAttribute("stroke-dasharray", `${fraction} 2`);
			this.fill.style.visibility = fraction ? "" : "hidden";
		} else {
			const side = this.matches(":dir(rtl)") ? 100 : -100;
			this.fill.style.transform = known ? `translateX(${(side * (1 - fraction)).toFixed(3)}%)` : "";
		}
		if (!(performance.now() - this.said < 1000)) this.settle();
	}

	get wants() {
		return this.hasAttribute("rate") && "display";
	}

	/** Assistive technology gets the value once a second and at rest, and none while it is indeterminate. */
	settle() {
		this.said = performance.now();
		const { fraction, text, display = {} } = this.newest, { rate, eta, state, accessible } = display;
		const known = typeof fraction === "number";
		this.track.ariaValueNow = known ? Math.round(Math.min(1, Math.max(0, fraction)) * 100) : null;
		this.track.ariaValueText = known ? accessible ?? text : null;
		const notes = [rate && `${rate}/s`, eta && `${eta} left`, /paused|stalled/.test(state) && state];
		if (this.wants) write(this.note, notes.filter(Boolean).join(" · "));
	}
}
