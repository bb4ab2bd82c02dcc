// What a page reads: frames and events of the shared stream, once for each screen frame, at the reader's pace.
import { source } from "./source.js";

/** This page's connection to one server. Fires `status`. */
class Feed extends EventTarget {
	listeners = {};
	latest = new Map();
	waiting = new Map();
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
			const serve = source(origin);
			this.want = (topics) => serve(receive, topics);
		}
		setInterval(() => this.draw(true), 1e4);
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

	/** Readers who asked for no motion get a value when an event says that it rests, and with `all`, every ten seconds. */
	draw(all) {
		this.all ||= all;
		if (this.pace !== "paused") this.next ??= requestAnimationFrame(() => {
			const live = this.all || this.pace === "live";
			this.next = this.all = null;
			for (const [slot, [name, key]] of [...this.waiting]) {
				if (slot !== key) this.tell(slot, name);
				else if (live || key[0] === "s" || !this.latest.has(key)) this.tell(key);
			}
		});
	}

	setPace(pace) {
		this.pace = pace;
		this.draw(true);
	}

	/** Gives listeners what waits in a slot; before the event of a value at rest, that value. */
	tell(slot, event) {
		const [, key, json] = this.waiting.get(slot) ?? [], data = json && JSON.parse(json);
		if (!data) return;
		this.waiting.delete(slot);
		if (!event) this.latest.set(key, data);
		else if (event === "removed") this.latest.delete(key);
		else if (data.reason !== "superseded") this.tell(key);
		for (const topic of [key, key.replace(/:.*/, ":*")]) {
			for (const listener of this.listeners[topic] ?? []) listener[event ? "event" : "frame"]?.(data, key, event);
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
