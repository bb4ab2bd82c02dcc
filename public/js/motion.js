// Motions as `?mode=motion` tells them, at the screen's own rate.
import { cssEasing } from "./easing.js";
import { writing } from "./number.js";
import { listen } from "./source.js";

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

/** Draws a ticker from one event an update, until the answer is called. A text that follows more than digits and sign is the
 *  server's alone: of such a ticker `frames` listens to frames, and answers with what ends that. */
export function playMotions({ origin, path }, ticker, frames) {
	let skew = 0, current;

	function play(data) {
		if (!data.number) return leave(frames());
		const motion = (current = new Motion(data)), text = writing(data.number);
		const draw = () => {
			if (motion !== current) return;
			const { value, done } = motion.sample(Date.now() - skew);
			ticker.take({ value, text: text(value) });
			if (!done) requestAnimationFrame(draw);
		};
		draw();
	}

	const stream = listen(`${origin}${path}/events?mode=motion`, (name, json) => {
		const data = JSON.parse(json);
		if (name === "hello") skew = Date.now() - Date.parse(data.now);
		if (name === "motion") return play(data);
		if (data.finished) current = null;
		if (data.finished || name === "message") current ?? ticker.take(data);
		if (data.ticker && name !== "message") ticker.event(data, name);
	});
	let stop;
	return leave;

	function leave(next) {
		stream.close((current = null));
		stop?.();
		stop = next;
	}
}
