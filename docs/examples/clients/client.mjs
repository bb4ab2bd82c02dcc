// Streams from Tweencast and posts updates, with only Node's own fetch (18 or later).
//   node client.mjs stream http://localhost:8080 'ticker=visitors'
//   node client.mjs add http://localhost:8080 visitors 1
// TWEENCAST_TOKEN is sent where the server asks for tokens. TWEENCAST_KEY names what is added: with the same key it
// counts once, even if a cron job runs twice.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const longest = 60_000; // milliseconds that this waits at most, whatever an answer asks for

// An answer that a retry would repeat.
class Refused extends Error {}

async function send(url, options) {
  const token = process.env.TWEENCAST_TOKEN;
  const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
  // A redirect isn't followed: the token is for this server alone.
  const answer = await fetch(url, { ...options, headers, redirect: "manual" });
  const isFinal = (answer.status >= 300 && answer.status < 500 && answer.status !== 429) || answer.status === 204;
  if (isFinal) throw new Refused(`${answer.status} ${await answer.text()}`);
  return answer;
}

// Milliseconds that an answer asks to wait, at most a minute, or 0.
function retryAfter(answer) {
  const asked = 1000 * answer.headers.get("Retry-After") || 0;
  if (asked > longest)
    console.error(`${answer.status}: the server asks for ${asked / 1000} s, trying again in ${longest / 1000} s`);
  return Math.min(asked, longest);
}

// Lines of a body, as they arrive.
async function* lines(body) {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const pieces = (rest + text).split("\n");
    rest = pieces.pop();
    yield* pieces;
  }
}

class Stream {
  last = ""; // the id to go on from
  retry = 2000; // milliseconds until the next connection; the server tells its own
  asked = 0; // the same, of an answer that said when to try again

  constructor(url, query) {
    this.url = `${url}/v1/events?${query}`;
  }

  // Names and data of events, over any number of connections.
  async *events() {
    for (let failures = 0; ; ) {
      this.asked = 0;
      try {
        for await (const event of this.#connection()) {
          failures = 0;
          yield event;
        }
      } catch (error) {
        if (error instanceof Refused) throw error;
        console.error(`no stream: ${error.cause ?? error}`);
        failures += 1;
      }
      // The server's `retry` spreads its clients; while it stays away, attempts become rarer.
      const longer = Math.min(this.retry * 2 ** Math.max(0, failures - 1), 30_000);
      await sleep(this.asked || Math.max(this.retry, longer));
    }
  }

  async *#connection() {
    // After two missing heartbeats the connection is dead: reading it then throws.
    const silence = new AbortController();
    let patience = 10_000;
    let timer = setTimeout(() => silence.abort(), patience);
    try {
      const headers = this.last ? { "Last-Event-ID": this.last } : {};
      const answer = await send(this.url, { headers, signal: silence.signal });
      this.asked = retryAfter(answer);
      if (answer.status !== 200) throw new Error(answer.status);
      let [name, id, data] = ["message", "", []];
      for await (const line of lines(answer.body)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), patience);
        const colon = line.indexOf(":");
        const [field, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
        if (field === "event") name = value;
        else if (field === "id") id = value;
        else if (field === "retry") this.retry = Number(value);
        else if (field === "data") data.push(value);
        if (line) continue;
        // The event is complete only now. One that was cut off is sent again, so its id must not be stored earlier.
        this.last = id || this.last;
        if (name === "hello") patience = 2000 * JSON.parse(data[0]).heartbeat + 1000;
        if (data.length) yield [name, data.join("\n")];
        if (name === "bye") return;
        [name, id, data] = ["message", "", []];
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }
}

// Adds to a ticker's target once, however often it is sent.
async function add(url, ticker, number) {
  const key = process.env.TWEENCAST_KEY || randomUUID();
  const headers = { "Idempotency-Key": key, "Content-Type": "application/json" };
  const body = JSON.stringify({ by: number, duration: 0.5 });
  for (let attempt = 0; attempt < 10; attempt++) {
    let pause = Math.min(500 * 2 ** attempt, 30_000);
    try {
      const signal = AbortSignal.timeout(10_000);
      const answer = await send(`${url}/v1/tickers/${ticker}`, { method: "POST", headers, body, signal });
      if (answer.ok) return await answer.json();
      pause = retryAfter(answer) || pause;
    } catch (error) {
      if (error instanceof Refused) throw error;
      console.error(`not answered: ${error.cause ?? error}`);
    }
    await sleep(pause);
  }
  throw new Error("the server doesn't answer");
}

const [verb, typed, ...rest] = process.argv.slice(2);
// localhost:8080/ means http://localhost:8080.
const url = (typed.includes("://") ? "" : "http://") + typed.replace(/[/]+$/, "");
try {
  if (verb === "add") console.log((await add(url, rest[0], Number(rest[1]))).target);
  else for await (const [name, data] of new Stream(url, rest[0]).events()) console.log(name, data);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
