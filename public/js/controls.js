// The form that starts motions: sliders, the curve drawn, and the curl line of what it would send.
import { curl, send } from "./client.js";
import { curvePath, EASINGS, easingCurve, springCurve } from "./easing.js";
import { make, write } from "./element.js";

export class Controls {
	/** @param {(line: string) => void} show takes the curl line */
	constructor(form, show) {
		this.form = form;
		this.show = show;
		form.elements.easing.append(...[...EASINGS, "spring"].map((name) => make("option", {}, name)));
		form.elements.easing.value = "easeOut";
		form.addEventListener("input", () => this.draw());
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			send(...this.request);
		});
		this.draw();
	}

	/** The fields, with the end value growing with the cube of the way, the duration with its power of 1.5. */
	get values() {
		const fields = Object.fromEntries(new FormData(this.form));
		const { kind, to: x, decimals, easing } = fields;
		const to = kind === "progress" ? 100 * x : 25_000 * x ** 3;
		const duration = Math.round(1500 * fields.duration ** 1.5) / 100;
		const spring = easing === "spring" && {
			dampingRatio: +fields.damping, response: duration || 0.01, initialVelocity: +fields.velocity,
		};
		return { ...fields, to: +to.toFixed(decimals), decimals: +decimals, duration, spring };
	}

	/** Method, path and body. */
	get request() {
		const { kind, id, to, duration, decimals, label, shape, wait, easing, spring } = this.values;
		const motion = spring ? { spring } : { duration, easing }, text = label && { label };
		if (kind === "progress") {
			return ["POST", `/v1/progress/${id}`, { current: to, ...motion, ...text, appearance: { shape } }];
		}
		const update = { to, ...motion, decimals };
		if (kind === "ticker") return ["POST", `/v1/tickers/${id}`, { ...update, ...text }];
		const actions = [{ ticker: id, ...update }, { notify: "CountdownDidUpdate" }];
		return ["PUT", `/v1/schedules/${id}`, { in: +wait, ...text, do: actions }];
	}

	draw() {
		const { form, values, request: [method, path, body] } = this;
		const { kind, easing, spring } = values;
		form.className = `for-${kind} ${spring ? "for-spring" : ""}`;
		const at = spring ? springCurve(spring) : easingCurve(easing);
		form.querySelector("path").setAttribute("d", curvePath(at, 240, 90, -0.2, 1.8));
		for (const output of form.querySelectorAll("output")) {
			const { name } = output.nextElementSibling;
			write(output, `${values[name].toLocaleString("en")}${{ duration: " s", wait: " s" }[name] ?? ""}`);
		}
		this.show(curl(method, path, JSON.stringify(body)));
	}
}
