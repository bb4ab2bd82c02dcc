// The controls of the first screen: the target, the duration and the curve of what is sent next.
import { setText } from "./dom.js";
import { curvePath, easingCurve, springCurve } from "./easing.js";
import { formatNumber, translate } from "./i18n.js";

/** The spring that the controls offer, by its duration. */
const springOf = (/** @type {number} */ duration) => (
  { dampingRatio: 0.4, response: Number((duration / 3).toPrecision(3)) }
);
/** The size of a curve's picture. */
const PICTURE = { width: 40, height: 24 };

/** @typedef {{to: number, duration?: number, easing?: string, spring?: {dampingRatio: number, response: number}}} Update */

export class HeroControls {
  #form;
  #send;
  /** The end other than 0. */
  #high = 100;

  /** @param {HTMLFormElement} form
   *  @param {() => void} send sends the update
   *  @param {() => void} change shows an update that isn't sent yet */
  constructor(form, send, change) {
    this.#form = form;
    this.#send = send;
    for (const picture of form.querySelectorAll("svg")) this.#drawCurve(picture);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#toggle();
    });
    form.addEventListener("input", () => {
      this.#write();
      change();
    });
    form.addEventListener("change", ({ target }) => this.#change(/** @type {HTMLInputElement} */ (target)));
    this.#write();
  }

  /** Whether the number is on its way to the target of the controls, or there: sending it again wouldn't be seen.
   *  @type {"away" | "underway" | "there"} */
  state = "away";

  /** @returns {Update} */
  get update() {
    const to = Number(this.#field("to").value);
    const duration = Number(this.#field("duration").value);
    const { value: easing } = this.#field("easing");
    return easing === "spring"
      ? { to, spring: springOf(duration) }
      : { to, duration, easing };
  }

  /** Sends the number to its target; one that is there or under way, to the other end. */
  #toggle() {
    if (this.state !== "away") this.#turn();
    this.#send();
  }

  /** @param {HeroControls["state"]} state */
  setState(state) {
    if (state === this.state) return;
    this.state = state;
    this.#showGoal();
  }

  /** @param {string} name
   *  @returns {any} */
  #field(name) {
    return this.#form.elements.namedItem(name);
  }

  #turn() {
    const to = this.#field("to");
    to.value = Number(to.value) ? "0" : `${this.#high}`;
    this.#write();
  }

  /** @param {HTMLInputElement} field */
  #change({ name, value }) {
    // Another duration or curve is seen when the number goes back.
    if (name !== "to" && this.state === "there") this.#turn();
    if (name === "to" && Number(value)) this.#high = Number(value);
    this.#send();
  }

  /** Writes the values beside the controls, and where the button sends the number. */
  #write() {
    const [, to, duration] = this.#form.querySelectorAll("span");
    setText(to, formatNumber(this.#field("to").value));
    setText(duration, `${formatNumber(this.#field("duration").value)} s`);
    this.#showGoal();
  }

  #showGoal() {
    const to = Number(this.#field("to").value);
    const goal = this.state === "away" ? to : to ? 0 : this.#high;
    setText(this.#form.querySelectorAll("span")[0], formatNumber(goal));
  }

  /** @param {SVGElement} picture */
  #drawCurve(picture) {
    const field = /** @type {HTMLInputElement} */ (picture.previousElementSibling);
    const curve = field.value === "spring" ? springCurve(springOf(1)) : easingCurve(field.value);
    const { width, height } = PICTURE;
    picture.querySelector("path")?.setAttribute("d", curvePath(curve, width, height, 0, 1));
    const label = /** @type {HTMLElement} */ (field.parentElement);
    label.title = field.ariaLabel = translate(field.value);
  }
}
