// Reads /v1/selftest and says what the way did to it; fetch shows the headers.
import { make, write } from "./element.js";
import { askFor, problemOf } from "./session.js";

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

const say = (text) => write(document.querySelector("#verdict"), text);

/** What is wrong with the pattern, in words. */
async function listen() {
	const answer = await fetch("v1/selftest", { headers: { Accept: "text/event-stream" }, cache: "no-store" });
	if (answer.status === 401) {
		say("Not signed in");
		await askFor(await problemOf(answer));
		say("Listening…");
		return listen();
	}
	if (!answer.ok) throw new Error(await problemOf(answer));
	const { body, headers } = answer;
	const reader = body.pipeThrough(new TextDecoderStream()).getReader(), pieces = [], found = [];
	let heartbeats = 0, text = "";
	for (let read; !(read = await reader.read()).done;) {
		const events = (text + read.value).split("\n\n");
		text = events.pop();
		for (const event of events) {
			const [, data] = /^event: selftest\ndata: (.*)/m.exec(event) ?? [];
			if (data) pieces.push({ ...JSON.parse(data), arrived: Date.now() });
			heartbeats += /^event: heartbeat/m.test(event);
		}
	}
	if (!pieces.length) return ["Nothing arrived: the stream is cut off on its way."];
	const [{ of, interval }] = pieces, coding = headers.get("content-encoding");
	const delays = pieces.map(({ arrived, t }) => arrived - t / 1e6).sort((a, b) => a - b);
	const late = delays.at(-1) - delays[0], up = `up to ${seconds(late)} late.`;
	const bunched = pieces.filter(({ arrived }, i) => arrived - pieces[i - 1]?.arrived < interval * 100).length > of / 5;
	const tell = (wrong, text) => wrong && found.push(text);
	tell(pieces.length < of, `${of - pieces.length} of ${of} pieces are missing.`);
	tell(bunched, `A proxy buffers: pieces come in bunches, ${up}`);
	tell(!bunched && late > 3000 * interval, `Pieces come ${up}`);
	tell(coding, `The stream is compressed (${coding}): pieces may be held back until a block is full.`);
	tell(Math.abs(delays[0]) > 1000, `The clocks differ by ${seconds(delays[0])}.`);
	tell(heartbeats < of / 10, `Heartbeats are lost: ${heartbeats} of ${of / 10} came.`);
	return found;
}

const found = await listen().catch(({ message }) => [`The stream can't be read: ${message}`]);
say(found.length ? "The way is not clear:" : "All is well: every piece came on time.");
document.querySelector("#findings").append(...found.map((text) => make("li", {}, text)));
