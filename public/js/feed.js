// What a page reads of the shared stream, once for each screen frame, at the reader's pace.
import { source } from "./source.js";

/** This page's connection to one server, for wheels of one style. Fires `status`: `connecting`, `live`, `asked` for a token, or
 *  `refused` where that may read nothing. */
function open(origin, style, giver) {
	const listeners = {}, waiting = new Map(), latest = new Map();
	let want, changing, next, everything, events = 0;
	const feed = Object.assign(new EventTarget(), {
		latest, listen, setPace, status: {}, left: 0,

		/** `live` as it comes, `settled` values at rest only, `paused` none. */
		pace: matchMedia("(prefers-reduced-motion: reduce)").matches ? "settled" : "live",

		/** The server's clock in milliseconds. */
		now: () => Date.now() - (feed.status.skew ?? 0),
	});

	if (origin === location.origin && self.SharedWorker && !giver) {
		const { port } = new SharedWorker(new URL("source.js", import.meta.url), { type: "module", name: style });
		port.onmessage = ({ data }) => receive(data);
		want = (topics) => port.postMessage(topics);
	} else {
		const serve = source(origin, giver);
		want = (topics) => serve(receive, topics);
	}
	setInterval(() => draw(true), 1e4);
	addEventListener("pagehide", () => want([]));
	addEventListener("pageshow", ({ persisted }) => persisted && retopic());
	return feed;

	/** Gives a listener's `frame` and `event` what comes of `ticker:revenue` or `ticker:*`, until the answer is called;
	 *  frames carry what it `wants` besides. */
	function listen(key, listener) {
		const all = (listeners[key] ??= new Set()).add(listener);
		if (latest.has(key)) listener.frame?.(latest.get(key), key);
		retopic();
		return () => retopic(all.delete(listener));
	}

	/** Tells the source what is wanted, once a turn. */
	function retopic() {
		clearTimeout(changing);
		changing = setTimeout(() => want(Object.entries(listeners).flatMap(([key, all]) =>
			[...all].flatMap(({ wants }) => [key.replace(":", "="), wants || []].flat()))));
	}

	/** Keeps the newest frame of each resource and the last 500 events, in order, until they are shown. */
	function receive(batch) {
		for (const item of batch) {
			const [name, key, data] = item, framed = name === "message", slot = framed ? key : events++ % 500;
			if (name === "status") {
				feed.status = data;
				feed.dispatchEvent(new Event("status"));
				continue;
			}
			if (name === "removed") waiting.delete(key);
			if (waiting.delete(slot) && framed) feed.left++;
			waiting.set(slot, item);
		}
		draw();
	}

	/** Who wants values settled gets one when an event says it rests, and all every ten seconds. */
	function draw(all) {
		everything ||= all;
		if (feed.pace !== "paused") next ??= requestAnimationFrame(() => {
			const live = everything || feed.pace === "live";
			next = everything = null;
			for (const [slot, [name, key]] of [...waiting]) {
				if (slot !== key) tell(slot, name);
				else if (live || key[0] === "s" || !latest.has(key)) tell(key);
			}
		});
	}

	/** What was drawn last is drawn anew: numbers that no longer move are to be read. */
	function setPace(pace) {
		feed.pace = pace;
		for (const [key, all] of Object.entries(listeners)) {
			for (const { frame } of latest.has(key) ? all : []) frame?.(latest.get(key), key);
		}
		draw(true);
	}

	/** Gives listeners what waits; before the event of a value at rest, the value. */
	function tell(slot, event) {
		const [, key, json] = waiting.get(slot) ?? [], data = json && JSON.parse(json);
		if (!data) return;
		waiting.delete(slot);
		if (!event) latest.set(key, data);
		else if (event === "removed") latest.delete(key);
		else if (data.reason !== "superseded") tell(key);
		for (const topic of [key, key.replace(/:.*/, ":*")]) {
			for (const listener of listeners[topic] ?? []) listener[event ? "event" : "frame"]?.(data, key, event);
		}
	}
}

const feeds = new Map();

/** The page's feed from a server. A stream tells wheels of one style, so that each further one has a feed of its own; and so
 *  has each `giver` of tickets. */
export function feedFrom(origin = location.origin, style = "odometer", giver) {
	if (!feeds.has(giver)) feeds.set(giver, {});
	return (feeds.get(giver)[`${origin} ${style}`] ??= open(origin, style, giver));
}
