// Time and a server for tests: the time moves when nothing else happens, to the next instant that something waits for.
import { Client } from "@tweencast/client";

export class IdleClock {
  #time = 0;
  #sleepers = new Set();
  #isTicking = false;

  now() {
    return this.#time;
  }

  sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        signal?.removeEventListener("abort", wake);
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { until: this.#time + milliseconds, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", wake);
      this.#tick();
    });
  }

  #tick() {
    if (this.#isTicking || !this.#sleepers.size) return;
    this.#isTicking = true;
    setImmediate(() => {
      this.#isTicking = false;
      const [first] = [...this.#sleepers].sort((one, other) => one.until - other.until);
      if (first) this.#time = first.until;
      first?.wake();
      this.#tick();
    });
  }
}

const encoder = new TextEncoder();

/** An event as the server writes it. */
export const event = (name, data, { id, retry } = {}) =>
  [name && `event: ${name}`, id && `id: ${id}`, retry && `retry: ${retry}`, `data: ${JSON.stringify(data)}`]
    .filter(Boolean)
    .join("\n") + "\n\n";
export const hello = (id, retry = 1000) => event("hello", { heartbeat: 5 }, { id, retry });
export const frame = (value, ticker = "a") => event("", { ticker, value, text: `${value}` });
export const complete = (id) => event("complete", { ticker: "a", reason: "finished" }, { id });

/** A stream of pieces, each when it is read; it ends, or stays open. Counts the pieces that were read. */
export class Body {
  read = 0;

  constructor(pieces, { staysOpen = false } = {}) {
    const left = [...pieces];
    this.stream = new ReadableStream({
      pull: (controller) => {
        this.controller = controller;
        if (left.length) {
          this.read++;
          return controller.enqueue(encoder.encode(left.shift()));
        }
        if (!staysOpen) controller.close();
      },
    }, { highWaterMark: 0 });
  }

  /** What `fetch` does to a body when its request is aborted. */
  abort(reason) {
    try {
      this.controller?.error(reason);
    } catch {
      // It has ended.
    }
  }
}

export const HANGS = Symbol("an answer that never comes");

/** In place of `fetch`: gives answers one after another, and keeps what was asked. */
export function serve(clock, ...answers) {
  const requests = [];
  const fetch = (url, options) => {
    const { pathname, searchParams } = new URL(url);
    requests.push({ ...options, url, path: pathname, query: searchParams, at: clock.now() });
    const answer = answers.shift();
    const { signal } = options;
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      if (answer === HANGS) return;
      if (answer instanceof Error) return reject(answer);
      if (!answer) return reject(new Error("no more answers"));
      if (!(answer instanceof Body)) return resolve(answer);
      signal.addEventListener("abort", () => answer.abort(signal.reason));
      resolve(new Response(answer.stream));
    });
  };
  return { fetch, requests };
}

export const json = (status, value, headers = {}) => new Response(JSON.stringify(value), { status, headers });
export const problem = (status, detail, headers = {}) => json(status, { status, title: "No", detail }, headers);

/** A client of such a server, and what it has been asked. Its random numbers are the largest. */
export function clientOf(answers, options = {}) {
  const clock = new IdleClock();
  const { fetch, requests } = serve(clock, ...answers);
  const client = new Client("http://tweens.example", { fetch, clock, random: () => 1, ...options });
  return { client, requests, clock };
}
