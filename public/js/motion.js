// Motions as the server describes them, played at the screen's own rate.
import { curveOf, timeline } from "./easing.js";
import { serverTime } from "./source.js";

const NUMBER = /[-\u2212]?\d[\d,]*(?:\.\d+)?/;

/** A motion as a function of the server's time; what the server says of its timing is read here, once. */
export class Motion {
	constructor(data) {
		const motion = data.motion ?? data;
		const { iterations = 1, direction, delay = 0, rate = 1, state, fraction } = motion;
		const { from = data.value, to = data.target ?? from } = motion;
		const { at, duration } = curveOf(motion);
		const cycles = iterations === "forever" ? Infinity : iterations;
		Object.assign(this, { at, rate, state, fraction, from, to, delay: delay * 1000 });
		this.start = serverTime(motion.start);
		this.cycle = (duration ?? 0) * 1000;
		this.active = this.cycle && this.cycle * cycles;
		this.progress = timeline({ duration: this.cycle, delay: this.delay, iterations: cycles, direction });
	}

	/** Value, share of the way (of a cycle, if it goes on for ever) and whether it rests. */
	sample(now) {
		const held = this.state === "paused";
		let time = held ? this.delay + this.fraction * this.active : (now - this.start) * this.rate;
		if (/finished|idle/.test(this.state)) time = this.delay + (isFinite(this.active) ? this.active : 0);
		const p = this.at(this.progress(time));
		const gone = Math.max(0, time - this.delay);
		const whole = this.active ? Math.min(1, gone / this.active) : 1;
		const share = isFinite(this.active) ? whole : (gone % this.cycle) / this.cycle;
		return { value: p === 1 ? this.to : this.from + (this.to - this.from) * p, share, done: held || gone >= this.active };
	}
}

/** Draws a ticker from `?mode=motion`: one event an update. Hidden tabs draw nothing and catch up at once. */
export class MotionPlayer {
	template = "0";
	skew = 0;

	constructor({ origin, path }, element) {
		this.element = element;
		const events = (this.events = new EventSource(`${origin}${path}/events?mode=motion`));
		const on = (name, act) => events.addEventListener(name, ({ data }) => act(JSON.parse(data)));
		on("hello", ({ now }) => (this.skew = Date.now() - serverTime(now)));
		on("message", (data) => this.rest(data));
		on("motion", (data) => {
			this.learn(data.text);
			this.motion = new Motion(data);
			this.draw();
		});
		for (const name of ["complete", "paused", "resumed", "removed", "milestone"]) {
			on(name, (data) => this.event(name, data));
		}
	}

	stop() {
		this.events.close();
		cancelAnimationFrame(this.next);
	}

	rest(data) {
		this.learn(data.text);
		if (!this.motion) this.element.frame(data);
	}

	event(name, data) {
		if (name === "complete" && data.finished) {
			this.motion = null;
			this.rest(data);
		}
		this.element.event(name, data);
	}

	/** Takes static parts, digits and grouping from a text of the server's. */
	learn(text) {
		const number = NUMBER.exec(text ?? "")?.[0];
		if (!number) return;
		this.template = text;
		this.grouped = number.includes(",");
		this.digits = number.split(".")[1]?.length ?? 0;
	}

	draw() {
		cancelAnimationFrame(this.next);
		if (!this.motion) return;
		const { value, done } = this.motion.sample(Date.now() - this.skew);
		const number = value.toLocaleString("en-US", {
			minimumFractionDigits: this.digits, maximumFractionDigits: this.digits,
			useGrouping: this.grouped, signDisplay: "negative",
		});
		this.element.frame({ value, text: this.template.replace(NUMBER, () => number) });
		if (!done) this.next = requestAnimationFrame(() => this.draw());
	}
}
