// The hero of the page: three counters from 0 to 100, each with its easing curve.
import { urlFor } from "./base-url.js";
import { send } from "./client.js";
import { make, svg } from "./dom.js";
import { curvePath, easingCurve } from "./easing.js";
import { feedFrom } from "./feed.js";
import { translate } from "./i18n.js";

const LANES = [
  { name: "linear", easing: "linear" },
  { name: "ease-out", easing: "easeOut" },
  { name: "ease-in", easing: "easeIn" },
];
const SECONDS = 3.5;
const BOX = { width: 100, height: 40 };
/** The key that marks a returning visitor, for whom first-paint.js shortens the hero. */
const SEEN = "tweencast.seen";

class EasingDemo {
  #place;
  #ticker;
  #at;
  #head;

  /** @param {{name: string, easing: string}} motion
   *  @param {Element} element its place in the page, whose number may move already */
  constructor({ name, easing }, element) {
    const button = /** @type {HTMLButtonElement} */ (element.querySelector("button"));
    const place = /** @type {HTMLElement} */ (button.querySelector("span"));
    this.#place = place;
    this.#ticker = `preset-${name}`;
    this.#at = easingCurve(easing);
    this.update = { ticker: this.#ticker, from: 0, to: 100, easing, duration: SECONDS };
    this.#head = make("circle", { r: 3 });
    const curve = svg(
      "-3 -3 106 46", curvePath(this.#at, BOX.width, BOX.height, 0, 1), this.#head
    );
    button.querySelector("svg")?.replaceWith(curve);
    button.ariaLabel = translate("Run {id} again", { id: translate(easing) });
    button.addEventListener("click", () => this.#run());
    place.firstElementChild?.setAttribute("src", this.#address);
    this.exists = false;
    this.#moveHead(0);
    feedFrom().listen(`ticker:${this.#ticker}`, {
      frame: ({ value, display }) => {
        this.isMoving = display?.target !== undefined;
        this.exists = true;
        this.#moveHead(value);
      },
      event: (_data, _key, event) => {
        if (event === "removed") this.#reset();
        if (event === "complete") this.isMoving = false;
      },
    });
  }

  get #address() {
    return urlFor(`/v1/tickers/${this.#ticker}`);
  }

  /** Starts over when the ticker is removed. */
  #reset() {
    this.exists = false;
    this.#place.replaceChildren(make("tween-ticker", { wheels: "", src: this.#address }, "0"));
    this.#moveHead(0);
  }

  /** Moves the head to the value on the curve, which only rises here.
   *  @param {number} value */
  #moveHead(value) {
    let share = 0;
    while (share < 1 && this.#at(share) * 100 < value) share += 0.01;
    this.#head.setAttribute("cx", share * BOX.width);
    this.#head.setAttribute("cy", BOX.height * (1 - value / 100));
  }

  #run() {
    const { ticker, ...update } = this.update;
    send("POST", `/v1/tickers/${ticker}`, update);
  }
}

/** Shows the counters, and starts them if they are at rest.
 *  @returns {void} */
export function showHero() {
  const feed = feedFrom();
  const elements = document.querySelectorAll("#lanes > li");
  const lanes = LANES.map((motion, at) => new EasingDemo(motion, elements[at]));
  const updates = lanes.map(({ update }) => update);
  document.querySelector("#presets")?.addEventListener(
    "click", () => send("POST", "/v1/batch", updates)
  );
  localStorage.setItem(SEEN, "1");

  const listening = new AbortController();
  feed.addEventListener("status", () => {
    const { state, greeting } = feed.status;
    if (state === "live") dispatchEvent(new Event("live"));
    if (state !== "live" || feed.pace !== "live" || greeting?.readOnly) return;
    listening.abort();
    // The greeting is followed by their current state.
    setTimeout(() => {
      if (!lanes.every(({ exists, isMoving }) => exists && !isMoving)) return;
      const headers = { "Content-Type": "application/x-ndjson" };
      const body = updates.map((update) => JSON.stringify(update)).join("\n");
      // Nobody asked for this motion, so a missing right is no problem to report.
      fetch(urlFor("/v1/batch"), { method: "POST", body, headers }).catch(() => {});
    }, 300);
  }, { signal: listening.signal });
}
