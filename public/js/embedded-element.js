// Components on other sites' pages: they have a pace of their own, may wait until they are visible, and do little work
// off-screen. The board does this for its cards itself.
import { BoundElement } from "./bound-element.js";
import { Throttle } from "./throttle.js";
import { TweenTicker } from "./tween-ticker.js";
import { observeVisibility } from "./visibility.js";

/** Milliseconds between two updates of an off-screen text, which keep it current for searching and copying. */
const OFFSCREEN_INTERVAL = 1000;

/**
 * @template {new (...all: any[]) => import("./tween-element.js").TweenElement} Base
 * @param {Base} Kind
 */
export function embedded(Kind) {
  const { observedAttributes, properties } = /** @type {any} */ (Kind);

  return class extends Kind {
    static get observedAttributes() {
      return [...observedAttributes, "pace", "when"];
    }

    static get properties() {
      return [...properties, "pace"];
    }

    throttle = new Throttle(this, "", (data) => this.show(data));
    #isOffscreen = false;
    #drawnAt = -Infinity;
    /** @type {number | undefined} */
    #drawTimer;
    #unobserve = () => {};

    /** The element that shows the number.
     *  @returns {Element} */
    get place() {
      return this;
    }

    follow() {
      this.#unobserve();
      this.throttle.start(this.place);
      this.#unobserve = observeVisibility(this.place, (isVisible) => {
        this.#isOffscreen = !isVisible;
        if (isVisible) this.draw();
      });
      super.follow();
    }

    disconnectedCallback() {
      super.disconnectedCallback();
      this.throttle.stop();
      this.#unobserve();
    }

    /**
     * The page's pace, or a slower one.
     * @returns {import("./pace.js").Pace}
     */
    get pace() {
      return this.throttle.pace;
    }

    set pace(pace) {
      this.setAttribute("pace", pace);
    }

    /**
     * @param {any} data
     * @param {boolean} [isPaced]
     */
    deliver(data, isPaced) {
      this.throttle.receive(data, isPaced);
    }

    draw() {
      const passed = performance.now() - this.#drawnAt;
      if (this.#isOffscreen && passed < OFFSCREEN_INTERVAL) {
        this.#drawTimer ??= setTimeout(() => {
          this.#drawTimer = undefined;
          this.draw();
        }, OFFSCREEN_INTERVAL - passed);
        return;
      }
      this.#drawnAt = performance.now();
      super.draw();
    }

    rest() {
      this.throttle.settle();
      if (this.#isOffscreen) super.draw();
      super.rest();
    }
  };
}

/** A ticker that can write into another element of its tree: `for="id"`. */
export class EmbeddedTicker extends embedded(TweenTicker) {
  static get observedAttributes() {
    return [...super.observedAttributes, "for"];
  }

  /** @type {BoundElement | null} */
  #target = null;

  get target() {
    if (!this.isConnected) return this.#target;
    const id = this.getAttribute("for");
    const root = /** @type {Document | ShadowRoot} */ (this.getRootNode());
    const target = (id && root.getElementById?.(id)) || null;
    const before = this.#target;
    if (target !== (before?.element ?? null)) {
      this.#target = target && new BoundElement(target);
      // The number is in one place.
      super.clear();
      before?.restore();
      before?.setStale(null);
    }
    return this.#target;
  }

  get place() {
    return this.target?.element ?? this;
  }

  clear() {
    super.clear();
    this.target?.restore();
  }

  /** @param {any} data */
  render(data) {
    const { target } = this;
    if (target) target.write(data);
    else super.render(data);
  }

  /** @param {import("./resource.js").Staleness | null} reason */
  setStale(reason) {
    super.setStale(reason);
    this.target?.setStale(reason);
  }
}
