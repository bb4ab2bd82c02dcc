// <tween-progress src="…/v1/progress/id">: a bar, pie or ring, its title on any side. Looks come from attributes,
// else from the server's appearance.
import { drawing, make, TweenElement, write } from "./element.js";

const STYLES = `
:host { display: block; --color: var(--tween-color, currentColor); --trackColor: var(--tween-track, #8884) }
.body { display: flex; flex-direction: column; gap: .45em .75em; --height: 12px }
.left, .right { flex-direction: row; align-items: center }
.track { flex: 1; min-width: 3em }
.track:has(svg) { flex: none }
:is(.bottom, .right) .track { order: -1 }
.bar { position: relative; overflow: hidden; height: var(--height); background: var(--trackColor) }
.fill { position: absolute; inset: 0; background: var(--color) }
.round :is(.bar, .fill) { border-radius: 1e3px }
.legend .fill::after { content: ""; position: absolute; inset-block: 25%; inset-inline-end: calc(var(--height) / 4);
	aspect-ratio: 1; border-radius: 50%; background: var(--tween-legend, Canvas) }
svg { display: block; width: var(--tween-size, 4.5em); overflow: visible }
circle { fill: none; r: 43px; stroke: var(--trackColor); stroke-width: var(--strokeWidth, 14) }
svg .fill { stroke: var(--color) }
.pie .fill { r: 25px; stroke-width: 50 }
.pie .edge { r: 50px; stroke: var(--color); stroke-width: 1 }
.round .ring .fill { stroke-linecap: round }
.note { font-size: .8em; opacity: .8 }
.unknown .bar .fill { width: 35%; animation: pass 1.6s ease-in-out infinite var(--tween-play, running) }
.unknown svg { animation: turn 1.6s linear infinite var(--tween-play, running) }
@keyframes pass { from { transform: translateX(-100%) } to { transform: translateX(290%) } }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important } }`;

export class TweenProgress extends TweenElement {
	static observedAttributes = ["src", "shape", "title-direction", "height", "ends", "legend", "label"];
	styles = STYLES;

	build() {
		this.value.ariaHidden = true;
		this.track = make("div", { part: "track", class: "track", role: "progressbar" });
		this.note = make("span", { part: "note", class: "note" });
		this.body = make("div", {}, this.value, this.track);
		return [this.body, this.note];
	}

	follow() {
		this.restyle();
		super.follow();
		if (!this.looks) fetch(this.getAttribute("src")).then((answer) => answer.json()).then(
			({ appearance }) => (this.appearance = appearance), () => {});
	}

	/** Looks as the server hands them out; attributes win. */
	set appearance(looks) {
		this.looks = looks ?? {};
		if (this.body) this.restyle();
	}

	restyle() {
		const look = (name) => this.getAttribute(name.replace("D", "-d")) ?? this.looks?.[name];
		for (const name of ["height", "strokeWidth", "color", "trackColor"]) {
			const value = look(name) + (name === "height" ? "px" : "");
			// No var() may bring in an url().
			if (/^[\w#.]+(\([^()]*\))?$/.test(value) && CSS.supports(name.replace("trackC", "c").replace("W", "-w"), value))
				this.body.style.setProperty(`--${name}`, value);
		}
		const shape = /pie|ring/.exec(look("shape"))?.[0] ?? "bar", legend = `${look("legend") ?? false}`;
		this.body.className = ["body", look("titleDirection") ?? (shape === "bar" ? "top" : "right"),
			legend !== "false" && "legend", look("ends") !== "flat" && "round"].join(" ");
		this.track.ariaLabel = this.getAttribute("label") ?? this.resource?.key.slice(9) ?? "";
		if (shape !== this.shape) this.reshape(shape);
		this.draw();
	}

	reshape(shape) {
		const round = shape !== "bar";
		this.shape = shape;
		this.fill = make(round ? "circle" : "div", { part: "fill", class: "fill", pathLength: 1, transform: "rotate(-90)" });
		this.track.replaceChildren(make("div", { part: "bar", class: shape },
			round ? drawing("-51 -51 102 102", make("circle", { class: "edge" }), this.fill) : this.fill));
	}

	get wants() {
		return this.hasAttribute("rate") && "display";
	}

	/** From 0 to 1; nothing while nobody knows. */
	get fraction() {
		const { fraction } = this.newest;
		return fraction && Math.min(1, Math.max(0, fraction));
	}

	frame({ text }) {
		const { fill: { style }, fraction } = this, known = fraction != null;
		const away = (fraction - 1) * (this.matches(":dir(rtl)") ? -100 : 100);
		write(this.value, text);
		this.body.classList.toggle("unknown", !known);
		if (this.shape === "bar") style.transform = known ? `translateX(${away}%)` : "";
		else style.strokeDasharray = `${fraction ?? 0.25} 2`;
		style.visibility = fraction === 0 ? "hidden" : "";
	}

	take(data) {
		super.take(data);
		if (!(performance.now() - this.said < 1000)) this.settle();
	}

	/** Assistive technology gets the value once a second and at rest, none while indeterminate. */
	settle() {
		const { newest: { text, display = {} }, fraction } = this, { rate, eta, state, accessible = text } = display;
		const known = fraction != null;
		this.said = performance.now();
		this.track.ariaValueNow = known ? Math.round(fraction * 100) : null;
		this.track.ariaValueText = known ? accessible : null;
		write(this.note, [rate && `${rate}/s`, eta && `${eta} left`, /paused|stalled/.test(state) && state].filter(Boolean).join(" · "));
	}
}
