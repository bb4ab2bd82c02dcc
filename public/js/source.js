// One EventSource for all readers, in a page or as the worker that all tabs share.

const EVENTS = ["message", "motion", "complete", "milestone", "scheduled", "fired", "skipped", "notification", "paused", "resumed",
	"removed", "hello", "reset", "heartbeat", "bye"];

/** Opens a stream that gives `act` the name and the data of each event; frames are called `message`. */
export function listen(url, act) {
	const stream = new EventSource(url);
	for (const name of EVENTS) stream.addEventListener(name, ({ data }) => act(name, data));
	return stream;
}

/** Asks a page for a one-time ticket: by its function, or by an address that takes what `POST /v1/tickets` takes. */
async function ticketFrom(giver, topics) {
	const wish = {};
	for (const [kind, id] of topics.map((topic) => topic.split("="))) {
		if (id && kind !== "wheels") (wish[kind] ??= []).push(id);
	}
	if (typeof giver === "function") return giver(wish);
	const headers = { "Content-Type": "application/json" };
	const answer = await fetch(giver, { method: "POST", headers, body: JSON.stringify(wish) });
	return (await answer.json()).ticket;
}

/** The answer gives a reader `[name, key, data]` of what comes for any reader; no topics end it. A `giver` of tickets is
 *  asked for one whenever the stream is opened: each is good for once. */
export function source(origin, giver) {
	const readers = new Map();
	let latest = new Map(), batch = [], status = { state: "connecting" }, retries = 0, topics, query, stream, timer, opening, ended;

	if (origin === location.origin && !giver) new BroadcastChannel("session").onmessage = ({ data }) => renounce(data === "out");
	return (reader, wishes) => {
		const isNew = !readers.has(reader);
		if (isNew) {
			// What is left of a stream that ended is for those who saw it.
			if (!opening) {
				ended = null;
				lost();
			}
			reader([["status", "", status], ...[...(opening ? latest : [])].map((item) => ["message", ...item])]);
		}
		readers.set(reader, wishes);
		if (!wishes.length) readers.delete(reader);
		const all = new Set([...readers.values()].flat());
		topics = [...all].filter((topic) => !/=.*[^*]$/.test(topic) || !all.has(topic.replace(/=.*/, "=*"))).sort();
		const wanted = topics.join("&");
		// A page that was loaded anew is one that wants it to be tried anew.
		if (wanted === query && (opening || !isNew)) return;
		query = wanted;
		close();
		if (query) open();
	};

	async function open() {
		const mine = (opening = {});
		let url = `${origin}/v1/events?${query}`;
		if (giver) {
			const ticket = await ticketFrom(giver, topics).catch(console.warn);
			if (mine !== opening) return;
			if (!ticket) return retry();
			url += `&ticket=${encodeURIComponent(ticket)}`;
		}
		stream = listen(url, (name, data) => {
			watch();
			if (name === "hello") hello(JSON.parse(data));
			if (/hello|reset/.test(name)) renew();
			else if (name === "bye") lost((ended = JSON.parse(data).reason) && giver);
			else if (name !== "heartbeat") take(name, data);
		});
		stream.onerror = () => (stream.readyState === EventSource.CLOSED && !giver ? ask(url, mine) : lost(giver));
		watch();
	}

	/** EventSource gives up on what is no stream, and doesn't tell why. Without a token that may read something nothing is
	 *  tried again until somebody signs in or out, or loads a page anew. */
	async function ask(url, mine) {
		lost();
		clearTimeout(timer);
		const headers = { Accept: "text/event-stream" }, signal = AbortSignal.timeout(1e4);
		const answer = await fetch(url, { headers, signal, cache: "no-store" }).catch(() => null);
		const state = { 401: "asked", 403: "refused" }[answer?.status];
		const { detail } = state ? await answer.json().catch(() => ({})) : {};
		if (!state) answer?.body?.cancel();
		if (mine !== opening) return;
		if (!state) return retry();
		close();
		tell({ state, detail, ended });
		ended = null;
		if (state === "refused") renew();
	}

	/** What was let in before counts no more; whoever signs out leaves nothing behind. */
	function renounce(isOut) {
		for (const data of isOut ? latest.values() : []) take("removed", data);
		close();
		retries = 0;
		lost();
		if (query) open();
	}

	function close() {
		opening = null;
		clearTimeout(timer);
		stream?.close();
	}

	function take(name, data) {
		const key = data.replace(/^\{"(\w+)":"([^"]*)"[^]*/, "$1:$2");
		if (name === "message") latest.set(key, data);
		else if (name === "removed") latest.delete(key);
		put(name, key, data);
	}

	/** Hands out what came in one packet at once. */
	function put(...item) {
		if (batch.push(item) === 1) setTimeout(() => {
			for (const reader of readers.keys()) reader(batch);
			batch = [];
		}, 1);
	}

	function tell(news) {
		put("status", "", (status = { ...status, ...news }));
	}

	function hello(greeting) {
		retries = 0;
		ended = null;
		tell({ state: "live", greeting, skew: Date.now() - Date.parse(greeting.now) });
	}

	/** The frames that follow are the state now; what has none within two seconds is gone. */
	function renew() {
		const before = latest;
		latest = new Map();
		setTimeout(() => {
			for (const [key, data] of before) if (!latest.has(key)) take("removed", data);
		}, 2000);
	}

	/** EventSource comes back by itself, unless the stream is dead. */
	function lost(dead) {
		tell({ state: "connecting" });
		if (dead) retry();
	}

	function retry() {
		close();
		timer = setTimeout(open, Math.min(15e3, 500 * 2 ** retries++) * (0.5 + Math.random()));
	}

	/** Without two heartbeats a connection is dead. */
	function watch() {
		clearTimeout(timer);
		timer = setTimeout(() => lost(true), 2500 * (status.greeting?.heartbeat ?? 15));
	}
}

if (self.SharedWorkerGlobalScope) {
	const serve = source(location.origin);
	self.onconnect = ({ ports: [port] }) => {
		const reader = (batch) => port.postMessage(batch);
		port.onmessage = ({ data }) => serve(reader, data);
	};
}
