// How fast a progress goes and when it is done: averages weighted by time, which fade while nothing arrives.

const share = (milliseconds) => 0.1 ** (milliseconds / 15e3);

export class Estimate {
	/** Takes a value at a time in milliseconds; one that goes backwards starts anew. */
	take({ value }, now) {
		if (!(value >= this.value)) Object.assign(this, { value, began: now, seen: now, once: 0, twice: 0, count: 0 });
		const gap = now - this.seen, keep = share(gap);
		if (gap < 100) return;
		this.once = this.once * keep + ((value - this.value) * 1000 / gap) * (1 - keep);
		this.twice = this.twice * keep + (this.once / (1 - share(now - this.began))) * (1 - keep);
		Object.assign(this, { value, seen: now, count: this.count + 1 });
	}

	/** Such as `12/s · 8 s left`; nothing before two samples and one second. */
	text({ value, fraction }, now) {
		const age = now - this.began, rate = (this.twice / (1 - share(age))) * share(now - this.seen);
		if (this.count < 2 || age < 1000 || !(rate > 1e-6) || fraction >= 1) return "";
		const left = Math.ceil((value / fraction - value) / rate);
		const time = left < 90 ? `${left} s` : `${Math.ceil(left / 60)} min`;
		return `${rate >= 100 ? Math.round(rate) : rate.toPrecision(2)}/s${fraction > 0 ? ` · ${time} left` : ""}`;
	}
}
