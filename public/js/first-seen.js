// When this browser first saw each resource, kept across reloads: the server doesn't send that.

/** The most resources remembered; beyond that the oldest is forgotten. */
const MAX_KEPT = 2000;
/** Milliseconds until changes are stored. */
const STORE_DELAY = 500;
const NAME = "tweencast.first-seen";

export class FirstSeen {
  /** @type {Map<string, number>} */
  times = new Map();

  constructor() {
    try {
      this.times = new Map(JSON.parse(localStorage.getItem(NAME) ?? "[]"));
    } catch {
      // A stored value in another version's format is ignored.
    }
    this.last = Math.max(0, ...this.times.values());
  }

  /** A number that is greater for a resource seen later.
   *  @param {string} key
   *  @returns {number} */
  of(key) {
    let time = this.times.get(key);
    if (time === undefined) {
      time = ++this.last;
      this.times.set(key, time);
      if (this.times.size > MAX_KEPT) this.times.delete(
        /** @type {string} */ (this.times.keys().next().value)
      );
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
    this.timer = setTimeout(
      () => localStorage.setItem(NAME, JSON.stringify([...this.times])), STORE_DELAY
    );
  }
}
