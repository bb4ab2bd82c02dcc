// <tween-ticker src="…/v1/tickers/id">: a number on its way, as text or as digit wheels (`wheels`, or which
// way they turn). `mode="motion"` interpolates here, `announce` speaks values at rest, `for="id"` writes
// into another element.
import { make, TweenElement, write } from "./tween-element.js";
import { WHEELS } from "./wheels-style.js";
import { Wheels } from "./wheels.js";

const STYLES = ["odometer", "continuous", "up", "down", "shortest", "strip"];
/** Wheels of these turn with the number; those of the others with each digit. */
const STEADY = ["odometer", "continuous"];
/** Milliseconds after which assistive technology is told anew of a number on its way. */
const TELLING = 1000;

export class TweenTicker extends TweenElement {
  static get observedAttributes() {
    return [...super.observedAttributes, "wheels", "mode"];
  }

  styles = WHEELS;
  /** The text follows more than the number: it is the server's alone. */
  needsFrames = false;
  /** When assistive technology was last told. */
  toldAt = -Infinity;
  /** Plays motions here, once there was any.
   *  @type {import("./player.js").Player | undefined} */
  player;
  /** The motion that is to be played.
   *  @type {object | undefined} */
  #motion;

  build() {
    this.wheels = new Wheels(this.valuePart);
    this.valuePart.ariaHidden = "true";
    this.spoken = make("span", { class: "spoken", dir: "auto" });
    if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
    return [this.valuePart, this.spoken];
  }

  /** How the wheels turn, as the stream has it; undefined for text. */
  get wheelStyle() {
    const style = this.getAttribute("wheels");
    if (style === null) return undefined;
    return STYLES.includes(style) ? style : "odometer";
  }

  /** Wheels that turn digit by digit go on from where they stood: that only the server knows. */
  get wants() {
    const { wheelStyle } = this;
    const isOurs = !wheelStyle || STEADY.includes(wheelStyle);
    const isPlayed = this.getAttribute("mode") === "motion" && isOurs && !this.needsFrames;
    return isPlayed ? { motion: true } : { frames: true, wheels: wheelStyle };
  }

  /** @param {import("./tween-element.js").Resource} resource */
  listen(resource) {
    const leave = super.listen(resource);
    const { feed } = this;
    const beat = () => this.player?.beat();
    feed?.addEventListener("beat", beat);
    return () => {
      feed?.removeEventListener("beat", beat);
      this.#motion = undefined;
      this.player?.stop();
      leave();
    };
  }

  empty() {
    super.empty();
    write(this.spoken, "");
    delete this.spoken.dataset.text;
    this.needsFrames = false;
  }

  clear() {
    this.wheels?.write("");
  }

  /** @param {import("./motion.js").MotionEvent} motion */
  async move(motion) {
    if (!this.wants.motion) return;
    this.#motion = motion;
    if (!this.player) {
      const { Player } = await import("./player.js");
      this.player ??= new Player(this, (data) => this.admit(data, true));
      // Meanwhile there may be another, or none.
      if (motion !== this.#motion) return;
    }
    const style = /** @type {"odometer" | "continuous" | undefined} */ (this.wheelStyle);
    if (this.player.play(motion, style)) return;
    this.needsFrames = true;
    queueMicrotask(() => this.isConnected && this.follow());
  }

  /**
   * Others on the page may want frames of what moves here by itself.
   * @param {any} data
   */
  take(data) {
    if (!this.player?.isPlaying) super.take(data);
  }

  /** @param {any} data what a frame tells, or the player */
  show(data) {
    super.show(data);
    if (performance.now() - this.toldAt >= TELLING) this.tell();
  }

  /** Tells assistive technology where the number goes; where that isn't known, where it is. */
  tell() {
    const { text, display } = this.newest;
    this.spoken.dataset.text = display?.accessible ?? text;
    this.toldAt = performance.now();
  }

  /**
   * What a motion ended at is the server's to say.
   * @param {any} detail
   * @param {string} name
   */
  event(detail, name) {
    if (this.wants.motion && name === "complete" && detail.reason !== "superseded") {
      // One that waits for its player is not to be played any more.
      this.#motion = undefined;
      this.player?.stop();
      this.take(detail);
    }
    super.event(detail, name);
  }

  /** Whether more frames come, or are made here. */
  get isTurning() {
    return this.pace === "live" && (!this.hasAttribute("stale") || this.player?.isPlaying);
  }

  /**
   * What rests because the page does, or since nothing comes, is shown as text: wheels could stand
   * between two digits, or be a blur.
   * @param {any} frame
   */
  frame(frame) {
    const { wheelStyle, wheels } = this;
    if (!wheels) return;
    wheels.isStepping = wheelStyle !== "continuous";
    if (frame.wheels && wheelStyle && this.isTurning) wheels.show(frame, STEADY.includes(wheelStyle));
    else wheels.write(frame.text, frame.display?.value);
  }

  settle() {
    this.wheels?.settle();
    if (!this.newest) return;
    this.tell();
    if (this.spoken.ariaLive) write(this.spoken, this.newest.text);
  }
}
