// The items of a stream that wait for their reader. A slow reader gets the newest frame of each topic, and every event.

/**
 * @typedef {import("./clock.js").Clock} Clock
 * @typedef {import("./items.js").StreamItem} StreamItem
 * @typedef {{ item: StreamItem, size: number, newest?: string }} Entry
 */

// The most items that wait, and the most characters in them. The stream isn't read meanwhile, so the server waits, too.
const MAX_ITEMS = 5000;
const MAX_SIZE = 4_194_304;
// Milliseconds that a reader has for what came at once. After that, a frame is replaced by the next one of its topic.
const GRACE = 50;

export class WaitingItems {
  /** By their number; frames that are replaced leave a gap.
   *  @type {Map<number, Entry>} */
  #entries = new Map();
  /** The numbers of the newest entries that may be replaced, by what replaces them.
   *  @type {Map<string, number>} */
  #newest = new Map();
  #count = 0;
  #size = 0;
  #isBehind = false;
  #hasEnded = false;
  /** @type {unknown} */
  #error;
  /** Continue what waits for a change.
   *  @type {Set<() => void>} */
  #waiting = new Set();
  #clock;

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * @param {StreamItem} item
   * @param {number} [size] its characters
   * @param {string} [newest] items of which only the newest counts have this in common
   */
  put(item, size = 0, newest) {
    const replaced = newest !== undefined && this.#isBehind ? this.#newest.get(newest) : undefined;
    if (replaced !== undefined) this.#remove(replaced);
    this.#entries.set(this.#count, { item, size, newest });
    if (newest !== undefined) this.#newest.set(newest, this.#count);
    this.#count++;
    this.#size += size;
    this.#change();
  }

  /**
   * Nothing more comes.
   * @param {unknown} [error] thrown by `take` behind the last item
   */
  end(error) {
    if (!this.#hasEnded) this.#error = error;
    this.#hasEnded = true;
    this.#change();
  }

  /**
   * Waits for the next item; undefined behind the last one.
   * @returns {Promise<StreamItem | undefined>}
   */
  async take() {
    for (;;) {
      const [first] = this.#entries;
      if (first) {
        this.#remove(first[0]);
        this.#change();
        return first[1].item;
      }
      if (this.#hasEnded) break;
      await this.#changed();
    }
    if (this.#error === undefined) return undefined;
    const error = this.#error;
    this.#error = undefined;
    throw error;
  }

  /** Waits until more may come. */
  async room() {
    const isFull = () => this.#entries.size >= MAX_ITEMS || this.#size >= MAX_SIZE;
    if (!this.#isBehind) await this.#emptied(GRACE);
    this.#isBehind = this.#entries.size > 0 && !this.#hasEnded;
    while (isFull() && !this.#hasEnded) await this.#changed();
  }

  /** @param {number} milliseconds that this waits at most */
  async #emptied(milliseconds) {
    if (!this.#entries.size) return;
    const late = new AbortController();
    let isLate = false;
    this.#clock.sleep(milliseconds, late.signal).then(() => {
      isLate = true;
      this.#change();
    });
    while (this.#entries.size && !this.#hasEnded && !isLate) await this.#changed();
    late.abort();
  }

  /** @param {number} number */
  #remove(number) {
    const { size = 0, newest } = this.#entries.get(number) ?? {};
    this.#entries.delete(number);
    this.#size -= size;
    if (newest !== undefined && this.#newest.get(newest) === number) this.#newest.delete(newest);
  }

  /** @returns {Promise<void>} */
  #changed() {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #change() {
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }
}
