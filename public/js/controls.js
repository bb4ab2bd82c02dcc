// The form that starts motions: sliders, the curve drawn, and the curl line of what it would send.
import { curl, send } from "./client.js";
import { curvePath, EASINGS, parseEasing, springPath } from "./easing.js";

/** QuickTicker's sliders: the end value grows with the cube of the way, the duration with its power of 1.5. */
const endValue = (x) => Math.round(25_000 * x ** 3);
const seconds = (x) => Math.round(1500 * x ** 1.5) / 100;
const round = (value, digits) => Number(value.toFixed(digits));

export class Controls {
  /** @param {(line: string) => void} show takes the curl line */
  constructor(form, show) {
    this.form = form;
    this.show = show;
    form.elements.easing.append(...[...EASINGS, "spring"].map((name) => new Option(name)));
    form.elements.easing.value = "easeOut";
    form.addEventListener("input", () => this.draw());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { method, path, body } = this.request();
      send(method, path, body);
    });
    this.draw();
  }

  get fields() {
    return Object.fromEntries(new FormData(this.form));
  }

  get curve() {
    const { easing, damping, velocity, duration } = this.fields;
    if (easing !== "spring") return { easing };
    return { spring: { dampingRatio: +damping, initialVelocity: +velocity }, duration: seconds(+duration) };
  }

  /** What the form says, as one request. */
  request() {
    const { kind, id, to, duration, decimals, label, shape, wait } = this.fields;
    const digits = +decimals;
    const timing = { duration: seconds(+duration), ...this.curve };
    const text = label ? { label } : {};
    if (kind === "progress") {
      const current = round(+to * 100, digits);
      return { method: "POST", path: `/v1/progress/${id}`, body: { current, ...timing, ...text, appearance: { shape } } };
    }
    const update = { to: this.end(+to, digits), ...timing, decimals: digits };
    if (kind === "ticker") return { method: "POST", path: `/v1/tickers/${id}`, body: { ...update, ...text } };
    return {
      method: "PUT", path: `/v1/schedules/${id}`,
      body: { in: +wait, ...text, do: [{ ticker: id, ...update }, { notify: "CountdownDidUpdate" }] },
    };
  }

  end(x, digits) {
    return round(endValue(x) + (digits ? x * 0.987654321 : 0), digits);
  }

  draw() {
    const { kind, to, duration, decimals, damping, velocity, wait } = this.fields;
    this.form.dataset.kind = kind;
    const spring = this.curve.spring;
    this.form.classList.toggle("springy", Boolean(spring));
    const at = spring ? springPath(spring, seconds(+duration)).at : parseEasing(this.fields.easing);
    this.form.querySelector("svg path:last-child").setAttribute("d", curvePath(at, 240, 90, -0.2, 1.5));
    const shown = {
      to: kind === "progress" ? `${round(to * 100, +decimals)} %` : this.end(+to, +decimals).toLocaleString("en"),
      duration: `${seconds(+duration)} s`, decimals, damping, velocity, wait: `${wait} s`,
    };
    for (const [name, text] of Object.entries(shown)) this.form.querySelector(`output[for="f-${name}"]`).textContent = text;
    const { method, path, body } = this.request();
    this.show(curl(method, path, JSON.stringify(body)));
  }
}
