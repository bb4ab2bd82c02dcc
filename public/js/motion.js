// Motions as `?mode=motion` describes them, played at the screen's own rate.
import { cssEasing } from "./easing.js";

const NUMBER = /[-\u2212]?\d[\d,]*(?:\.\d+)?/;

/** A motion as a function of the server's time. */
export class Motion {
	constructor({ value, motion }) {
		Object.assign(this, motion, { value, start: Date.parse(motion.start), at: cssEasing(motion.easing) });
	}

	sample(now) {
		const { value, from, to, state, start, duration } = this;
		if (state === "paused") return { value, share: 0, done: true };
		const share = Math.min(1, Math.max(0, (now - start) / 1000 / duration)), done = share === 1;
		return { value: done ? to : from + (to - from) * this.at(share), share, done };
	}
}

/** Draws a ticker from one event an update. Hidden tabs draw nothing and catch up at once. */
export class MotionPlayer {
	skew = 0;

	constructor({ origin, path }, element) {
		this.element = element;
		const events = (this.events = new EventSource(`${origin}${path}/events?mode=motion`));
		const on = (name, act) => events.addEventListener(name, ({ data }) => act(JSON.parse(data)));
		on("hello", ({ now }) => (this.skew = Date.now() - Date.parse(now)));
		on("message", (data) => this.motion ?? element.take(data));
		on("motion", (data) => this.play(data));
		for (const name of ["complete", "paused", "resumed", "removed", "milestone"]) on(name, (data) => {
			if (data.finished) {
				this.motion = null;
				element.take(data);
			}
			element.event(data, name);
		});
	}

	stop() {
		this.events.close();
		this.motion = null;
	}

	/** Takes static parts, digits and grouping from a text of the server's. */
	play({ text, ...data }) {
		const number = NUMBER.exec(text)?.[0] ?? "0", digits = number.split(".")[1]?.length ?? 0;
		const format = new Intl.NumberFormat("en-US", {
			minimumFractionDigits: digits, maximumFractionDigits: digits,
			useGrouping: number.includes(","), signDisplay: "negative",
		});
		const motion = (this.motion = new Motion(data));
		const draw = () => {
			if (motion !== this.motion) return;
			const { value, done } = motion.sample(Date.now() - this.skew);
			this.element.take({ value, text: text.replace(NUMBER, () => format.format(value)) });
			if (!done) requestAnimationFrame(draw);
		};
		draw();
	}
}
