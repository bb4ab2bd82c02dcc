// What is sent, how often, and how failures are reported.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, TweencastError } from "@tweencast/client";
import { HANGS, clientOf, json, problem } from "./fakes.mjs";

const moved = () => json(202, { ticker: "a", value: 0, target: 5, text: "0" });
const bodies = (requests) => requests.map(({ body }) => JSON.parse(body));

test("an update is retried under one key until it is answered", async () => {
  const full = problem(503, "no room", { "Retry-After": "3" });
  const answers = [full, new TypeError("fetch failed"), problem(429, "slow down"), moved()];
  const retries = [];
  const { client, requests } = clientOf(answers, { onRetry: (error) => retries.push(error.status) });
  const state = await client.ticker("a").add(5);
  assert.equal(state.target, 5);
  assert.deepEqual(requests.map(({ at }) => at), [0, 3000, 3500, 4500]);
  assert.deepEqual(retries, [503, 0, 429]);
  assert.equal(new Set(requests.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
  assert.deepEqual(bodies(requests), Array(4).fill({ by: 5 }));
});

test("each update has a key of its own, or the one that it is given", async () => {
  const { client, requests } = clientOf([moved(), moved(), moved()]);
  await client.ticker("a").add(1);
  await client.ticker("a").add(1);
  await client.ticker("a").add(1, { key: "job-4711" });
  const keys = requests.map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], "job-4711");
});

test("an answer that does not come in time is asked for again", async () => {
  const { client, requests } = clientOf([HANGS, moved()], { patience: 60 });
  await client.ticker("a").set(5);
  assert.deepEqual(requests.map(({ at }) => at), [0, 30_250]);
});

test("an attempt is given up when the patience ends", async () => {
  const detail = "no answer from http://tweens.example: no answer in time";
  for (const [patience, end] of [[undefined, 10_000], [1, 1000], [0, 1000], [25, 25_000]]) {
    const { client, requests, clock } = clientOf([HANGS], { patience });
    await assert.rejects(client.ticker("a").set(5), { status: 0, detail });
    assert.deepEqual([requests.length, clock.now()], [1, end]);
  }
  // The second one has what the first one left, or a second.
  for (const [patience, end] of [[4, 4000], [1, 1250]]) {
    const { client, requests, clock } = clientOf([problem(503, "no room"), HANGS], { patience });
    await assert.rejects(client.ticker("a").set(5), { status: 0, detail });
    assert.deepEqual([requests.map(({ at }) => at), clock.now()], [[0, 250], end]);
  }
});

test("retries end when the patience does", async () => {
  const { client, requests } = clientOf(Array.from({ length: 9 }, () => problem(503, "no room")), { patience: 1 });
  await assert.rejects(client.ticker("a").set(5), { name: "TweencastError", status: 503, detail: "no room" });
  assert.deepEqual(requests.map(({ at }) => at), [0, 250, 750]);
});

test("no answer is waited for longer than a minute", async () => {
  const { client, requests } = clientOf([problem(503, "full", { "Retry-After": "14400" }), moved()], { patience: 600 });
  await client.ticker("a").set(5);
  assert.equal(requests[1].at, 60_000);
});

test("what would be refused again is not sent again", async () => {
  const refused = { status: 422, title: "Unprocessable Content", detail: "to is no number", pointer: "/to" };
  const { client, requests } = clientOf([json(422, refused)]);
  await assert.rejects(client.ticker("a").set(5), (error) => {
    assert.ok(error instanceof TweencastError);
    const { status, title, detail, pointer, message, isTemporary } = error;
    assert.deepEqual({ status, title, detail, pointer }, refused);
    assert.equal(message, "to is no number (/to)");
    assert.equal(isTemporary, false);
    return true;
  });
  assert.equal(requests.length, 1);
});

test("what a proxy answers is a problem, too", async () => {
  const { client } = clientOf([new Response("<h1>Not here</h1>", { status: 404 }), new Response("<h1>Welcome</h1>")]);
  await assert.rejects(client.ticker("a").get(), { status: 404, detail: "the server answered with status 404" });
  await assert.rejects(client.ticker("a").get(), { status: 200, isTemporary: false });
});

test("an answer that is not a server's is an error", async () => {
  const others = () => [204, "[]", "{}", "null", "7", '"a"', '{"ticker":1}', '{"items":[]}'].map((other) =>
    other === 204 ? new Response(null, { status: 204 }) : new Response(other));
  const ask = {
    set: (client) => client.ticker("a").set(5), get: (client) => client.schedule("a").get(),
    cancel: (client) => client.progress("a").cancel(),
  };
  const detail = "the answer of http://tweens.example is not that of a Tweencast server";
  for (const [name, call] of Object.entries(ask)) {
    const { client, requests } = clientOf(others());
    for (const { status } of others()) await assert.rejects(call(client), { status, detail, isTemporary: false }, name);
    assert.equal(requests.length, others().length);
  }
  const pages = ["", "{}", '{"items":5}', '{"items":[{}]}', '{"items":[null]}', '{"items":[],"next":5}'];
  const { client } = clientOf(pages.map((page) => new Response(page)));
  for (const page of pages) await assert.rejects(client.list("ticker").next(), { status: 200, detail }, page);
});

test("a certificate that isn't trusted ends it at once", async () => {
  const cause = Object.assign(new Error("expired"), { code: "CERT_HAS_EXPIRED" });
  const { client, requests } = clientOf([new TypeError("fetch failed", { cause })]);
  const message = "no answer from http://tweens.example: expired";
  await assert.rejects(client.ticker("a").set(5), { status: 0, message });
  assert.equal(requests.length, 1);
});

test("the token goes to the server alone", async () => {
  const redirect = new Response(null, { status: 307, headers: { Location: "http://other.example/" } });
  const hidden = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
  const { client, requests } = clientOf([redirect, hidden], { token: "secret" });
  await assert.rejects(client.ticker("a").set(5), { status: 307 });
  await assert.rejects(client.ticker("a").set(5), { status: 0, isTemporary: false });
  for (const { headers, redirect } of requests) {
    assert.equal(headers.Authorization, "Bearer secret");
    assert.equal(redirect, "manual");
  }
});

test("numbers are sent as they are written", async () => {
  const digits = "12345678901234567890123456789012345.50";
  const amounts = [250, -0.1, 1e-7, 12345678901234567890n, digits, "-12.50", "+5", ".5", "007"];
  const { client, requests } = clientOf(amounts.map(moved));
  for (const amount of amounts) await client.ticker("a").set(amount);
  const sent = [250, -0.1, 1e-7, "12345678901234567890", digits, "-12.50", "5", "0.5", "007"];
  assert.deepEqual(bodies(requests).map(({ to }) => to), sent);
});

test("what is no number is not sent", async () => {
  const { client, requests } = clientOf([]);
  for (const amount of [NaN, Infinity, "", ".", "-", "5.", "1e3", "0x10", "1,5", " 1", null, undefined]) {
    for (const move of ["set", "add"]) await assert.rejects(client.ticker("a")[move](amount), TypeError, `${amount}`);
    await assert.rejects(client.progress("b").set(amount), TypeError, `${amount}`);
  }
  assert.deepEqual(requests, []);
});

test("an update has the fields that it is given, in one order", async () => {
  const { client, requests } = clientOf([moved(), moved(), moved()]);
  const fields = { spring: { response: 0.4 } };
  await client.ticker("a").set(1, { easing: "ease", fields, label: "$0", duration: 2 });
  await client.progress("b").set(42, { of: "200", from: 0, duration: 1 });
  await client.progress("b").set(5, { of: null });
  assert.equal(requests[0].body, '{"to":1,"duration":2,"label":"$0","easing":"ease","spring":{"response":0.4}}');
  assert.deepEqual(bodies(requests).slice(1), [{ current: 42, from: 0, maximum: "200", duration: 1 },
    { current: 5, maximum: null }]);
  assert.equal(requests[1].url, "http://tweens.example/v1/progress/b");
});

test("notifications, removals and cancellations count once, too", async () => {
  const done = () => new Response(null, { status: 204 });
  const stopped = json(200, { progress: "b", value: 0, text: "0" });
  const { client, requests } = clientOf([done(), done(), done(), stopped]);
  await client.notify("deploy", { version: "1.2" });
  await client.notify("lunch");
  await client.ticker("a:b").delete();
  await client.progress("b").cancel();
  assert.deepEqual(requests.map(({ method, path, body }) => [method, path, body]), [
    ["POST", "/v1/notifications/deploy", '{"version":"1.2"}'], ["POST", "/v1/notifications/lunch", undefined],
    ["DELETE", "/v1/tickers/a%3Ab", undefined], ["POST", "/v1/progress/b/cancel", undefined],
  ]);
  assert.ok(requests.every(({ headers }) => headers["Idempotency-Key"]));
});

test("a list is read page by page", async () => {
  const first = json(200, { items: [{ ticker: "a" }, { ticker: "b" }], next: "b" });
  const { client, requests } = clientOf([first, json(200, { items: [{ ticker: "c" }] })]);
  const ids = [];
  for await (const { ticker } of client.list("ticker", { prefix: "x&y" })) ids.push(ticker);
  assert.deepEqual(ids, ["a", "b", "c"]);
  const asked = requests.map(({ query }) => [query.get("prefix"), query.get("after")]);
  assert.deepEqual(asked, [["x&y", null], ["x&y", "b"]]);
});

test("a signal ends a request while it waits for its answer, and while it waits to be sent again", async () => {
  const reason = new Error("no longer needed");
  const waiting = new AbortController();
  const { client, clock } = clientOf([HANGS]);
  clock.sleep(10).then(() => waiting.abort(reason));
  await assert.rejects(client.ticker("a").set(5, { signal: waiting.signal }), reason);

  const pausing = new AbortController();
  const other = clientOf([problem(503, "no room")], { onRetry: () => pausing.abort(reason) });
  await assert.rejects(other.client.ticker("a").set(5, { signal: pausing.signal }), reason);
  assert.equal(other.requests.length, 1);
});

test("what can't be sent is refused where it is written", async () => {
  for (const server of ["ftp://a.example", "http://", "http://me:secret@a.example", "http://a.example?b"]) {
    assert.throws(() => new Client(server), TypeError, server);
  }
  assert.throws(() => new Client("localhost", { token: "a\nb" }), TypeError);
  const { client, requests } = clientOf([moved()]);
  assert.throws(() => client.items(["tikcer:a"]), TypeError);
  assert.throws(() => client.items([]), TypeError);
  await assert.rejects(client.ticker("a").set(1, { key: "a\r\nb" }), TypeError);
  await assert.rejects(client.ticker("a").set(1, { durration: 1 }), TypeError);
  assert.deepEqual(requests, []);
});

test("a name that nothing can have is refused where it is given", async () => {
  const { client, requests } = clientOf([]);
  const odd = ["", ".", "..", "a/b", "a?b", "a b", "a*", "*", "ü", "a\n", "\ud800", "a".repeat(129), undefined, 5];
  for (const name of odd) {
    for (const kind of ["ticker", "progress", "schedule"]) {
      assert.throws(() => client[kind](name), TypeError, `${name}`);
    }
    await assert.rejects(client.notify(name), TypeError, `${name}`);
  }
  for (const name of ["a", "a.b_c~d:e-9", "...", "a".repeat(128)]) assert.equal(client.ticker(name).id, name);
  assert.deepEqual(requests, []);
});

test("a topic that nothing can have is refused before a stream is opened", () => {
  const { client } = clientOf([]);
  for (const name of ["a/b", "a?b", "..", "a*b", "**", "a/*", "a\n", "\ud800", "a".repeat(129)]) {
    for (const kind of ["ticker", "notification"]) {
      assert.throws(() => client.items(["ticker:a", `${kind}:${name}`]), TypeError, name);
    }
  }
  client.items(["ticker:*", "progress:.*", `schedule:${"a".repeat(128)}*`, "notification:a"]);
});

test("an address may lack its scheme, and may have a path", async () => {
  const addresses = { "localhost:8080/": "http://localhost:8080", "https://a.example/x/": "https://a.example/x" };
  for (const [typed, url] of Object.entries(addresses)) {
    const urls = [];
    const fetch = async (asked) => urls.push(asked) && moved();
    await new Client(typed, { fetch }).ticker("a").get();
    assert.deepEqual(urls, [`${url}/v1/tickers/a`]);
  }
});
