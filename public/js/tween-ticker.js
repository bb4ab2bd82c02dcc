// <tween-ticker src="…/v1/tickers/id">: a number on its way, as text or as digit wheels (`wheels`).
// `mode="motion"` interpolates here, `announce` speaks values at rest, `for="id"` writes into another element.
import { make, TweenElement, write } from "./element.js";
import { playMotions } from "./motion.js";

export class TweenTicker extends TweenElement {
	static observedAttributes = ["src", "wheels", "mode", "for"];
	styles = `
.number { display: inline-block; white-space: pre; unicode-bidi: isolate-override }
.wheel { display: inline-block; height: 1.2em; line-height: 1.2; overflow: clip; vertical-align: bottom }
.wheel span { display: block; text-align: center; white-space: pre }`;

	build() {
		this.value.ariaHidden = true;
		this.spoken = make("span", { class: "spoken", dir: "auto" });
		if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
		return [this.value, this.spoken];
	}

	get wants() {
		return this.hasAttribute("wheels") && "wheels";
	}

	listen(resource) {
		return this.getAttribute("mode") === "motion" ? playMotions(resource, this) : super.listen(resource);
	}

	frame({ text, wheels, digits }) {
		const target = document.getElementById(this.getAttribute("for"));
		if (target) target["value" in target ? "value" : "textContent"] = text;
		else this.turn((this.wants && wheels) || [text], digits);
	}

	/** In `["$", [1, 4.5]]` texts are static, and a wheel is [place, position]: a strip of its script's digits. */
	turn(parts, digits = "0123456789") {
		const shape = digits + parts.map((part) => [part].flat()[0]).join("\n");
		if (shape !== this.shape) this.assemble(parts, [...digits]);
		this.shape = shape;
		for (const [place, position] of parts.filter(Array.isArray)) {
			this.strips[place].style.transform = `translateY(${(position * -100) / 11}%)`;
		}
	}

	assemble(parts, faces) {
		this.strips = {};
		const nodes = parts.map((part) => {
			if (!Array.isArray(part)) return part;
			const strip = make("span", {}, [...faces, faces[0]].join("\n"));
			this.strips[part[0]] = strip;
			return make("span", { class: "wheel", part: "digit" }, strip);
		});
		const first = parts.findIndex(Array.isArray), end = parts.findLastIndex(Array.isArray) + 1;
		if (end) nodes.splice(first, 0, make("span", { class: "number", dir: "ltr" }, ...nodes.splice(first, end - first)));
		this.value.replaceChildren(...nodes);
	}

	settle() {
		if (this.newest) write(this.spoken, this.newest.text);
	}
}
