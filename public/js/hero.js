// What the page begins with: three counters from 0 to 100, each with its curve and where it is on
// it.
import { send } from "./client.js";
import { curvePath, easingCurve } from "./easing.js";
import { drawing, make } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { addressOf } from "./base-url.js";
import { words } from "./i18n.js";

const LANES = [
  { name: "linear", easing: "linear" },
  { name: "ease-out", easing: "easeOut" },
  { name: "ease-in", easing: "easeIn" },
];
const SECONDS = 3.5;
const BOX = { width: 100, height: 40 };
/** Where this browser keeps that it has seen the page: from then on it begins with the board, which
 *  first-paint.js sees to. */
const SEEN = "tweencast.seen";

class Lane {
  /** @param {{name: string, easing: string}} motion
   *  @param {Element} element where the page has it, with a number that may move already */
  constructor({ name, easing }, element) {
    const button = /** @type {HTMLButtonElement} */ (element.querySelector("button"));
    const place = /** @type {HTMLElement} */ (button.querySelector("span"));
    this.place = place;
    this.ticker = `preset-${name}`;
    this.at = easingCurve(easing);
    this.update = { ticker: this.ticker, from: 0, to: 100, easing, duration: SECONDS };
    this.head = make("circle", { r: 3 });
    const curve = drawing(
      "-3 -3 106 46", curvePath(this.at, BOX.width, BOX.height, 0, 1), this.head
    );
    button.querySelector("svg")?.replaceWith(curve);
    button.ariaLabel = words("Run {id} anew", { id: words(easing) });
    button.addEventListener("click", () => this.run());
    place.firstElementChild?.setAttribute("src", this.address);
    this.isThere = false;
    this.follow(0);
    feedFrom().listen(`ticker:${this.ticker}`, {
      frame: ({ value, display }) => {
        this.isMoving = display?.target !== undefined;
        this.isThere = true;
        this.follow(value);
      },
      event: (_data, _key, event) => {
        if (event === "removed") this.reset();
        if (event === "complete") this.isMoving = false;
      },
    });
  }

  get address() {
    return addressOf(`/v1/tickers/${this.ticker}`);
  }

  /** Begins anew where its ticker is gone: what it showed is no more. */
  reset() {
    this.isThere = false;
    this.place.replaceChildren(make("tween-ticker", { wheels: "", src: this.address }, "0"));
    this.follow(0);
  }

  /** Puts the head where the curve has the value; an easing goes one way here.
   *  @param {number} value */
  follow(value) {
    let share = 0;
    while (share < 1 && this.at(share) * 100 < value) share += 0.01;
    this.head.setAttribute("cx", share * BOX.width);
    this.head.setAttribute("cy", BOX.height * (1 - value / 100));
  }

  run() {
    const { ticker, ...update } = this.update;
    send("POST", `/v1/tickers/${ticker}`, update);
  }
}

/** Shows the counters, and runs them where the server has them at rest: what moves is what the page
 *  is about.
 *  @returns {void} */
export function showHero() {
  const feed = feedFrom();
  const elements = document.querySelectorAll("#lanes > li");
  const lanes = LANES.map((motion, at) => new Lane(motion, elements[at]));
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
    // The frames that tell of them come with the greeting.
    setTimeout(() => {
      if (!lanes.every(({ isThere, isMoving }) => isThere && !isMoving)) return;
      const headers = { "Content-Type": "application/x-ndjson" };
      const body = updates.map((update) => JSON.stringify(update)).join("\n");
      // Nobody asked for this: what a token may not do goes without a word.
      fetch(addressOf("/v1/batch"), { method: "POST", body, headers }).catch(() => {});
    }, 300);
  }, { signal: listening.signal });
}
