// Digit wheels where the stream has them: in `["$", [1, 4.5], [0, 5]]` texts are static, and wheels are
// [place, position].
import { make, sheet } from "./element.js";

export const styles = sheet(`
.number { display: inline-block; white-space: pre; unicode-bidi: isolate }
.wheel { display: inline-block; height: 1.2em; line-height: 1.2; overflow: hidden; vertical-align: bottom; contain: paint }
.wheel span { display: block; text-align: center }`);

/** A strip of digits, the first of them again at its end, behind a window. */
class Wheel {
	constructor(digits) {
		this.digits = digits;
		this.faces = [...digits];
		this.strip = make("span", {}, ...[...this.faces, this.faces[0]].map((face) => make("span", {}, face)));
		this.element = make("span", { class: "wheel", part: "digit" }, this.strip);
	}

	turn(position) {
		if (position === this.position) return;
		this.position = position;
		this.strip.style.transform = `translateY(${(position * -100) / 11}%)`;
		this.element.dataset.digit = this.faces[Math.round(position) % 10];
	}
}

/** Text with wheels inside an element of the caller's. Digits keep their wheel by their place. */
export class Wheels {
	wheels = {};

	constructor(element) {
		this.element = element;
	}

	/** Shows the parts of a frame, with the digits of its script. */
	show(parts, digits = "0123456789") {
		const shape = digits + parts.map((part) => (Array.isArray(part) ? part[0] : part)).join("\n");
		if (shape !== this.shape) this.build(parts, digits);
		this.shape = shape;
		for (const [place, position] of parts.filter(Array.isArray)) this.wheels[place].turn(position);
	}

	build(parts, digits) {
		const before = this.wheels;
		this.wheels = {};
		const nodes = parts.map((part) => {
			if (!Array.isArray(part)) return part;
			const [place] = part, old = before[place];
			return (this.wheels[place] = old?.digits === digits ? old : new Wheel(digits)).element;
		});
		const first = parts.findIndex(Array.isArray), end = parts.findLastIndex(Array.isArray) + 1;
		if (end) nodes.splice(first, 0, make("span", { class: "number", dir: "ltr" }, ...nodes.splice(first, end - first)));
		this.element.replaceChildren(...nodes);
	}
}
