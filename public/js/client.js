// Requests to the service, each shown as its curl line.
import { feedFrom } from "./feed.js";

/** `ticker:revenue` as kind and id. */
export const parts = (key) => key.split(/:(.*)/, 2);

export function pathOf(key) {
	const [kind, id] = parts(key);
	return `/v1/${kind}${kind === "progress" ? "" : "s"}/${encodeURIComponent(id)}`;
}

/** A whole resource; undefined where it is gone. */
export async function read(key) {
	const answer = await fetch(`${pathOf(key)}${key[0] === "s" ? "?preview=5" : ""}`).catch(() => null);
	return answer?.ok ? answer.json() : undefined;
}

export function curl(method, path, body) {
	const verb = method === (body ? "POST" : "GET") ? "" : ` -X ${method}`;
	const data = body ? ` ${body.includes("\n") ? "--data-binary" : "-d"} '${body.replaceAll("'", "'\\''")}'` : "";
	return `curl${verb} ${location.origin}${path}${data}`;
}

/** Sends JSON, or NDJSON for a list; shows the curl line, and a refusal in the service's words. */
export async function send(method, path, value) {
	const lines = Array.isArray(value);
	const body = value && [value].flat().map((line) => JSON.stringify(line)).join("\n");
	const headers = body && { "Content-Type": `application/${lines ? "x-ndjson" : "json"}` };
	const answer = await fetch(path, { method, body, headers }).catch(() => null);
	const result = lines ? undefined : await answer?.json().catch(() => undefined);
	const problem = answer?.ok ? "" : result?.detail ?? answer?.statusText ?? "No connection";
	feedFrom().dispatchEvent(new CustomEvent("said", { detail: { line: curl(method, path, body), problem } }));
	return answer?.ok ? result : undefined;
}
