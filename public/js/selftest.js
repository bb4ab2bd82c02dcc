// Reads /v1/selftest and says what the way did to it. Read by fetch, which shows the headers that EventSource hides.
import { make, write } from "./element.js";

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

/** The pattern as it came: pieces with their numbers, server times and arrivals, and the count of heartbeats. */
async function listen() {
	const response = await fetch("v1/selftest", { headers: { Accept: "text/event-stream" }, cache: "no-store" });
	const pieces = [];
	let heartbeats = 0, event = "", rest = "";
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	for (let read; !(read = await reader.read()).done;) {
		const arrived = performance.now(), lines = (rest + read.value).split("\n");
		rest = lines.pop();
		for (const line of lines) {
			const [, name, value] = /^(event|data): (.*)/.exec(line) ?? [];
			if (name === "event") heartbeats += (event = value) === "heartbeat";
			else if (name && event === "selftest") pieces.push({ ...JSON.parse(value), arrived, now: Date.now() });
		}
	}
	return { pieces, heartbeats, coding: response.headers.get("content-encoding") };
}

/** What is wrong, in words; nothing when all is well. */
function findings({ pieces, heartbeats, coding }) {
	if (!pieces.length) return ["Nothing arrived: the stream is cut off on its way."];
	const [{ of, interval }] = pieces, found = [];
	const delays = pieces.map(({ arrived, t }) => arrived - t / 1e6), late = Math.max(...delays) - Math.min(...delays);
	const gaps = pieces.slice(1).map(({ arrived }, index) => arrived - pieces[index].arrived);
	const skew = pieces.map(({ now, t }) => now - t / 1e6).sort((a, b) => a - b)[pieces.length >> 1];
	if (pieces.length < of) found.push(`${of - pieces.length} of ${of} pieces are missing.`);
	if (gaps.filter((gap) => gap < interval * 100).length > of / 5) {
		found.push(`A proxy buffers: pieces come in bunches, up to ${seconds(late)} late.`);
	} else if (late > 3000 * interval) found.push(`Pieces come up to ${seconds(late)} late.`);
	if (coding) found.push(`The stream is compressed (${coding}): pieces may be held back until a block is full.`);
	if (Math.abs(skew) > 1000) found.push(`The clocks differ by ${seconds(skew)}.`);
	if (heartbeats < of / 10) found.push(`Heartbeats are lost: ${heartbeats} of ${of / 10} came.`);
	return found;
}

const [verdict, list, again] = document.querySelectorAll("#verdict, #findings, #again");

async function run() {
	write(verdict, "Listening…");
	list.replaceChildren();
	again.disabled = true;
	const found = await listen().then(findings, ({ message }) => [`The stream can't be read: ${message}`]);
	write(verdict, found.length ? "The way is not clear:" : "All is well: every piece came on time.");
	list.append(...found.map((text) => make("li", {}, text)));
	again.disabled = false;
}
again.addEventListener("click", run);
run();
