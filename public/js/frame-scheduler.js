// When a page draws: with each screen frame, or fewer where that would take too much of its time.

/** The share of the page's time that drawing may take: a keystroke waits for no more than that. */
const SHARE = 0.5;
/** Milliseconds by which a frame may come too early: the screen's are not missed by a little. */
const SLACK = 5;
/** Milliseconds in which nobody waits for what may come later. */
const SOON = 30;
/** Milliseconds between two frames at most, however long one takes. */
const LONGEST = 50;
/** Frames of which the fastest counts: what kept others may not have been the page. */
const COUNTED = 8;

export class Pacer {
  isAsked = false;
  /** What the last frames took, styles, layout and painting included, in milliseconds.
   *  @type {number[]} */
  costs = [];
  /** When the next frame may begin. */
  due = 0;
  painted = new MessageChannel();
  /** @type {number | undefined} */
  waiting;

  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /** Has it drawn, once however often that is asked for. */
  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((time) => this.begin(time));
  }

  /** Has it drawn in a while, for what nobody waits for. */
  askSoon() {
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.ask();
    }, SOON);
  }

  /** @param {number} time of the screen's frame */
  begin(time) {
    if (time < this.due) {
      requestAnimationFrame((next) => this.begin(next));
      return;
    }
    this.isAsked = false;
    const start = performance.now();
    const { port1, port2 } = this.painted;
    // Comes when the browser has painted what is drawn now.
    port1.onmessage = () => {
      this.costs.push(performance.now() - start);
      if (this.costs.length > COUNTED) this.costs.shift();
      this.due = time + Math.min(LONGEST, Math.min(...this.costs) / SHARE) - SLACK;
    };
    port2.postMessage(null);
    this.draw();
  }
}
