// The form that starts motions, with its curve and its curl line.
import { curl, send } from "./client.js";
import { curvePath, EASINGS, easingCurve, springCurve } from "./easing.js";
import { make, write } from "./element.js";

/** `show` takes the curl line. */
export function control(form, show) {
	form.elements.easing.append(...EASINGS.map((name) => make("option", {}, name)));
	form.elements.easing.value = "easeOut";
	form.addEventListener("input", draw);
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		send(...request(read()));
	});
	draw();

	/** The end value grows with the cube of the way, the duration with its power of 1.5. */
	function read() {
		const fields = Object.fromEntries(new FormData(form));
		const { shape, to: x, decimals, easing, damping, velocity } = fields;
		const to = shape === "ticker" ? 25_000 * x ** 3 : 100 * x;
		const duration = Math.round(1500 * fields.duration ** 1.5) / 100;
		const spring = { dampingRatio: +damping, response: duration || 0.01, initialVelocity: +velocity };
		return { ...fields, to: +to.toFixed(decimals), decimals: +decimals, duration, spring: easing === "spring" && spring };
	}

	/** Method, path and body. */
	function request({ id, to, duration, decimals, label, shape, easing, spring }) {
		const motion = { ...(spring ? { spring } : { duration, easing }), ...(label && { label }) };
		return shape === "ticker" ? ["POST", `/v1/tickers/${id}`, { to, ...motion, decimals }]
			: ["POST", `/v1/progress/${id}`, { current: to, ...motion, appearance: { shape } }];
	}

	function draw() {
		const values = read(), { easing, spring } = values, [method, path, body] = request(values);
		form.dataset.easing = easing;
		form.querySelector("path").setAttribute("d",
			curvePath(spring ? springCurve(spring) : easingCurve(easing), 240, 90, -0.2, 1.8));
		for (const output of form.querySelectorAll("output")) {
			const { name } = output.nextElementSibling;
			write(output, `${values[name].toLocaleString("en")}${name === "duration" ? " s" : ""}`);
		}
		show(curl(method, path, JSON.stringify(body)));
	}
}
