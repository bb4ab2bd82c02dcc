// One EventSource for all who read it, and the outboxes it fills: in the worker that all tabs of a browser share, or
// in the page where there is none.

const NAMED = ["complete", "milestone", "scheduled", "fired", "notification", "paused", "resumed", "removed"];
const sources = {};

/** Milliseconds of a server's time, be it a date or nanoseconds; a date's own nanoseconds count. */
export function serverTime(time = Date.now()) {
	return Number(time) ? time / 1e6 : Date.parse(time) + Number(`.${/\.\d{3}(\d+)/.exec(time)?.[1] ?? 0}`);
}

/** Serves a page at the other end of a port: a list is the topics it wants, all else asks for what came meanwhile. */
export function serve(origin, port) {
	const source = (sources[origin] ??= new Source(origin)), outbox = new Outbox(port);
	port.onmessage = ({ data }) => (Array.isArray(data) ? source.serve(outbox, data) : outbox.pull());
}

/** What a page has not seen, the oldest first: the newest frame of each resource, and events. */
class Outbox {
	topics = [];
	items = new Map();
	received = 0;
	events = 0;

	constructor(port) {
		this.port = port;
	}

	/** A frame has no name, and takes the place of the resource's last one; an event that of the 500th before it. */
	put(name, key, data) {
		const slot = name ? this.events++ % 500 : key;
		if (name === "removed") this.items.delete(key);
		this.items.delete(slot);
		this.items.set(slot, [name, key, data]);
		this.received += !name;
		this.flush();
	}

	state(status) {
		this.status = status;
		this.flush();
	}

	pull() {
		this.wanted = true;
		if (this.status || this.items.size) this.flush();
	}

	/** Sends once for each pull, after the events of the same network packet have been read. */
	flush() {
		if (!this.wanted || this.timer) return;
		this.timer = setTimeout(() => {
			const { status, items, received } = this;
			this.port.postMessage({ status, items: [...items.values()], received });
			this.timer = this.wanted = this.status = null;
			this.received = 0;
			items.clear();
		}, 1);
	}
}

/** The one connection to a server. */
class Source {
	outboxes = new Set();
	latest = new Map();
	status = { state: "connecting" };
	retries = 0;

	constructor(origin) {
		this.origin = origin;
	}

	serve(outbox, topics) {
		outbox.topics = topics;
		if (!topics.length) {
			this.outboxes.delete(outbox);
		} else if (!this.outboxes.has(outbox)) {
			this.outboxes.add(outbox);
			outbox.state(this.status);
			for (const [key, data] of this.latest) outbox.put("", key, data);
		}
		this.refresh();
	}

	/** Opens the stream again when it has to carry other topics. */
	refresh() {
		const topics = new Set([...this.outboxes].flatMap((outbox) => outbox.topics));
		const needed = [...topics].filter((topic) => !/=.*[^*]$/.test(topic) || !topics.has(topic.replace(/=.*/, "=*")));
		const query = needed.sort().join("&");
		if (query === this.query) return;
		this.query = query;
		this.close();
		if (query.includes("=")) this.open();
	}

	open() {
		const events = (this.events = new EventSource(`${this.origin}/v1/events?${this.query}`));
		const on = (name, act) => events.addEventListener(name, ({ data }) => {
			this.alive();
			act(data);
		});
		on("message", (data) => this.put("", data));
		for (const name of NAMED) on(name, (data) => this.put(name, data));
		on("hello", (data) => this.hello(JSON.parse(data)));
		on("reset", () => this.hello(this.greeting));
		on("heartbeat", () => {});
		on("bye", () => this.lost());
		events.onerror = () => this.lost();
		this.alive();
	}

	close() {
		clearTimeout(this.watch);
		clearTimeout(this.again);
		this.events?.close();
	}

	put(name, data) {
		const key = data.replace(/^\{"(\w+)":"([^"]*)"[^]*/, "$1:$2");
		if (!name) this.latest.set(key, data);
		else if (name === "removed") this.latest.delete(key);
		for (const outbox of this.outboxes) outbox.put(name, key, data);
	}

	/** The frames that follow are the state now; what has none within two seconds is gone. */
	hello(greeting = {}) {
		const before = this.latest, session = Date.now();
		this.greeting = greeting;
		this.retries = 0;
		this.latest = new Map();
		this.tell({ state: "live", greeting, skew: session - serverTime(greeting.now), session });
		setTimeout(() => {
			for (const [key, data] of before) if (!this.latest.has(key)) this.put("removed", data);
		}, 2000);
	}

	/** EventSource gives up for good on an answer that is no stream; here it is tried again. */
	lost(dead = this.events.readyState === EventSource.CLOSED) {
		this.tell({ state: "connecting" });
		if (!dead) return;
		this.close();
		this.again = setTimeout(() => this.open(), Math.min(15e3, 500 * 2 ** this.retries++) * (0.5 + Math.random()));
	}

	/** A connection without two heartbeats is dead though nothing said so. */
	alive() {
		if (Date.now() - this.seen < 1000) return;
		this.seen = Date.now();
		clearTimeout(this.watch);
		this.watch = setTimeout(() => this.lost(true), 2500 * (this.greeting?.heartbeat ?? 15));
	}

	tell(status) {
		this.status = status;
		for (const outbox of this.outboxes) outbox.state(status);
	}
}
