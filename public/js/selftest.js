// Reads /v1/selftest and says what the way did to it. Read by fetch, which shows the headers that EventSource hides.

const $ = id => document.getElementById(id);
const seconds = ms => `${(ms / 1000).toFixed(2)} s`;

// Lines of the stream, each with the moment of its arrival.
async function* lines(response) {
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = '';
	for (;;) {
		const {value, done} = await reader.read();
		if (done) return;
		const now = performance.now();
		const parts = (rest + value).split('\n');
		rest = parts.pop();
		for (const line of parts) yield {line, now};
	}
}

// The pattern as it came: pieces with their numbers, server times and arrivals, and the count of heartbeats.
async function listen() {
	const start = performance.now();
	const response = await fetch('v1/selftest', {headers: {Accept: 'text/event-stream'}, cache: 'no-store'});
	const pieces = [];
	let heartbeats = 0;
	let event = '';
	for await (const {line, now} of lines(response)) {
		if (line.startsWith('event: ')) event = line.slice(7);
		if (event === 'heartbeat' && line.startsWith('event: ')) heartbeats += 1;
		if (event === 'selftest' && line.startsWith('data: ')) {
			const {n, of, interval, t} = JSON.parse(line.slice(6));
			pieces.push({n, of, interval: interval * 1000, sent: t / 1e6, arrived: now, skew: Date.now() - t / 1e6});
		}
	}
	return {pieces, heartbeats, start, coding: response.headers.get('content-encoding')};
}

// What is wrong, in words; nothing when all is well.
export function findings({pieces, heartbeats, coding}) {
	if (!pieces.length) return ['Nothing arrived: the stream is cut off on its way.'];
	const [{of, interval}] = pieces;
	const found = [];
	const missing = of - pieces.length;
	if (missing) found.push(`${missing} of ${of} pieces are missing.`);
	const delays = pieces.map(piece => piece.arrived - piece.sent);
	const late = Math.max(...delays) - Math.min(...delays);
	const bunched = pieces.filter((piece, index) => index && piece.arrived - pieces[index - 1].arrived < interval / 10).length;
	if (bunched > of / 5) found.push(`A proxy buffers: pieces come in bunches, up to ${seconds(late)} late.`);
	else if (late > 3 * interval) found.push(`Pieces come up to ${seconds(late)} late.`);
	if (coding) found.push(`The stream is compressed (${coding}): pieces may be held back until a block is full.`);
	const skew = pieces.map(piece => piece.skew).sort((a, b) => a - b)[pieces.length >> 1];
	if (Math.abs(skew) > 1000) found.push(`The clocks differ by ${seconds(skew)}.`);
	if (heartbeats < of / 10) found.push(`Heartbeats are lost: ${heartbeats} of ${of / 10} came.`);
	return found;
}

async function run() {
	$('verdict').textContent = 'Listening…';
	$('findings').replaceChildren();
	$('again').disabled = true;
	let found;
	try {
		found = findings(await listen());
	} catch (error) {
		found = [`The stream can't be read: ${error.message}`];
	}
	$('verdict').textContent = found.length ? 'The way is not clear:' : 'All is well: every piece came on time.';
	$('findings').replaceChildren(...found.map(text => Object.assign(document.createElement('li'), {textContent: text})));
	$('again').disabled = false;
}

if ($('again')) {
	$('again').addEventListener('click', run);
	run();
}
