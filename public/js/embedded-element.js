// What components on pages of others do besides: a pace of their own, a first sight, and little work
// while they are out of sight. The board looks after its cards itself.
import { Gate } from "./throttle.js";
import { Outlet } from "./bound-element.js";
import { watch } from "./visibility.js";
import { TweenTicker } from "./tween-ticker.js";

/** What is out of sight is written this often, in milliseconds: pages are searched and copied. */
const READABLE = 1000;

/**
 * @template {new (...all: any[]) => import("./tween-element.js").TweenElement} Base
 * @param {Base} Kind
 */
export function onPages(Kind) {
  const { observedAttributes, properties } = /** @type {any} */ (Kind);

  return class extends Kind {
    static get observedAttributes() {
      return [...observedAttributes, "pace", "when"];
    }

    static get properties() {
      return [...properties, "pace"];
    }

    gate = new Gate(this, "", (data) => this.show(data));
    isOut = false;
    drawnAt = -Infinity;
    /** @type {number | undefined} */
    later;
    unwatch = () => {};

    /** Where it is shown.
     *  @returns {Element} */
    get place() {
      return this;
    }

    follow() {
      this.unwatch();
      this.gate.begin(this.place);
      this.unwatch = watch(this.place, (isSeen) => {
        this.isOut = !isSeen;
        if (isSeen) this.draw();
      });
      super.follow();
    }

    disconnectedCallback() {
      super.disconnectedCallback();
      this.gate.end();
      this.unwatch();
    }

    /**
     * How it moves: as the page does, or slower.
     * @returns {import("./pace.js").Pace}
     */
    get pace() {
      return this.gate.pace;
    }

    set pace(pace) {
      this.setAttribute("pace", pace);
    }

    /**
     * @param {any} data
     * @param {boolean} [isPaced]
     */
    admit(data, isPaced) {
      this.gate.take(data, isPaced);
    }

    draw() {
      const passed = performance.now() - this.drawnAt;
      if (this.isOut && passed < READABLE) {
        this.later ??= setTimeout(() => {
          this.later = undefined;
          this.draw();
        }, READABLE - passed);
        return;
      }
      this.drawnAt = performance.now();
      super.draw();
    }

    rest() {
      this.gate.settle();
      if (this.isOut) super.draw();
      super.rest();
    }
  };
}

/** A ticker that may write into another element of its tree: `for="id"`. */
export class PageTicker extends onPages(TweenTicker) {
  static get observedAttributes() {
    return [...super.observedAttributes, "for"];
  }

  /** @type {Outlet | null} */
  #outlet = null;

  get outlet() {
    const id = this.getAttribute("for");
    const root = /** @type {Document | ShadowRoot} */ (this.getRootNode());
    const target = id ? root.getElementById?.(id) : null;
    if (!target) return null;
    if (target !== this.#outlet?.element) this.#outlet = new Outlet(target);
    return this.#outlet;
  }

  get place() {
    return this.outlet?.element ?? this;
  }

  clear() {
    super.clear();
    this.outlet?.empty();
  }

  /** @param {any} data */
  frame(data) {
    const { outlet } = this;
    if (outlet) outlet.write(data);
    else super.frame(data);
  }

  /** @param {import("./resource.js").Staleness | null} reason */
  tellStale(reason) {
    super.tellStale(reason);
    this.outlet?.tellStale(reason);
  }
}
