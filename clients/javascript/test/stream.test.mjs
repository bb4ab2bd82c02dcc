// Streams over their connections, and what a slow reader gets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TweencastError } from "@tweencast/client";
import { Body, HANGS, clientOf, complete, event, frame, hello, problem } from "./fakes.mjs";

const over = () => new Response(null, { status: 204 });
const brief = ({ type, name, text }) => (type === "event" ? name : type === "frame" ? text : type);

/** What a stream has until its end. */
async function read(items) {
  const all = [];
  for await (const item of items) all.push(brief(item));
  return all;
}

test("a stream continues over its connections where it ended", async () => {
  const first = new Body([hello("1-1") + frame(1), complete("1-2")]);
  const { client, requests } = clientOf([first, new Body([hello("1-2", 3000) + frame(2)]), over()]);
  const items = await read(client.items(["ticker:a"]));
  assert.deepEqual(items, ["connected", "1", "complete", "disconnected", "connected", "2", "disconnected"]);
  assert.deepEqual(requests.map(({ query }) => query.get("lastEventID")), [null, "1-2", "1-2"]);
  assert.deepEqual(requests.map(({ at }) => at), [0, 1000, 4000]);
});

test("attempts become rarer, up to 30 seconds", async () => {
  const failures = Array.from({ length: 8 }, () => new TypeError("fetch failed"));
  const { client, requests } = clientOf([...failures, new Body([hello("1-1")]), over()]);
  await read(client.items(["ticker:a"]));
  const waits = requests.slice(1).map(({ at }, index) => at - requests[index].at);
  assert.deepEqual(waits, [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 1000]);
});

test("a server's own pause may be longer, that of an answer a minute at most", async () => {
  const bye = event("bye", { reason: "full" }, { retry: 40_000 });
  const answers = [new Body([bye], { staysOpen: true }), problem(503, "full", { "Retry-After": "7200" }), over()];
  const { client, requests } = clientOf(answers);
  assert.deepEqual(await read(client.items(["ticker:a"])), ["connected", "disconnected", "disconnected"]);
  assert.deepEqual(requests.map(({ at }) => at), [0, 40_000, 100_000]);
});

test("a silent stream is given up after two heartbeats", async () => {
  const answers = [new Body([hello("1-1")], { staysOpen: true }), HANGS, over()];
  const { client, requests } = clientOf(answers, { heartbeat: 7 });
  assert.deepEqual(await read(client.items(["ticker:a"])), ["connected", "disconnected", "disconnected"]);
  // 11 seconds by the greeting; 15 by what was asked for.
  assert.deepEqual(requests.map(({ at }) => at), [0, 12_000, 28_000]);
  assert.equal(requests[0].query.get("heartbeat"), "7");
});

test("a page of a proxy is no stream", async () => {
  const page = () => new Response("<html>\n\nPlease log in\n\n</html>");
  const { client, requests } = clientOf([page(), page(), over()]);
  assert.deepEqual(await read(client.items(["ticker:a"])), ["disconnected", "disconnected"]);
  assert.deepEqual(requests.map(({ at }) => at), [0, 2000, 6000]);
});

test("a stream that the server refuses throws its reason", async () => {
  const { client } = clientOf([new Body([hello("1-1")]), problem(401, "the token has expired")]);
  const items = client.items(["ticker:a"])[Symbol.asyncIterator]();
  assert.equal((await items.next()).value.type, "connected");
  assert.equal((await items.next()).value.type, "disconnected");
  await assert.rejects(items.next(), (error) => error instanceof TweencastError && error.status === 401);
  assert.deepEqual(await items.next(), { value: undefined, done: true });
});

test("an event without an end does not fill the memory", async () => {
  const endless = new Body(Array(1000).fill("x".repeat(65_536)));
  const { client } = clientOf([endless, over()]);
  assert.deepEqual(await read(client.items(["ticker:a"])), ["disconnected"]);
  assert.ok(endless.read < 5);
});

test("frames are those of one resource, until it is removed", async () => {
  const removed = event("removed", { ticker: "a", reason: "deleted" }, { id: "1-2" });
  const body = new Body([hello("1-1") + frame(1), frame(2), removed, frame(3)], { staysOpen: true });
  const { client, requests } = clientOf([body]);
  const texts = [];
  for await (const { text } of client.ticker("a").frames({ fps: 10 })) texts.push(text);
  assert.deepEqual(texts, ["1", "2"]);
  assert.equal(requests[0].query.get("fps"), "10");
  assert.ok(requests[0].signal.aborted);
});

test("a loop that is left closes its connection", async () => {
  const { client, requests } = clientOf([new Body([hello("1-1")], { staysOpen: true })]);
  for await (const item of client.items(["ticker:a"])) if (item) break;
  assert.ok(requests[0].signal.aborted);
});

test("a signal ends a stream that waits for something", async () => {
  const stop = new AbortController();
  const { client, requests, clock } = clientOf([new Body([hello("1-1")], { staysOpen: true })]);
  clock.sleep(3000).then(() => stop.abort());
  assert.deepEqual(await read(client.items(["ticker:a"], { signal: stop.signal })), ["connected"]);
  assert.ok(requests[0].signal.aborted);
  assert.deepEqual(await read(client.items(["ticker:a"], { signal: stop.signal })), []);
});

test("a return ends a read that waits", async () => {
  const { client } = clientOf([new Body([hello("1-1")], { staysOpen: true })]);
  const items = client.items(["ticker:a"])[Symbol.asyncIterator]();
  await items.next();
  const next = items.next();
  await items.return();
  assert.deepEqual(await next, { value: undefined, done: true });
});

test("a stream may begin behind an event that was processed earlier", async () => {
  const { client, requests } = clientOf([over()]);
  await read(client.items(["notification:deploy"], { lastEventID: "1-7", mode: "motion", locale: "de" }));
  const { query } = requests[0];
  const [id, mode, locale] = ["lastEventID", "mode", "locale"].map((name) => query.get(name));
  assert.deepEqual([id, mode, locale, query.getAll("notification")], ["1-7", "motion", "de", ["deploy"]]);
});

test("more topics than an address holds go into a body", async () => {
  const { client, requests } = clientOf([over()], { token: "secret" });
  const names = Array.from({ length: 1000 }, (_, index) => `ticker-${index}`);
  await read(client.items(["progress:*", ...names.map((name) => `ticker:${name}`)]));
  const [{ method, path, query, body, headers }] = requests;
  assert.deepEqual([method, path, `${query}`, headers.Authorization], ["POST", "/v1/events", "", "Bearer secret"]);
  assert.deepEqual(JSON.parse(body), { ticker: names, progress: ["*"], heartbeat: 5 });
});

test("a slow reader gets the newest frame of each topic, and every event", async () => {
  const first = [hello("1-1") + frame(1) + frame(1, "b"), frame(2), complete("1-2")];
  const pieces = [...first, frame(3), frame(2, "b") + frame(4), complete("1-3")];
  const { client, clock } = clientOf([new Body(pieces), over()]);
  const items = client.items(["ticker:*"])[Symbol.asyncIterator]();
  assert.equal(brief((await items.next()).value), "connected");
  await clock.sleep(500);
  const texts = [];
  for (let item = await items.next(); !item.done; item = await items.next()) texts.push(brief(item.value));
  assert.deepEqual(texts, ["complete", "2", "4", "complete", "disconnected"]);
});

test("a reader that keeps up gets every frame", async () => {
  const pieces = Array.from({ length: 300 }, (_, index) => frame(2 * index) + frame(2 * index + 1));
  const { client } = clientOf([new Body([hello("1-1"), ...pieces]), over()]);
  const items = await read(client.items(["ticker:a"]));
  assert.deepEqual(items.slice(1, -1), Array.from({ length: 600 }, (_, index) => `${index}`));
});

test("a stream is not read while too many events wait, and none is lost", async () => {
  const count = 12_000;
  const body = new Body([hello("1-1"), ...Array.from({ length: count }, (_, index) => complete(`1-${index + 2}`))]);
  const { client, clock } = clientOf([body, over()]);
  const items = client.items(["ticker:a"])[Symbol.asyncIterator]();
  await items.next();
  // Longer than any silence: it isn't the server that is silent.
  await clock.sleep(60_000);
  assert.ok(body.read <= 5002, `${body.read}`);
  const ids = [];
  for (let item = await items.next(); !item.done; item = await items.next()) ids.push(item.value.id);
  assert.deepEqual(ids.slice(0, -1), Array.from({ length: count }, (_, index) => `1-${index + 2}`));
});

test("long events are few that wait", async () => {
  const long = "x".repeat(60_000);
  const one = (index) => event("notification", { notification: "a", data: long }, { id: `1-${index}` });
  const body = new Body([hello("1-0"), ...Array.from({ length: 200 }, (_, index) => one(index + 1))]);
  const { client, clock } = clientOf([body, over()]);
  const items = client.items(["notification:a"])[Symbol.asyncIterator]();
  await items.next();
  await clock.sleep(60_000);
  assert.ok(body.read < 80, `${body.read}`);
  let count = 0;
  for (let item = await items.next(); !item.done; item = await items.next()) {
    if (brief(item.value) === "notification") count++;
  }
  assert.equal(count, 200);
});
