// Digit wheels as the stream has them: in `["$", [1, 4.5], [0, 5]]` texts are static, and a wheel is [place, position].
import { make, sheet } from "./element.js";

export const styles = sheet(`
.number { display: inline-block; white-space: pre; unicode-bidi: isolate-override }
.wheel { display: inline-block; height: 1.2em; line-height: 1.2; overflow: hidden; vertical-align: bottom; contain: paint }
.wheel span { display: block; text-align: center }`);

/** Makes what shows such parts inside an element: each wheel a strip of its script's digits behind a window. */
export function wheelsIn(element) {
	const strips = {};
	let built;

	function build(parts, faces) {
		const nodes = parts.map((part) => {
			if (!Array.isArray(part)) return part;
			const strip = (strips[part[0]] = make("span", {}, ...[...faces, faces[0]].map((face) => make("span", {}, face))));
			return make("span", { class: "wheel", part: "digit" }, strip);
		});
		const first = parts.findIndex(Array.isArray), end = parts.findLastIndex(Array.isArray) + 1;
		if (end) nodes.splice(first, 0, make("span", { class: "number", dir: "ltr" }, ...nodes.splice(first, end - first)));
		element.replaceChildren(...nodes);
	}

	return (parts, digits = "0123456789") => {
		const shape = digits + parts.map((part) => (Array.isArray(part) ? part[0] : part)).join("\n");
		if (shape !== built) build(parts, [...digits]);
		built = shape;
		for (const [place, position] of parts.filter(Array.isArray)) {
			strips[place].style.transform = `translateY(${(position * -100) / 11}%)`;
		}
	};
}
