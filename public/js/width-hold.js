// Keeps the width of a moving number from shrinking, where the page wants that.
import { TRANSITION, widthInEm } from "./wheel-columns.js";

/** Numbers that have started to move in this turn.
 *  @type {Set<WidthHold>} */
const pending = new Set();

/** Reads all styles after everything was written: reading each at once would recompute the layout each time. */
function startPending() {
  const enabled = [...pending].filter((room) => room.isEnabled);
  pending.clear();
  for (const room of enabled) room.start();
}

/** With `--tween-hold-width: 1` a number that has become wider keeps its width until it rests. */
export class WidthHold {
  /** In em. */
  #widest = 0;

  /** @type {Animation | null} */
  #shrinking = null;
  #element;
  #observer;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    // Called between layout and painting, so that no frame shows a smaller width.
    this.#observer = new ResizeObserver(() => this.#grow());
  }

  request() {
    if (!pending.size) queueMicrotask(startPending);
    pending.add(this);
  }

  get isEnabled() {
    const style = getComputedStyle(this.#element);
    return style.getPropertyValue("--tween-hold-width").trim() === "1";
  }

  start() {
    const element = this.#element;
    if (this.#shrinking) this.#shrinking.onfinish = null;
    element.classList.add("held");
    this.#observer.observe(element);
  }

  #grow() {
    const width = widthInEm(this.#element);
    if (!(width > this.#widest)) return;
    this.#widest = width;
    this.#element.style.minWidth = `${width}em`;
  }

  release() {
    const element = this.#element;
    const widest = this.#widest;
    pending.delete(this);
    if (!element.classList.contains("held")) return;
    this.#observer.disconnect();
    this.#widest = 0;
    element.style.minWidth = "";
    const steps = [{ minWidth: `${widest}em` }, { minWidth: `${widthInEm(element)}em` }];
    this.#shrinking = element.animate(steps, TRANSITION);
    this.#shrinking.onfinish = () => element.classList.remove("held");
  }
}
