// What a page reads: frames and events of the shared stream, once for each screen frame, at the reader's pace.
import { Source } from "./source.js";

/** This page's connection to one server. Fires `status`. */
class Feed extends EventTarget {
	listeners = {};
	latest = new Map();
	waiting = new Map();
	held = new Map();
	status = {};
	events = 0;
	left = 0;

	/** `live` as it comes, `settled` values at rest only, `paused` none. */
	pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? "settled" : "live";

	constructor(origin) {
		super();
		const receive = (batch) => this.receive(batch);
		if (origin === location.origin && self.SharedWorker) {
			const { port } = new SharedWorker(new URL("source.js", import.meta.url), { type: "module" });
			port.onmessage = ({ data }) => receive(data);
			this.want = (topics) => port.postMessage(topics);
		} else {
			const source = new Source(origin);
			this.want = (topics) => source.serve(receive, topics);
		}
		setInterval(() => this.release(), 1e4);
		addEventListener("pagehide", () => this.want([]));
		addEventListener("pageshow", ({ persisted }) => persisted && this.retopic());
	}

	/** Gives a listener's `frame` and `event` what comes of `ticker:revenue` or `ticker:*`, until the answer is called.
	 *  Its `wants` names what frames have to carry besides: `wheels`, `display`. */
	listen(key, listener) {
		const all = (this.listeners[key] ??= new Set()).add(listener);
		if (this.latest.has(key)) listener.frame?.(this.latest.get(key), key);
		this.retopic();
		return () => this.retopic(all.delete(listener));
	}

	/** Tells the source which topics are wanted, once for all changes of this turn. */
	retopic() {
		clearTimeout(this.changing);
		this.changing = setTimeout(() => this.want(Object.entries(this.listeners).flatMap(([key, all]) =>
			[...all].flatMap(({ wants }) => [key.replace(":", "="), wants || []].flat()))));
	}

	/** Keeps the newest frame of each resource and the last 500 events, in order, until they can be shown. */
	receive(batch) {
		for (const item of batch) {
			const [name, key, data] = item, framed = name === "message", slot = framed ? key : this.events++ % 500;
			if (name === "status") {
				this.status = data;
				this.dispatchEvent(new Event("status"));
				continue;
			}
			if (name === "removed") this.waiting.delete(key);
			if (this.waiting.delete(slot) && framed) this.left++;
			this.waiting.set(slot, item);
		}
		this.draw();
	}

	draw() {
		if (this.pace !== "paused") this.next ??= requestAnimationFrame(() => {
			this.next = null;
			const items = [...this.waiting.values()];
			this.waiting.clear();
			for (const [name, key, data] of items) this[name === "message" ? "frame" : "event"](JSON.parse(data), key, name);
		});
	}

	setPace(pace) {
		this.pace = pace;
		this.release();
		this.draw();
	}

	event(data, key, name) {
		if (name === "removed") {
			this.held.delete(key);
			this.latest.delete(key);
		} else if (data.reason !== "superseded") this.release([key]);
		this.tell("event", key, data, name);
	}

	/** Readers who asked for no motion get a value when an event says that it rests, and every ten seconds. */
	frame(data, key) {
		if (this.pace === "settled" && this.latest.has(key) && key[0] !== "s") this.held.set(key, data);
		else this.show(data, key);
	}

	release(keys = [...this.held.keys()]) {
		for (const key of keys) {
			if (this.held.has(key)) this.show(this.held.get(key), key);
			this.held.delete(key);
		}
	}

	show(data, key) {
		this.latest.set(key, data);
		this.tell("frame", key, data);
	}

	tell(kind, key, data, name) {
		for (const topic of [key, key.replace(/:.*/, ":*")]) {
			for (const listener of this.listeners[topic] ?? []) listener[kind]?.(data, key, name);
		}
	}

	/** The server's clock in milliseconds. */
	now() {
		return Date.now() - (this.status.skew ?? 0);
	}
}

const feeds = {};

/** The page's one feed from a server. */
export const feedFrom = (origin = location.origin) => (feeds[origin] ??= new Feed(origin));
