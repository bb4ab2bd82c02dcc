// <tween-ticker src="…/v1/tickers/id">: a number on its way, as digit wheels (`wheels`) or plain text.
// `mode="motion"` interpolates here from motion events; `for="id"` writes into another element instead.
import { MotionPlayer } from "./motion.js";
import { make, TweenElement } from "./element.js";
import { Wheels } from "./wheels.js";

export class TweenTicker extends TweenElement {
  static observedAttributes = ["src", "wheels", "mode", "for"];

  build(root) {
    this.moving = make("span", { part: "value", class: "value", dir: "auto", "aria-hidden": "true" });
    this.spoken = make("span", { class: "spoken", dir: "auto" });
    if (this.hasAttribute("announce")) this.spoken.setAttribute("aria-live", "polite");
    this.fallback = make("slot");
    root.append(this.moving, this.spoken, this.fallback);
  }

  follow() {
    this.wheels = this.hasAttribute("wheels") ? new Wheels(this.moving) : null;
    this.player?.stop();
    this.player = null;
    if (this.getAttribute("mode") !== "motion" || !this.resource) return super.follow();
    super.disconnectedCallback();
    this.player = new MotionPlayer(this.resource, this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.player?.stop();
  }

  /** The number shown last, unrounded. */
  get value() {
    return this.current?.value;
  }

  frame(data) {
    const first = !this.current;
    this.current = data;
    this.fallback.hidden = true;
    this.write(data.text, data.value);
    if (first) this.settle(data.text); else this.settleSoon(data.text);
  }

  write(text, value) {
    const target = this.hasAttribute("for") ? document.getElementById(this.getAttribute("for")) : null;
    if (target) target["value" in target ? "value" : "textContent"] = text;
    else if (this.wheels) this.wheels.show(text, value, this.still);
    else if (this.moving.textContent !== text) this.moving.textContent = text;
  }

  event(name, data) {
    if (name === "complete" && data.text !== undefined) this.write(data.text, data.value);
    super.event(name, data);
  }
}
