// Curves as functions of progress: CSS easings by the browser's own arithmetic, powers and springs in closed form.

export const EASINGS = ["linear", "ease", "ease-in", "ease-out", "ease-in-out", "easeIn", "easeOut",
	"power-in-out(2.8)", "cubic-bezier(.34, 1.56, .64, 1)", "steps(8, end)", "linear(0, .8 40%, 1)"];

/** The progress of a Web Animations timing as a function of milliseconds. */
export function timeline(timing) {
	const effect = new KeyframeEffect(null, null, { fill: "both", ...timing });
	const animation = new Animation(effect, null);
	return (time) => {
		animation.currentTime = time;
		return effect.getComputedTiming().progress;
	};
}

/** The curve of a CSS easing or a power; an unknown name is linear. */
export function parseEasing(text = "linear") {
	const [, way, k = 2.8] = /^(?:power-|ease(?=[io]))(in-out|in|out)(?:\((.+)\))?$/i.exec(text) ?? [];
	if (!way) return timeline({ duration: 1, easing: CSS.supports("transition-timing-function", text) ? text : "linear" });
	return {
		in: (p) => p ** k, out: (p) => 1 - (1 - p) ** k,
		"in-out": (p) => (p < 0.5 ? (2 * p) ** k / 2 : 1 - (2 - 2 * p) ** k / 2),
	}[way.toLowerCase()];
}

/** Distance left of a unit spring after `t` seconds: y″ + 2zwy′ + w²y = 0, y(0) = 1, y′(0) = -v. */
function rest(w, z, v, t) {
	const q = w * w * (1 - z * z), x = q * t * t, a = z * w - v, root = Math.sqrt(Math.abs(q));
	if (Math.abs(x) < 1e-6) return Math.exp(-z * w * t) * (1 - x / 2 + a * t * (1 - x / 6));
	if (q > 0) return Math.exp(-z * w * t) * (Math.cos(root * t) + (a * Math.sin(root * t)) / root);
	const slow = Math.exp((-w * w / (z * w + root)) * t), fast = Math.exp((-z * w - root) * t);
	return (slow + fast) / 2 + (a * (slow - fast)) / (2 * root);
}

/** When it stays within 0.001 of its end, found by walking back from its envelope. */
function settling(w, z, v) {
	const step = Math.min(60, 12 / Math.max(z < 1 ? z * w : w / (z + Math.sqrt(z * z - 1)), 1e-3)) / 2000;
	let n = 2000;
	while (n > 1 && Math.abs(rest(w, z, v, n * step)) < 0.001) n--;
	return (n + 1) * step;
}

/** A spring in any of the contract's forms: its curve over progress 0…1, and the seconds it takes. */
export function springPath(spring, duration = 0.5) {
	const { initialVelocity: v = 0, mass = 1, stiffness, damping, response, bounce } = spring;
	let z = spring.dampingRatio ?? 1, w = (2 * Math.PI) / (response ?? spring.duration ?? duration);
	if (stiffness) {
		w = Math.sqrt(stiffness / mass);
		z = damping / (2 * Math.sqrt(stiffness * mass));
	} else if (bounce !== undefined) {
		z = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce);
	} else if (!response) {
		// UIKit's form: the duration is the settling time, which scales with 1/w but for the velocity.
		w = settling(1, z, 0) / duration;
		for (let i = 0; v && i < 12; i++) w *= settling(w, z, v) / duration;
	}
	const end = settling(w, z, v);
	return { at: (p) => (p >= 1 ? 1 : 1 - rest(w, z, v, p * end)), duration: end };
}

/** The curve of a motion as the server describes it: sampled points, a spring or an easing. */
export function curveOf({ points, spring, easing, duration }) {
	if (points) easing = `linear(${points.map(([x, y]) => `${y} ${x * 100}%`)})`;
	return spring ? springPath(spring, duration) : { at: parseEasing(easing), duration };
}

/** An SVG path of a curve in a box whose y runs from `low` to `high`. */
export function curvePath(at, width, height, low = -0.15, high = 1.25) {
	const point = (_, i) => `${(i / 80) * width} ${(height - ((at(i / 80) - low) / (high - low)) * height).toFixed(2)}`;
	return `M${Array.from({ length: 81 }, point).join("L")}`;
}
