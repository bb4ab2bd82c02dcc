// The form that starts motions: sliders, the curve drawn, and the curl line of what it would send.
import { curl, send } from "./client.js";
import { curvePath, EASINGS, easingCurve, springCurve } from "./easing.js";
import { make, write } from "./element.js";

/** @param {(line: string) => void} show takes the curl line */
export function control(form, show) {
	form.elements.easing.append(...[...EASINGS, "spring"].map((name) => make("option", {}, name)));
	form.elements.easing.value = "easeOut";
	form.addEventListener("input", draw);
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		send(...request(read()));
	});
	draw();

	/** The fields, with the end value growing with the cube of the way, the duration with its power of 1.5. */
	function read() {
		const fields = Object.fromEntries(new FormData(form));
		const { kind, to: x, decimals, easing, damping, velocity } = fields;
		const to = kind === "progress" ? 100 * x : 25_000 * x ** 3;
		const duration = Math.round(1500 * fields.duration ** 1.5) / 100;
		const spring = { dampingRatio: +damping, response: duration || 0.01, initialVelocity: +velocity };
		return { ...fields, to: +to.toFixed(decimals), decimals: +decimals, duration, spring: easing === "spring" && spring };
	}

	/** Method, path and body. */
	function request({ kind, id, to, duration, decimals, label, shape, wait, easing, spring }) {
		const motion = spring ? { spring } : { duration, easing }, update = { to, ...motion, decimals };
		const text = label && { label }, actions = [{ ticker: id, ...update }, { notify: "CountdownDidUpdate" }];
		return {
			ticker: ["POST", `/v1/tickers/${id}`, { ...update, ...text }],
			progress: ["POST", `/v1/progress/${id}`, { current: to, ...motion, ...text, appearance: { shape } }],
			schedule: ["PUT", `/v1/schedules/${id}`, { in: +wait, ...text, do: actions }],
		}[kind];
	}

	function draw() {
		const values = read(), { kind, easing, spring } = values, [method, path, body] = request(values);
		form.className = `card for-${kind} for-${easing}`;
		form.querySelector("path").setAttribute("d",
			curvePath(spring ? springCurve(spring) : easingCurve(easing), 240, 90, -0.2, 1.8));
		for (const output of form.querySelectorAll("output")) {
			const { name } = output.nextElementSibling;
			write(output, `${values[name].toLocaleString("en")}${/duration|wait/.test(name) ? " s" : ""}`);
		}
		show(curl(method, path, JSON.stringify(body)));
	}
}
