// Requests to the service, each shown as its curl line.
import { feedFrom } from "./feed.js";
import { addressOf } from "./base-url.js";
import { askFor, hint, isSignedIn, problemOf } from "./session.js";
import { words } from "./i18n.js";

/** What was sent, as a curl line, and why it was refused.
 *  @typedef {{line: string, problem: string}} Said */

/** `ticker:revenue` as kind and id.
 *  @param {string} key
 *  @returns {string[]} */
export const parts = (key) => key.split(/:(.*)/, 2);

/** @param {string} key
 *  @returns {string} */
export function pathOf(key) {
  const [kind, id] = parts(key);
  return `/v1/${kind}${kind === "progress" ? "" : "s"}/${encodeURIComponent(id)}`;
}

/** A whole resource; undefined where it is gone.
 *  @param {string} key
 *  @returns {Promise<any>} */
export async function read(key) {
  const query = key.startsWith("schedule:") ? "?preview=5" : "";
  const answer = await fetch(addressOf(pathOf(key)) + query).catch(() => null);
  if (answer?.status === 401) hint(await problemOf(answer));
  return answer?.ok ? answer.json() : undefined;
}

/** Where a number was to go before; undefined where nobody knows.
 *  @param {string} key
 *  @returns {Promise<{at: string, value: number}[] | undefined>} */
export async function readHistory(key) {
  const answer = await fetch(addressOf(`${pathOf(key)}/history`)).catch(() => null);
  return answer?.ok ? (await answer.json()).points : undefined;
}

/** As whoever is signed in would send it; the token is nowhere in the page.
 *  @param {string} method
 *  @param {string} path
 *  @param {string} [body]
 *  @returns {string} */
export function curl(method, path, body) {
  const verb = method === (body ? "POST" : "GET") ? "" : ` -X ${method}`;
  const option = body?.includes("\n") ? "--data-binary" : "-d";
  const data = body ? ` ${option} '${body.replaceAll("'", "'\\''")}'` : "";
  const token = isSignedIn() ? ' -H "Authorization: Bearer $TOKEN"' : "";
  return `curl${verb} ${addressOf(path)}${token}${data}`;
}

/** Sends JSON, or NDJSON for a list; shows the curl line, and a refusal in the service's words.
 *  @param {string} method
 *  @param {string} path
 *  @param {object | object[]} [value]
 *  @param {boolean} [isSeen] whether its curl line stands somewhere already
 *  @returns {Promise<any>} what was answered to one value; undefined where that was a refusal */
export async function send(method, path, value, isSeen) {
  const isList = Array.isArray(value);
  const body = value && [value].flat().map((line) => JSON.stringify(line)).join("\n");
  const type = isList ? "application/x-ndjson" : "application/json";
  const headers = body ? { "Content-Type": type } : undefined;
  const answer = await fetch(addressOf(path), { method, body, headers }).catch(() => null);
  let problem = "";
  if (!answer?.ok) problem = await problemOf(answer);
  else if (isList) problem = refusalOf(await answer.text().catch(() => ""));
  if (answer?.status === 401) askFor(problem, true);
  const detail = { line: isSeen ? "" : curl(method, path, body), problem };
  feedFrom().dispatchEvent(new CustomEvent("said", { detail }));
  return answer?.ok && !isList ? answer.json().catch(() => undefined) : undefined;
}

/** The first refusal of a batch, and how many there are besides.
 *  @param {string} answers NDJSON
 *  @returns {string} */
function refusalOf(answers) {
  const all = answers.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const [first, ...more] = all.filter(({ status }) => status >= 400);
  if (!first) return "";
  const { detail } = first;
  return more.length ? words("{detail} (and {count} more)", { detail, count: more.length }) : detail;
}
