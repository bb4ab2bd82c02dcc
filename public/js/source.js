// One EventSource and the outboxes it fills: in the worker that all tabs share, or in the page where there is none.

const NAMED = ["complete", "milestone", "scheduled", "fired", "notification", "paused", "resumed", "removed"];

/** Milliseconds of a server's time, be it a date, seconds or nanoseconds. */
export function serverTime(time = Date.now()) {
	const n = Number(time);
	if (n) return n > 1e17 ? n / 1e6 : n > 1e11 ? n : n * 1000;
	return Date.parse(time) + Number(`.${/\.\d{3}(\d+)/.exec(time)?.[1] ?? 0}`);
}

/** What one page has not seen: the newest frame of each resource, and events in their order. */
export class Outbox {
	topics = [];
	batch = { frames: new Map(), events: [], received: 0 };

	/** @param {(batch: object) => void} send called once for each `pull` */
	constructor(send) {
		this.send = send;
	}

	frame(key, data) {
		this.batch.frames.set(key, data);
		this.batch.received++;
		this.flush(true);
	}

	event(name, key, data) {
		const { frames, events } = this.batch;
		if (name === "removed") frames.delete(key);
		if (events.push([name, key, data]) > 400) events.shift();
		this.flush(true);
	}

	state(status) {
		this.batch.status = status;
		this.flush(true);
	}

	pull() {
		this.wanted = true;
		this.flush(this.full);
	}

	/** Sends after the events of the same network packet have been read. */
	flush(full) {
		this.full = full;
		if (!this.wanted || !full || this.timer) return;
		this.timer = setTimeout(() => {
			const { batch } = this;
			this.timer = this.wanted = this.full = 0;
			this.batch = { frames: new Map(), events: [], received: 0 };
			this.send(batch);
		}, 1);
	}
}

/** The one connection to a server, for all outboxes together. */
export class Source {
	outboxes = new Set();
	latest = new Map();
	status = { state: "connecting" };
	retries = 0;

	constructor(origin) {
		this.origin = origin;
	}

	serve(outbox, topics) {
		outbox.topics = topics;
		if (!this.outboxes.has(outbox)) {
			this.outboxes.add(outbox);
			outbox.state(this.status);
			for (const [key, data] of this.latest) outbox.frame(key, data);
		}
		this.refresh();
	}

	drop(outbox) {
		this.outboxes.delete(outbox);
		this.refresh();
	}

	/** Opens the stream again when it has to carry other topics. */
	refresh() {
		const topics = new Set([...this.outboxes].flatMap((outbox) => outbox.topics));
		const needed = [...topics].filter((topic) => /\*$/.test(topic) || !topics.has(topic.replace(/=.*/, "=*")));
		const query = needed.sort().join("&");
		if (query === this.query) return;
		this.query = query;
		this.close();
		if (query) this.open();
	}

	open() {
		const events = (this.events = new EventSource(`${this.origin}/v1/events?${this.query}`));
		const on = (name, act) => events.addEventListener(name, ({ data }) => {
			this.alive();
			const [, kind, id] = /^\{"(\w+)":"([^"]*)"/.exec(data) ?? [];
			act(data, `${kind}:${id}`);
		});
		on("message", (data, key) => {
			this.latest.set(key, data);
			for (const outbox of this.outboxes) outbox.frame(key, data);
		});
		for (const name of NAMED) on(name, (data, key) => {
			if (name === "removed") this.latest.delete(key);
			for (const outbox of this.outboxes) outbox.event(name, key, data);
		});
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

	/** What was known may be gone; the frames that follow are the state now. */
	hello(greeting = {}) {
		const session = Date.now();
		this.greeting = greeting;
		this.retries = 0;
		this.latest.clear();
		this.tell({ state: "live", greeting, skew: session - serverTime(greeting.now), session });
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
