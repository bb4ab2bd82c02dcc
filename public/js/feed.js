// What a page reads: frames and events of the shared stream, once for each screen frame, at the reader's pace.
import { Outbox, Source } from "./source.js";

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
	 * @param {{frame?: (data, key: string) => void, event?: (name: string, data, key: string) => void}} listener
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
		this.source ??= this.connect();
		const keys = Object.keys(this.listeners).filter((key) => this.listeners[key].size);
		this.source("want", keys.map((key) => key.replace(":", "=")));
	}

	connect() {
		const shared = this.origin === location.origin && self.SharedWorker;
		const source = (shared ? sharedSource : ownSource)((batch) => this.receive(batch), this.origin);
		addEventListener("pagehide", () => source("leave"), { once: true });
		addEventListener("pageshow", ({ persisted }) => {
			if (!persisted) return;
			this.source = null;
			this.retopic();
		});
		source("pull");
		return source;
	}

	receive({ status, events, frames, received }) {
		if (status) {
			this.status = status;
			this.dispatchEvent(new Event("status"));
		}
		for (const [name, key, data] of events) {
			if (name === "removed") {
				this.release(key, true);
				this.latest.delete(key);
			}
			for (const listener of this.audience(key)) listener.event?.(name, JSON.parse(data), key);
		}
		this.left += received - frames.size;
		requestAnimationFrame(() => {
			for (const [key, data] of frames) this.frame(key, JSON.parse(data));
			if (this.pace === "calm") this.next = setTimeout(() => this.source("pull"), 1000);
			else if (this.pace !== "paused") this.source("pull");
		});
	}

	setPace(pace) {
		this.pace = pace;
		clearTimeout(this.next);
		for (const key of this.held.keys()) this.release(key);
		if (pace !== "paused") this.source?.("pull");
	}

	/** Readers who asked for no motion get a value 0.4 s after it came to rest, or after ten seconds on the move. */
	frame(key, data) {
		if (this.pace !== "settled" || !this.latest.has(key) || key[0] === "s") return this.show(key, data);
		const { since = Date.now(), timer } = this.held.get(key) ?? {};
		clearTimeout(timer);
		this.held.set(key, { since, data, timer: setTimeout(() => this.release(key), 400) });
		if (Date.now() - since > 1e4) this.release(key);
	}

	release(key, unseen) {
		const held = this.held.get(key);
		clearTimeout(held?.timer);
		if (this.held.delete(key) && !unseen) this.show(key, held.data);
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

function sharedSource(receive) {
	const { port } = new SharedWorker(new URL("stream-worker.js", import.meta.url), { type: "module" });
	port.onmessage = ({ data }) => receive(data);
	return (...call) => port.postMessage(call);
}

function ownSource(receive, origin) {
	const source = new Source(origin), outbox = new Outbox(receive);
	return (call, topics) => {
		if (call === "want") source.serve(outbox, topics);
		else if (call === "leave") source.drop(outbox);
		else outbox.pull();
	};
}

const feeds = {};

/** The page's one feed from a server. */
export function feedFrom(origin = location.origin) {
	return (feeds[origin] ??= new Feed(origin));
}
