// Follows a stream over its connections: where to continue, and when. docs/streams.md, What a good client does.

// Milliseconds before the next connection while the server has not said how many.
const RETRY = 2000;
// The longest pause that this client chooses by itself.
const LONGEST_PAUSE = 30_000;

export class Course {
  #retry = RETRY;
  /** Attempts since an event came. */
  #failures = 0;

  /** @param {string} [lastID] the id from which the first connection continues */
  constructor(lastID) {
    this.lastID = lastID;
  }

  /**
   * Stores where an event leads.
   * @param {{ id?: string, retry?: number }} event
   */
  take({ id, retry }) {
    this.#failures = 0;
    this.lastID = id ?? this.lastID;
    if (retry !== undefined && retry >= 0) this.#retry = retry;
  }

  /** No event came of an attempt. */
  fail() {
    this.#failures++;
  }

  /**
   * Milliseconds before the next connection.
   * @param {number} [asked] the answer's `Retry-After` in seconds
   */
  pause(asked) {
    if (asked !== undefined) return asked * 1000;
    const doubled = this.#retry * 2 ** Math.max(0, this.#failures - 1);
    return Math.max(this.#retry, Math.min(doubled, LONGEST_PAUSE));
  }
}
