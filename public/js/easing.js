// Curves as functions of progress: CSS easings by the browser, powers, springs in small steps.

const K = 2.8, half = (p) => (2 * p) ** K / 2;
const POWERS = {
	easeIn: (p) => p ** K, easeOut: (p) => 1 - (1 - p) ** K,
	"power-in-out(2.8)": (p) => (p < 0.5 ? half(p) : 1 - half(1 - p)),
	back: (p) => 1 - (1 - p) ** 2 * (1 - 2.70158 * p),
	elastic: (p) => (p < 1 ? 1 - 2 ** (-10 * p) * Math.cos(p * Math.PI / 0.15) : 1),
	bounce: (p) => {
		const [top, at] = p < 4 / 11 ? [0, 0] : p < 8 / 11 ? [0.75, 6 / 11] : p < 10 / 11 ? [0.9375, 9 / 11] : [0.984375, 10.5 / 11];
		return 7.5625 * (p - at) ** 2 + top;
	},
};

export const EASINGS = ["linear", "ease", "ease-in", "ease-out", "ease-in-out", ...Object.keys(POWERS),
	"cubic-bezier(.34, 1.56, .64, 1)", "steps(8, end)", "linear(0, .8 40%, 1)", "spring"];

export function cssEasing(easing) {
	const effect = new KeyframeEffect(null, null, { duration: 1, fill: "both", easing });
	const animation = new Animation(effect, null);
	return (p) => {
		animation.currentTime = p;
		return effect.getComputedTiming().progress;
	};
}

export const easingCurve = (name) => POWERS[name] ?? cssEasing(name);

/** A spring over three times its response: x″ = -2zwx′ - w²x from -1, with a speed. */
export function springCurve({ dampingRatio, response, initialVelocity }) {
	const w = 6 * Math.PI, values = [], step = 1 / 3000;
	let x = -1, speed = initialVelocity * response * 3;
	while (values.push(1 + x) <= 3000) {
		speed -= (2 * dampingRatio * speed + w * x) * w * step;
		x += speed * step;
	}
	return (p) => values[Math.round(p / step)];
}

/** An SVG path of a curve in a box whose y runs from `low` to `high`. */
export function curvePath(at, width, height, low = -0.15, high = 1.25) {
	const point = (_, i) => `${(i / 80) * width} ${(1 - (at(i / 80) - low) / (high - low)) * height}`;
	return `M${Array.from({ length: 81 }, point).join("L")}`;
}
