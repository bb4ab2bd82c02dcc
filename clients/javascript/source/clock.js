// Time and cancellation.

/**
 * The time, in milliseconds from any origin. `sleep` also ends when its signal aborts.
 * @typedef {{ now(): number, sleep(milliseconds: number, signal?: AbortSignal): Promise<void> }} Clock
 */

// A timer that is set for longer fires at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** This machine's clock, which never goes back.
 *  @type {Clock} */
export const systemClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(milliseconds, LONGEST_TIMER));
      signal?.addEventListener("abort", wake);
    }),
};

/**
 * A controller that also aborts when a signal does. Abort it at the end: only then the signal forgets it.
 * @param {AbortSignal} [signal]
 */
export function childOf(signal) {
  const child = new AbortController();
  const abort = () => child.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { signal: child.signal });
  return child;
}
