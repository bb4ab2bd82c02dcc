// Requests to the service, each shown as the curl line that does the same.
import { feedFrom } from "./feed.js";

const LISTS = { ticker: "tickers", progress: "progress", schedule: "schedules" };

/** `ticker:revenue` as kind and id. */
export function parts(key) {
	const at = key.indexOf(":");
	return [key.slice(0, at), key.slice(at + 1)];
}

export function pathOf(key) {
	const [kind, id] = parts(key);
	return `/v1/${LISTS[kind]}/${encodeURIComponent(id)}`;
}

/** Reads JSON; undefined where there is none. */
export async function read(path) {
	const answer = await fetch(path).catch(() => null);
	return answer?.ok ? answer.json() : undefined;
}

/** The curl line of a request; a body of several lines is NDJSON. */
export function curl(method, path, body) {
	const verb = method === (body ? "POST" : "GET") ? "" : ` -X ${method}`;
	const data = body ? ` ${body.includes("\n") ? "--data-binary" : "-d"} '${body.replaceAll("'", "'\\''")}'` : "";
	return `curl${verb} ${location.origin}${path}${data}`;
}

/** Sends a request, shows its curl line, and tells of a refusal in the service's own words. */
export async function send(method, path, value) {
	const lines = Array.isArray(value);
	const body = lines ? value.map((line) => JSON.stringify(line)).join("\n") : value && JSON.stringify(value);
	const headers = { "Content-Type": `application/${lines ? "x-ndjson" : "json"}` };
	const answer = await fetch(path, { method, body, headers: body ? headers : {} }).catch(() => null);
	const result = lines ? undefined : await answer?.json().catch(() => undefined);
	const problem = answer?.ok ? "" : result?.detail ?? result?.title ?? answer?.statusText ?? "No connection";
	feedFrom().dispatchEvent(new CustomEvent("said", { detail: { line: curl(method, path, body), problem } }));
	return answer?.ok ? result : undefined;
}

export function batch(op, keys) {
	return send("POST", "/v1/batch", keys.map(parts).map(([kind, id]) => ({ op, [kind]: id })));
}
