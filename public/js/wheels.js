// Digit wheels where the stream has them: `["$", [1, 4.5], [0, 5]]` is static text and wheels as [place, position].
import { make, sheet } from "./element.js";

export const styles = sheet(`
.number { display: inline-block; white-space: pre; unicode-bidi: isolate }
.wheel { display: inline-block; height: 1.2em; line-height: 1.2; overflow: hidden; vertical-align: bottom; contain: paint }
.wheel span { display: block; text-align: center }`);

/** A strip of digits, the first of them again at its end, behind a window. */
class Wheel {
	constructor(digits) {
		this.faces = [...digits];
		this.strip = make("span", {}, ...this.faces.concat(this.faces[0]).map((face) => make("span", {}, face)));
		this.element = make("span", { class: "wheel", part: "digit" }, this.strip);
		this.digits = digits;
	}

	set position(position) {
		if (position === this.shown) return;
		this.shown = position;
		this.strip.style.transform = `translateY(${(position * -100) / 11}%)`;
		this.element.dataset.digit = this.faces[Math.round(position) % 10];
	}
}

/** A number with wheels inside an element of the caller's. Digits keep their wheel by their place. */
export class Wheels {
	wheels = new Map();

	constructor(element) {
		this.element = element;
	}

	/** Shows the parts of a frame, with the digits of its script. */
	show(parts, digits = "0123456789") {
		const shape = digits + parts.map((part) => (Array.isArray(part) ? part[0] : part)).join("\n");
		if (shape !== this.shape) this.build(parts, digits);
		this.shape = shape;
		for (const [place, position] of parts.filter(Array.isArray)) this.wheels.get(place).position = position;
	}

	build(parts, digits) {
		const before = this.wheels;
		this.wheels = new Map();
		const nodes = parts.map((part) => {
			if (!Array.isArray(part)) return part;
			const old = before.get(part[0]), wheel = old?.digits === digits ? old : new Wheel(digits);
			this.wheels.set(part[0], wheel);
			return wheel.element;
		});
		const first = parts.findIndex(Array.isArray), end = parts.findLastIndex(Array.isArray) + 1;
		if (end) nodes.splice(first, 0, make("span", { class: "number", dir: "ltr" }, ...nodes.splice(first, end - first)));
		this.element.replaceChildren(...nodes);
	}
}
