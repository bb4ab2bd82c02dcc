// Why a request or a stream failed.

/**
 * Problem details (RFC 9457), as the server sends them.
 * @typedef {object} Problem
 * @property {number} status the status code; 0 if no answer came
 * @property {string} [title] the status in words
 * @property {string} detail what is wrong, and what to do
 * @property {string} [pointer] the field at fault as a JSON pointer
 */

/** Whether the same request may succeed later. */
const isTemporaryStatus = (/** @type {number} */ status) => status >= 500 || [408, 425, 429].includes(status);

/** The server refused, or did not answer. Its message is one sentence for people. */
export class TweencastError extends Error {
  /**
   * @param {Problem} problem
   * @param {{ isTemporary?: boolean, retryAfter?: number, cause?: unknown }} more
   */
  constructor({ status, title, detail, pointer }, { isTemporary, retryAfter, cause } = {}) {
    super(pointer ? `${detail} (${pointer})` : detail, cause === undefined ? {} : { cause });
    this.name = "TweencastError";
    /** The status code; 0 if no answer came: what was asked may have been done. */
    this.status = status;
    /** The status in words.
     *  @type {string | undefined} */
    this.title = title;
    /** What is wrong, and what to do. */
    this.detail = detail;
    /** The field at fault as a JSON pointer.
     *  @type {string | undefined} */
    this.pointer = pointer;
    /** Whether the same request may succeed later. */
    this.isTemporary = isTemporary ?? isTemporaryStatus(status);
    /** Seconds after which the server wants to be asked again.
     *  @type {number | undefined} */
    this.retryAfter = retryAfter;
  }
}
