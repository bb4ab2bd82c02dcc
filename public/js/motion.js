// Motions as `?mode=motion` tells them, at the screen's own rate.
import { cssEasing } from "./easing.js";

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
