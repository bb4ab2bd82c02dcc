// When each resource was first seen by this browser, kept over a reload: no frame tells when it was made.

/** Resources that are remembered; beyond, the first is forgotten. */
const MOST = 2000;
/** Milliseconds until what came is stored. */
const STORING = 500;
const NAME = "tweencast.births";

export class Births {
  /** @type {Map<string, number>} */
  times = new Map();

  constructor() {
    try {
      this.times = new Map(JSON.parse(localStorage.getItem(NAME) ?? "[]"));
    } catch {
      // What another version of the page stored in another form counts as nothing.
    }
    this.last = Math.max(0, ...this.times.values());
  }

  /** A number that is greater for what was seen later.
   *  @param {string} key
   *  @returns {number} */
  of(key) {
    let time = this.times.get(key);
    if (time === undefined) {
      time = ++this.last;
      this.times.set(key, time);
      if (this.times.size > MOST) this.times.delete(/** @type {string} */ (this.times.keys().next().value));
      this.store();
    }
    return time;
  }

  /** @param {string} key
   *  @returns {void} */
  forget(key) {
    if (this.times.delete(key)) this.store();
  }

  store() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => localStorage.setItem(NAME, JSON.stringify([...this.times])), STORING);
  }
}
