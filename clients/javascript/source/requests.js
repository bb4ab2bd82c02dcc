// Requests and their answers, retried for as long as it makes sense.
import { childOf } from "./clock.js";
import { TweencastError } from "./error.js";

/**
 * @typedef {import("./clock.js").Clock} Clock
 *
 * How a client reaches its server.
 * @typedef {object} Connector
 * @property {string} server its address, without a slash at the end
 * @property {string} [token]
 * @property {typeof globalThis.fetch} fetch
 * @property {Clock} clock
 * @property {() => number} random 0 or more, below 1
 * @property {number} patience milliseconds for which a request is retried
 * @property {(error: TweencastError) => void} [onRetry]
 *
 * A request. `isAnswer` says whether a success' JSON, undefined for none, answers it; any does if it is left out.
 * @typedef {{ method: string, path: string, body?: string, key?: string, isAnswer?: (json: any) => boolean }} Request
 */

// Milliseconds that an attempt may take until its whole answer has come, and that it may even if the patience is over.
const LONGEST_ATTEMPT = 30_000;
const SHORTEST_ATTEMPT = 1000;
// The most bytes of an answer.
const MAX_ANSWER = 16_777_216;
// Milliseconds before the first retry, and the most before any.
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;
// The most seconds that an answer's `Retry-After` is waited for.
const LONGEST_ASKED = 60;

/**
 * Milliseconds before a request is sent again; undefined if that would be too late.
 * @param {number} attempt the number of the attempt that failed, from 1
 * @param {number} asked the answer's `Retry-After` in seconds, or 0
 * @param {number} elapsed milliseconds since the first attempt
 * @param {number} patience
 * @param {number} jitter 0 or more, below 1
 */
export function retryPause(attempt, asked, elapsed, patience, jitter) {
  const own = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE) * (0.5 + 0.5 * jitter);
  const pause = Math.max(own, asked * 1000);
  return elapsed + pause <= patience ? pause : undefined;
}

/** A unique key. It needs to be no secret: Node 18 has no global `crypto`, and its `Math.random` starts at random. */
export function newKey() {
  const words = new Uint32Array(4);
  if (globalThis.crypto) crypto.getRandomValues(words);
  else words.forEach((_, index) => (words[index] = Math.random() * 2 ** 32));
  return Array.from(words, (word) => word.toString(36)).join("-");
}

/**
 * Sends a request once. No redirect is followed: the token is for this server alone.
 * @param {Connector} connector
 * @param {Request & { headers?: Record<string, string> }} request
 * @param {AbortSignal} signal
 */
export function sendOnce({ server, token, fetch }, { method, path, body, key, headers }, signal) {
  /** @type {Record<string, string>} */
  const all = { ...headers };
  if (token) all.Authorization = `Bearer ${token}`;
  if (key) all["Idempotency-Key"] = key;
  if (body) all["Content-Type"] = "application/json";
  return fetch(server + path, { method, headers: all, body, signal, redirect: "manual", cache: "no-store" });
}

/**
 * A body's text.
 * @param {Response} answer
 */
async function textOf(answer) {
  if (!answer.body) return "";
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let [text, length] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MAX_ANSWER) throw new Error(`the answer has more than ${MAX_ANSWER} bytes`);
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Why an answer is no success: problem details, or what a proxy answered in their place.
 * @param {Response} answer
 * @param {string} [text] its body
 */
export async function refusal(answer, text) {
  // A browser hides where a redirect leads, and its status.
  if (answer.type === "opaqueredirect")
    return new TweencastError({ status: 0, detail: "the server redirects elsewhere" }, { isTemporary: false });
  let details;
  try {
    details = JSON.parse(text ?? (await textOf(answer)));
  } catch {
    // It is no JSON, or was cut off: the status says enough.
  }
  const { title, detail = `the server answered with status ${answer.status}`, pointer } = details ?? {};
  const asked = Number(answer.headers.get("Retry-After")) || 0;
  const retryAfter = asked > 0 ? Math.min(asked, LONGEST_ASKED) : undefined;
  return new TweencastError({ status: answer.status, title, detail, pointer }, { retryAfter });
}

/**
 * Why no answer came. A certificate that isn't trusted now won't be in a moment.
 * @param {string} server
 * @param {any} error
 */
export function unreachable(server, error) {
  const cause = error?.cause ?? error;
  const isTemporary = !/CERT|SIGNATURE/.test(cause?.code ?? "");
  const detail = `no answer from ${server}: ${cause?.message || cause?.code || cause}`;
  return new TweencastError({ status: 0, detail }, { isTemporary, cause: error });
}

/**
 * Sends a request until it is answered, and gives the answer's JSON.
 * @param {Connector} connector
 * @param {Request} request
 * @param {AbortSignal} [signal]
 */
export async function send(connector, request, signal) {
  const { clock, patience, random, onRetry } = connector;
  if (request.key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(request.key))
    throw new TypeError("a key has 1 to 255 characters of ASCII");
  const start = clock.now();
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const left = patience - (clock.now() - start);
    const limit = Math.max(SHORTEST_ATTEMPT, Math.min(left, LONGEST_ATTEMPT));
    const result = await answerOrError(connector, request, limit, signal);
    if (!(result instanceof TweencastError)) return result.json;
    const elapsed = clock.now() - start;
    const pause = result.isTemporary && retryPause(attempt, result.retryAfter ?? 0, elapsed, patience, random());
    if (typeof pause !== "number") throw result;
    onRetry?.(result);
    await clock.sleep(pause, signal);
  }
}

/**
 * @param {Connector} connector
 * @param {Request} request
 * @param {number} limit milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<TweencastError | { json: any }>}
 */
async function answerOrError(connector, request, limit, signal) {
  const attempt = childOf(signal);
  connector.clock.sleep(limit, attempt.signal).then(() => attempt.abort(new Error("no answer in time")));
  try {
    const answer = await sendOnce(connector, request, attempt.signal);
    const text = await textOf(answer);
    if (!answer.ok) return await refusal(answer, text);
    return readJSON(answer.status, text, connector.server, request.isAnswer);
  } catch (error) {
    signal?.throwIfAborted();
    return unreachable(connector.server, error);
  } finally {
    attempt.abort();
  }
}

/**
 * @param {number} status
 * @param {string} text
 * @param {string} server
 * @param {(json: any) => boolean} [isAnswer]
 */
function readJSON(status, text, server, isAnswer = () => true) {
  try {
    const json = text ? JSON.parse(text) : undefined;
    if (isAnswer(json)) return { json };
  } catch {
    // It is no JSON.
  }
  return new TweencastError({ status, detail: `the answer of ${server} is not that of a Tweencast server` });
}
