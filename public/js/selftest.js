// Reads /v1/selftest and says what the way did to it; by fetch, which shows the headers that EventSource hides.
import { make, write } from "./element.js";

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

/** What is wrong with the pattern as it came, in words; nothing when all is well. */
async function listen() {
	const { body, headers } = await fetch("v1/selftest", { headers: { Accept: "text/event-stream" }, cache: "no-store" });
	const reader = body.pipeThrough(new TextDecoderStream()).getReader(), pieces = [], found = [];
	let heartbeats = 0, rest = "";
	for (let read; !(read = await reader.read()).done;) {
		const events = (rest + read.value).split("\n\n"), arrived = Date.now();
		rest = events.pop();
		for (const event of events) {
			const [, data] = /^event: selftest\ndata: (.*)/m.exec(event) ?? [];
			if (data) pieces.push({ ...JSON.parse(data), arrived });
			else heartbeats += event.includes("event: heartbeat");
		}
	}
	if (!pieces.length) return ["Nothing arrived: the stream is cut off on its way."];
	const [{ of, interval }] = pieces, coding = headers.get("content-encoding");
	const delays = pieces.map(({ arrived, t }) => arrived - t / 1e6).sort((a, b) => a - b), late = delays.at(-1) - delays[0];
	const bunched = pieces.filter(({ arrived }, i) => arrived - pieces[i - 1]?.arrived < interval * 100).length;
	const tell = (wrong, text) => wrong && found.push(text);
	tell(pieces.length < of, `${of - pieces.length} of ${of} pieces are missing.`);
	if (bunched > of / 5) tell(true, `A proxy buffers: pieces come in bunches, up to ${seconds(late)} late.`);
	else tell(late > 3000 * interval, `Pieces come up to ${seconds(late)} late.`);
	tell(coding, `The stream is compressed (${coding}): pieces may be held back until a block is full.`);
	tell(Math.abs(delays[0]) > 1000, `The clocks differ by ${seconds(delays[0])}.`);
	tell(heartbeats < of / 10, `Heartbeats are lost: ${heartbeats} of ${of / 10} came.`);
	return found;
}

const [verdict, list, again] = document.querySelectorAll("#verdict, #findings, #again");

async function run() {
	again.disabled = true;
	list.replaceChildren();
	write(verdict, "Listening…");
	const found = await listen().catch(({ message }) => [`The stream can't be read: ${message}`]);
	write(verdict, found.length ? "The way is not clear:" : "All is well: every piece came on time.");
	list.append(...found.map((text) => make("li", {}, text)));
	again.disabled = false;
}
again.addEventListener("click", run);
run();
