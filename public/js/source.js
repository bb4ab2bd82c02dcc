// One EventSource for all readers, in a page or as the worker that all tabs share.

const EVENTS = ["message", "motion", "complete", "milestone", "scheduled", "fired", "skipped", "notification", "paused", "resumed",
	"removed", "hello", "reset", "heartbeat", "bye"];

/** Opens a stream that gives `act` the name and the data of each event; frames are called `message`. */
export function listen(url, act) {
	const stream = new EventSource(url);
	for (const name of EVENTS) stream.addEventListener(name, ({ data }) => act(name, data));
	return stream;
}

/** The answer gives a reader `[name, key, data]` of what comes for any reader; no topics end it. */
export function source(origin) {
	const readers = new Map();
	let latest = new Map(), batch = [], status = { state: "connecting" }, retries = 0, query, stream, timer;

	return (reader, topics) => {
		if (!readers.has(reader)) reader([["status", "", status], ...[...latest].map((item) => ["message", ...item])]);
		readers.set(reader, topics);
		if (!topics.length) readers.delete(reader);
		const all = new Set([...readers.values()].flat());
		const needed = [...all].filter((topic) => !/=.*[^*]$/.test(topic) || !all.has(topic.replace(/=.*/, "=*")));
		const wanted = needed.sort().join("&");
		if (wanted === query) return;
		query = wanted;
		close();
		if (query) open();
	};

	function open() {
		stream = listen(`${origin}/v1/events?${query}`, (name, data) => {
			watch();
			if (name === "hello") hello(JSON.parse(data));
			if (/hello|reset/.test(name)) renew();
			else if (name === "bye") lost();
			else if (name !== "heartbeat") take(name, data);
		});
		stream.onerror = () => lost();
		watch();
	}

	function close() {
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

	/** EventSource gives up on what is no stream; here it is tried again. */
	function lost(dead = stream.readyState === EventSource.CLOSED) {
		tell({ state: "connecting" });
		if (!dead) return;
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
