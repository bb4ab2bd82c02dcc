// Motions as `?mode=motion` tells them, at the screen's own rate.
import { cssEasing } from "./easing.js";
import { listen } from "./source.js";

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

/** Draws a ticker from one event an update, until the answer is called. */
export function playMotions({ origin, path }, ticker) {
	let skew = 0, current;

	/** All but the value is as in the server's text. */
	function play({ text, ...data }) {
		const number = NUMBER.exec(text)?.[0] ?? "0", digits = number.split(".")[1]?.length ?? 0;
		const { format } = new Intl.NumberFormat("en-US", {
			minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: number.includes(","), signDisplay: "negative",
		});
		const motion = (current = new Motion(data));
		const draw = () => {
			if (motion !== current) return;
			const { value, done } = motion.sample(Date.now() - skew);
			ticker.take({ value, text: text.replace(NUMBER, () => format(value)) });
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
	return () => stream.close((current = null));
}
