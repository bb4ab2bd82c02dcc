// Requests to the service, each shown as the curl line that does the same.
import { feedFrom } from "./feed.js";

const PLURAL = { ticker: "tickers", progress: "progress", schedule: "schedules" };

/** The path of a resource key such as `ticker:revenue`. */
export function pathOf(key) {
  const at = key.indexOf(":");
  return `/v1/${PLURAL[key.slice(0, at)]}/${encodeURIComponent(key.slice(at + 1))}`;
}

/** Reads JSON; undefined where there is none. */
export async function read(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? answer.json() : undefined;
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The curl line of a request. */
export function curl(method, path, body) {
  const verb = method === (body ? "POST" : "GET") ? "" : ` -X ${method}`;
  const data = body ? ` ${body.includes("\n") ? "--data-binary" : "-d"} ${quote(body.trim())}` : "";
  return `curl${verb} ${location.origin}${path}${data}`;
}

/** Sends a request, shows its curl line, and tells of a refusal in the service's own words. */
export async function send(method, path, value) {
  const body = typeof value === "string" ? value : value && JSON.stringify(value);
  const said = { line: curl(method, path, body), problem: "" };
  const headers = body ? { "Content-Type": typeof value === "string" ? "application/x-ndjson" : "application/json" } : {};
  const answer = await fetch(path, { method, body, headers }).catch(() => null);
  const text = (await answer?.text()) ?? "";
  if (!answer) said.problem = "No connection";
  else if (!answer.ok) {
    const { title, detail } = text.startsWith("{") ? JSON.parse(text) : { title: answer.statusText };
    said.problem = detail ?? title;
  }
  feedFrom().dispatchEvent(new CustomEvent("said", { detail: said }));
  return answer?.ok ? (text && text[0] === "{" && !text.trim().includes("\n") ? JSON.parse(text) : text) : undefined;
}

/** One operation on many resources, in one request. */
export function batch(op, keys) {
  const lines = keys.map((key) => {
    const at = key.indexOf(":");
    return JSON.stringify({ op, [key.slice(0, at)]: key.slice(at + 1) });
  });
  return send("POST", "/v1/batch", lines.join("\n") + "\n");
}
