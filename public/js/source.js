// One EventSource for all who read it, in a page, or in the worker that all tabs of a browser share: this file is both.

const EVENTS = ["message", "motion", "complete", "milestone", "scheduled", "fired", "notification", "paused", "resumed",
	"removed", "hello", "reset", "heartbeat", "bye"];

/** Opens a stream that gives `act` the name and the data of each event; frames are called `message`. */
export function listen(url, act) {
	const stream = new EventSource(url);
	for (const name of EVENTS) stream.addEventListener(name, ({ data }) => act(name, data));
	return stream;
}

export class Source {
	readers = new Map();
	latest = new Map();
	batch = [];
	status = { state: "connecting" };
	retries = 0;

	constructor(origin) {
		this.origin = origin;
	}

	/** Gives a reader `[name, key, data]` of what comes for any reader; no topics end it. */
	serve(reader, topics) {
		if (!this.readers.has(reader)) {
			reader([["status", "", this.status], ...[...this.latest].map((item) => ["message", ...item])]);
		}
		this.readers.set(reader, topics);
		if (!topics.length) this.readers.delete(reader);
		const all = new Set([...this.readers.values()].flat());
		const needed = [...all].filter((topic) => !/=.*[^*]$/.test(topic) || !all.has(topic.replace(/=.*/, "=*")));
		const query = needed.sort().join("&");
		if (query === this.query) return;
		this.query = query;
		this.close();
		if (query) this.open();
	}

	open() {
		this.events = listen(`${this.origin}/v1/events?${this.query}`, (name, data) => {
			this.watch();
			if (name === "hello") this.hello(JSON.parse(data));
			else if (name === "reset") this.hello(this.status.greeting);
			else if (name === "bye") this.lost();
			else if (name !== "heartbeat") this.take(name, data);
		});
		this.events.onerror = () => this.lost();
		this.watch();
	}

	close() {
		clearTimeout(this.timer);
		this.events?.close();
	}

	take(name, data) {
		const key = data.replace(/^\{"(\w+)":"([^"]*)"[^]*/, "$1:$2");
		if (name === "message") this.latest.set(key, data);
		else if (name === "removed") this.latest.delete(key);
		this.put(name, key, data);
	}

	/** Hands out what came in one network packet at once. */
	put(...item) {
		if (this.batch.push(item) === 1) setTimeout(() => {
			for (const reader of this.readers.keys()) reader(this.batch);
			this.batch = [];
		}, 1);
	}

	tell(status) {
		this.status = { ...this.status, ...status };
		this.put("status", "", this.status);
	}

	/** The frames that follow are the state now; what has none within two seconds is gone. */
	hello(greeting) {
		const before = this.latest;
		this.latest = new Map();
		this.retries = 0;
		this.tell({ state: "live", greeting, skew: Date.now() - Date.parse(greeting.now) });
		setTimeout(() => {
			for (const [key, data] of before) if (!this.latest.has(key)) this.take("removed", data);
		}, 2000);
	}

	/** EventSource gives up for good on an answer that is no stream; here it is tried again. */
	lost(dead = this.events.readyState === EventSource.CLOSED) {
		this.tell({ state: "connecting" });
		if (!dead) return;
		this.close();
		this.timer = setTimeout(() => this.open(), Math.min(15e3, 500 * 2 ** this.retries++) * (0.5 + Math.random()));
	}

	/** A connection without two heartbeats is dead though nothing said so. */
	watch() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.lost(true), 2500 * (this.status.greeting?.heartbeat ?? 15));
	}
}

if (self.SharedWorkerGlobalScope) {
	const source = new Source(location.origin);
	self.onconnect = ({ ports: [port] }) => {
		const reader = (batch) => port.postMessage(batch);
		port.onmessage = ({ data }) => source.serve(reader, data);
	};
}
