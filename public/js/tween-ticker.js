// <tween-ticker src="…/v1/tickers/id">: a moving number as text or, with `wheels`, as digit wheels. `mode="motion"`
// computes its motion here, `announce` announces values at rest, `for="id"` writes into another element.
import { make, setText } from "./dom.js";
import { TweenElement } from "./tween-element.js";
import { WHEEL_STYLES } from "./wheels-style.js";
import { Wheels } from "./wheels.js";

const STYLES = ["odometer", "continuous", "up", "down", "shortest", "strip"];
/** Wheels of these styles turn like a counter's; those of the others digit by digit. */
const COUNTER_STYLES = ["odometer", "continuous"];
/** Milliseconds between two updates of a moving number for assistive technology. */
const SPEAK_INTERVAL = 1000;

export class TweenTicker extends TweenElement {
  static get observedAttributes() {
    return [...super.observedAttributes, "wheels", "mode"];
  }

  styles = WHEEL_STYLES;
  /** Whether only the server can write the text. */
  #needsFrames = false;
  /** When assistive technology was last updated. */
  #spokenAt = -Infinity;
  /** Created with the first motion.
   *  @type {import("./player.js").Player | undefined} */
  player;
  /** The motion to play.
   *  @type {object | undefined} */
  #motion;

  build() {
    this.wheels = new Wheels(this.valuePart);
    this.valuePart.ariaHidden = "true";
    this.spoken = make("span", { class: "spoken", dir: "auto" });
    if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
    return [this.valuePart, this.spoken];
  }

  /** The style of the wheels; undefined for text. */
  get #wheelStyle() {
    const style = this.getAttribute("wheels");
    if (style === null) return undefined;
    return STYLES.includes(style) ? style : "odometer";
  }

  /** Wheels that turn digit by digit depend on earlier positions, which only the server knows. */
  get wants() {
    const wheelStyle = this.#wheelStyle;
    const isOurs = !wheelStyle || COUNTER_STYLES.includes(wheelStyle);
    const isPlayed = this.getAttribute("mode") === "motion" && isOurs && !this.#needsFrames;
    return isPlayed ? { motion: true } : { frames: true, wheels: wheelStyle };
  }

  /** @param {import("./tween-element.js").Resource} resource */
  listen(resource) {
    const unsubscribe = super.listen(resource);
    const { feed } = this;
    const refresh = () => this.player?.refresh();
    feed?.addEventListener("refresh", refresh);
    return () => {
      feed?.removeEventListener("refresh", refresh);
      this.#motion = undefined;
      this.player?.stop();
      unsubscribe();
    };
  }

  reset() {
    super.reset();
    setText(this.spoken, "");
    delete this.spoken.dataset.text;
    this.#needsFrames = false;
  }

  clear() {
    this.wheels?.write("");
  }

  /** @param {import("./motion.js").MotionEvent} motion */
  async receiveMotion(motion) {
    if (!this.wants.motion) return;
    this.#motion = motion;
    if (!this.player) {
      const module = await import("./player.js").catch(() => undefined);
      if (module) this.player ??= new module.Player(this, (data) => this.deliver(data, true));
      // Another motion may have arrived meanwhile, or the element may have been disconnected.
      if (motion !== this.#motion) return;
    }
    const style = /** @type {"odometer" | "continuous" | undefined} */ (this.#wheelStyle);
    if (this.player?.play(motion, style)) return;
    this.#needsFrames = true;
    queueMicrotask(() => this.isConnected && this.follow());
  }

  /**
   * Ignores frames, which another element may have subscribed to, while a motion plays.
   * @param {any} data
   */
  receive(data) {
    if (!this.player?.isPlaying) super.receive(data);
  }

  /** @param {any} data from a frame or the player */
  show(data) {
    super.show(data);
    if (performance.now() - this.#spokenAt >= SPEAK_INTERVAL) this.#speak();
  }

  /** Updates the text for assistive technology: the target if it is known, else the present text. */
  #speak() {
    const { text, display } = this.newest;
    this.spoken.dataset.text = display?.accessible ?? text;
    this.#spokenAt = performance.now();
  }

  /**
   * Shows the final value of the event: the server decides it.
   * @param {any} detail
   * @param {string} name
   */
  receiveEvent(detail, name) {
    if (this.wants.motion && /complete|removed/.test(name) && detail.reason !== "superseded") {
      // A motion that still waits for the player must not start.
      this.#motion = undefined;
      this.player?.stop();
      if (name === "complete") this.receive(detail);
    }
    super.receiveEvent(detail, name);
  }

  /** Whether more frames follow, from the server or the player. */
  get isTurning() {
    return this.pace === "live" && (!this.hasAttribute("stale") || this.player?.isPlaying);
  }

  /**
   * Without further frames a number is shown as text: its wheels could stand between two digits, or be a blur.
   * @param {any} frame
   */
  render(frame) {
    const { wheels } = this;
    const wheelStyle = this.#wheelStyle;
    if (!wheels) return;
    wheels.isStepping = wheelStyle !== "continuous";
    if (frame.wheels && wheelStyle && this.isTurning) wheels.show(frame, COUNTER_STYLES.includes(wheelStyle));
    else wheels.write(frame.text, frame.display?.value);
  }

  settle() {
    this.wheels?.settle();
    if (!this.newest) return;
    this.#speak();
    if (this.spoken.ariaLive) setText(this.spoken, this.newest.text);
  }
}
