// Requests to the service, each shown as its curl line.
import { feedFrom } from "./feed.js";
import { addressOf } from "./root.js";
import { askFor, hint, isSignedIn, problemOf } from "./session.js";

/** `ticker:revenue` as kind and id. */
export const parts = (key) => key.split(/:(.*)/, 2);

export function pathOf(key) {
	const [kind, id] = parts(key);
	return `/v1/${kind}${kind === "progress" ? "" : "s"}/${encodeURIComponent(id)}`;
}

/** A whole resource; undefined where it is gone. */
export async function read(key) {
	const answer = await fetch(`${addressOf(pathOf(key))}${key[0] === "s" ? "?preview=5" : ""}`).catch(() => null);
	if (answer?.status === 401) hint(await problemOf(answer));
	return answer?.ok ? answer.json() : undefined;
}

/** As whoever is signed in would send it; the token is nowhere in the page. */
export function curl(method, path, body) {
	const verb = method === (body ? "POST" : "GET") ? "" : ` -X ${method}`;
	const data = body ? ` ${body.includes("\n") ? "--data-binary" : "-d"} '${body.replaceAll("'", "'\\''")}'` : "";
	const token = isSignedIn() ? ' -H "Authorization: Bearer $TOKEN"' : "";
	return `curl${verb} ${addressOf(path)}${token}${data}`;
}

/** Sends JSON, or NDJSON for a list; shows the curl line, and a refusal in the service's words. */
export async function send(method, path, value) {
	const lines = Array.isArray(value);
	const body = value && [value].flat().map((line) => JSON.stringify(line)).join("\n");
	const headers = body && { "Content-Type": `application/${lines ? "x-ndjson" : "json"}` };
	const answer = await fetch(addressOf(path), { method, body, headers }).catch(() => null);
	const problem = answer?.ok ? lines && refused(await answer.text().catch(() => "")) : await problemOf(answer);
	if (answer?.status === 401) askFor(problem, true);
	feedFrom().dispatchEvent(new CustomEvent("said", { detail: { line: curl(method, path, body), problem: problem || "" } }));
	return answer?.ok && !lines ? answer.json().catch(() => undefined) : undefined;
}

/** The first refusal of a batch, and how many there are besides. */
function refused(answers) {
	const [first, ...more] = answers.split("\n").filter(Boolean).map((line) => JSON.parse(line)).filter(({ status }) => status >= 400);
	return first && first.detail + (more.length ? ` (and ${more.length} more)` : "");
}
