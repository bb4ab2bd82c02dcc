// How fast a progress goes and when it will be done: averages weighted by time that fade while nothing arrives.

const WINDOW = 15;

export class Estimate {
  constructor() {
    this.reset();
  }

  reset(value, now) {
    this.first = this.value = value;
    this.began = this.seen = now;
    this.once = this.twice = this.count = 0;
  }

  /** Takes an observed value at a time in milliseconds; going backwards starts anew. */
  take({ value }, now) {
    if (this.value === undefined || value < this.value) return this.reset(value, now);
    const seconds = (now - this.seen) / 1000;
    if (seconds < 0.1) return;
    const keep = 0.1 ** (seconds / WINDOW);
    this.once = this.once * keep + ((value - this.value) / seconds) * (1 - keep);
    const age = 1 - 0.1 ** ((now - this.began) / 1000 / WINDOW);
    this.twice = this.twice * keep + (this.once / age) * (1 - keep);
    [this.value, this.seen] = [value, now];
    this.count++;
  }

  /** Units a second, fading while nothing arrives. */
  rate(now) {
    const age = 1 - 0.1 ** ((now - this.began) / 1000 / WINDOW);
    return age > 0 ? (this.twice / age) * 0.1 ** ((now - this.seen) / 1000 / WINDOW) : 0;
  }

  /** Such as `12.4/s, 8 s left`; nothing before two samples and one second. */
  text({ value, fraction }, now) {
    const rate = this.rate(now);
    if (this.count < 2 || now - this.began < 1000 || !(rate > 1e-6) || fraction >= 1) return "";
    const shown = `${rate >= 100 ? Math.round(rate) : rate.toPrecision(2)}/s`;
    if (!(fraction > 0)) return shown;
    const left = Math.ceil((value / fraction - value) / rate);
    return `${shown} · ${left < 90 ? `${left} s` : `${Math.ceil(left / 60)} min`} left`;
  }
}
