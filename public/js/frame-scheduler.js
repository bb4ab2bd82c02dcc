// Schedules drawing: with each screen frame, or less often where drawing takes too much time.

/** The most of the page's time that drawing may take; user input waits no longer than that. */
const MAX_SHARE = 0.5;
/** Milliseconds of tolerance, so that a screen frame isn't missed by a little. */
const SLACK = 5;
/** Milliseconds of delay for what is not urgent. */
const SOON = 125;
/** The most milliseconds between two frames, however long one takes. */
const MAX_INTERVAL = 50;
/** Frames measured. The fastest counts, since other work may have delayed the rest. */
const MEASURED_FRAMES = 8;

export class FrameScheduler {
  isRequested = false;
  /** The cost of the last frames in milliseconds: styles, layout and painting included.
   *  @type {number[]} */
  #costs = [];
  /** The earliest time of the next frame. */
  due = 0;
  #painted = new MessageChannel();
  /** @type {number | undefined} */
  #timer;

  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /** Requests drawing in the next frame; several requests draw once. */
  request() {
    if (this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame((time) => this.begin(time));
  }

  /** Requests drawing that is not urgent. */
  requestSoon() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.request();
    }, SOON);
  }

  /** @param {number} time of the screen's frame */
  begin(time) {
    if (time < this.due) {
      requestAnimationFrame((next) => this.begin(next));
      return;
    }
    this.isRequested = false;
    const start = performance.now();
    const { port1, port2 } = this.#painted;
    // Arrives once the browser has painted the frame.
    port1.onmessage = () => {
      this.#costs.push(performance.now() - start);
      if (this.#costs.length > MEASURED_FRAMES) this.#costs.shift();
      this.due = time + Math.min(MAX_INTERVAL, Math.min(...this.#costs) / MAX_SHARE) - SLACK;
    };
    port2.postMessage(null);
    this.draw();
  }
}
