// Requests to the service, each shown as the curl line that does the same.
import { LISTS } from "./element.js";
import { feedFrom } from "./feed.js";

/** `ticker:revenue` as kind and id. */
export const parts = (key) => key.split(/:(.*)/, 2);

export function pathOf(key) {
	const [kind, id] = parts(key);
	return `/v1/${LISTS[kind]}/${encodeURIComponent(id)}`;
}

/** All there is to know of a resource, a schedule's next times too; undefined where it is gone. */
export async function read(key) {
	const answer = await fetch(pathOf(key) + (key[0] === "s" ? "?preview=5" : "")).catch(() => null);
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
	const headers = body && { "Content-Type": `application/${lines ? "x-ndjson" : "json"}` };
	const answer = await fetch(path, { method, body, headers }).catch(() => null);
	const result = lines ? undefined : await answer?.json().catch(() => undefined);
	const problem = answer?.ok ? "" : result?.detail ?? result?.title ?? answer?.statusText ?? "No connection";
	feedFrom().dispatchEvent(new CustomEvent("said", { detail: { line: curl(method, path, body), problem } }));
	return answer?.ok ? result : undefined;
}

export function batch(op, keys) {
	return send("POST", "/v1/batch", keys.map(parts).map(([kind, id]) => ({ op, [kind]: id })));
}
