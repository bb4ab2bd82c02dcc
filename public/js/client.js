// Requests to the service, each with its curl line.
import { urlFor } from "./base-url.js";
import { feedFrom } from "./feed.js";
import { translate } from "./i18n.js";
import { askForToken, askForTokenOnce, isSignedIn, problemText } from "./session.js";

/** A request as its curl line, and why it failed.
 *  @typedef {{line: string, problem: string}} RequestReport */

/** The kind and id of a key such as `ticker:revenue`.
 *  @param {string} key
 *  @returns {string[]} */
export const splitKey = (key) => key.split(/:(.*)/, 2);

/** @param {string} key
 *  @returns {string} */
export function pathOf(key) {
  const [kind, id] = splitKey(key);
  return `/v1/${kind}${kind === "progress" ? "" : "s"}/${encodeURIComponent(id)}`;
}

/** The whole resource; undefined if there is none.
 *  @param {string} key
 *  @returns {Promise<any>} */
export async function fetchResource(key) {
  const query = key.startsWith("schedule:") ? "?preview=5" : "";
  const answer = await fetch(urlFor(pathOf(key)) + query).catch(() => null);
  if (answer?.status === 401) askForTokenOnce(await problemText(answer));
  return answer?.ok ? answer.json() : undefined;
}

/** Where a number went before; undefined if that is unknown.
 *  @param {string} key
 *  @returns {Promise<{at: string, value: number}[] | undefined>} */
export async function fetchHistory(key) {
  const answer = await fetch(urlFor(`${pathOf(key)}/history`)).catch(() => null);
  return answer?.ok ? (await answer.json()).points : undefined;
}

/** The curl line of a request. A token is never in it: the line says `$TOKEN`.
 *  @param {string} method
 *  @param {string} path
 *  @param {string} [body]
 *  @returns {string} */
export function curlLine(method, path, body) {
  const verb = method === (body ? "POST" : "GET") ? "" : ` -X ${method}`;
  const option = body?.includes("\n") ? "--data-binary" : "-d";
  const data = body ? ` ${option} '${body.replaceAll("'", "'\\''")}'` : "";
  const token = isSignedIn() ? ' -H "Authorization: Bearer $TOKEN"' : "";
  return `curl${verb} ${urlFor(path)}${token}${data}`;
}

/** Sends JSON, or NDJSON for a list, and reports its curl line and problem.
 *  @param {string} method
 *  @param {string} path
 *  @param {object | object[]} [value]
 *  @param {boolean} [isLineShown] whether its curl line is shown elsewhere
 *  @returns {Promise<any>} the answer to one value; undefined if it failed */
export async function send(method, path, value, isLineShown) {
  const isList = Array.isArray(value);
  const body = value && [value].flat().map((line) => JSON.stringify(line)).join("\n");
  const type = isList ? "application/x-ndjson" : "application/json";
  const headers = body ? { "Content-Type": type } : undefined;
  const answer = await fetch(urlFor(path), { method, body, headers }).catch(() => null);
  let problem = "";
  if (!answer?.ok) problem = await problemText(answer);
  else if (isList) problem = firstProblem(await answer.text().catch(() => ""));
  if (answer?.status === 401) askForToken(problem, true);
  const detail = { line: isLineShown ? "" : curlLine(method, path, body), problem };
  feedFrom().dispatchEvent(new CustomEvent("request", { detail }));
  return answer?.ok && !isList ? answer.json().catch(() => undefined) : undefined;
}

/** The first problem of a batch, and the count of the others.
 *  @param {string} answers NDJSON
 *  @returns {string} */
function firstProblem(answers) {
  const all = answers.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const [first, ...more] = all.filter(({ status }) => status >= 400);
  if (!first) return "";
  const { detail } = first;
  return more.length ? translate("{detail} (and {count} more)", { detail, count: more.length }) : detail;
}
