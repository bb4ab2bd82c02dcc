// What a page reads: frames and events of the shared stream, once for each screen frame, at the reader's pace.
import { serve } from "./source.js";

/** This page's connection to one server. Fires `status`. */
class Feed extends EventTarget {
	listeners = {};
	latest = new Map();
	held = new Map();
	status = {};
	left = 0;

	/** `live` as it comes, `calm` once a second, `settled` values at rest only, `paused` none. */
	pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? "settled" : "live";

	constructor(origin) {
		super();
		this.origin = origin;
	}

	/**
	 * Listens to one resource (`ticker:revenue`) or to all of a kind (`ticker:*`); the answer ends it.
	 * `wants` names what frames have to carry besides: `wheels`, `display`.
	 * @param {{frame?: (data, key: string) => void, event?: (name: string, data, key: string) => void, wants?: string}} listener
	 */
	listen(key, listener) {
		const all = (this.listeners[key] ??= new Set()).add(listener);
		if (this.latest.has(key)) listener.frame?.(this.latest.get(key), key);
		this.retopic();
		return () => {
			all.delete(listener);
			this.retopic();
		};
	}

	/** Tells the source which topics are wanted, once for all changes of this turn. */
	async retopic() {
		if (this.changing) return;
		this.changing = true;
		await null;
		this.changing = false;
		this.port ??= this.connect();
		this.port.postMessage(Object.entries(this.listeners).flatMap(([key, all]) =>
			[...all].flatMap(({ wants }) => [key.replace(":", "="), wants || []].flat())));
	}

	connect() {
		const { port1, port2 } = new MessageChannel();
		let port = port1;
		if (this.origin === location.origin && self.SharedWorker) {
			({ port } = new SharedWorker(new URL("stream-worker.js", import.meta.url), { type: "module" }));
		} else serve(this.origin, port2);
		port.onmessage = ({ data }) => this.receive(data);
		addEventListener("pagehide", () => port.postMessage([]));
		addEventListener("pageshow", ({ persisted }) => persisted && this.retopic());
		port.postMessage("pull");
		return port;
	}

	pull() {
		this.port?.postMessage("pull");
	}

	receive({ status, items, received }) {
		if (status) {
			this.status = status;
			this.dispatchEvent(new Event("status"));
		}
		this.left += received - items.filter(([name]) => !name).length;
		requestAnimationFrame(() => {
			for (const [name, key, data] of items) this[name ? "event" : "frame"](key, JSON.parse(data), name);
			if (this.pace === "calm") this.next = setTimeout(() => this.pull(), 1000);
			else if (this.pace !== "paused") this.pull();
		});
	}

	setPace(pace) {
		this.pace = pace;
		clearTimeout(this.next);
		for (const key of this.held.keys()) this.release(key);
		if (pace !== "paused") this.pull();
	}

	event(key, data, name) {
		if (name === "removed") {
			this.hold(key);
			this.latest.delete(key);
		} else if (data.finished) this.release(key);
		for (const listener of this.audience(key)) listener.event?.(name, data, key);
	}

	/** Readers who asked for no motion get a value 0.4 s after it came to rest, or after ten seconds on the move. */
	frame(key, data) {
		if (this.pace !== "settled" || !this.latest.has(key) || key[0] === "s") return this.show(key, data);
		const since = this.hold(key)?.since ?? Date.now();
		this.held.set(key, { since, data, timer: setTimeout(() => this.release(key), 400) });
		if (Date.now() - since > 1e4) this.release(key);
	}

	/** Takes back what waits to be shown. */
	hold(key) {
		const held = this.held.get(key);
		clearTimeout(held?.timer);
		this.held.delete(key);
		return held;
	}

	release(key) {
		const held = this.hold(key);
		if (held) this.show(key, held.data);
	}

	show(key, data) {
		this.latest.set(key, data);
		for (const listener of this.audience(key)) listener.frame?.(data, key);
	}

	audience(key) {
		return [key, key.replace(/:.*/, ":*")].flatMap((name) => [...(this.listeners[name] ?? [])]);
	}

	/** The server's clock in milliseconds. */
	now() {
		return Date.now() - (this.status.skew ?? 0);
	}
}

const feeds = {};

/** The page's one feed from a server. */
export function feedFrom(origin = location.origin) {
	return (feeds[origin] ??= new Feed(origin));
}
