// <tween-ticker src="…/v1/tickers/id">: a number on its way, as text or as digit wheels (`wheels`, or which way they turn).
// `mode="motion"` interpolates here, `announce` speaks values at rest, `for="id"` writes into another element.
import { make, TweenElement, write } from "./element.js";
import { Player } from "./player.js";
import { Wheels, WHEELS } from "./wheels.js";

export class TweenTicker extends TweenElement {
	static observedAttributes = ["src", "ticket", "wheels", "mode", "for"];
	styles = WHEELS;

	build() {
		this.wheels = new Wheels(this.value);
		this.player = new Player(this, (data) => super.take(data));
		this.value.ariaHidden = true;
		this.spoken = make("span", { class: "spoken", dir: "auto" });
		if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
		return [this.value, this.spoken];
	}

	/** How the wheels turn, as the stream has it; undefined for text. */
	get wheelStyle() {
		const style = this.getAttribute("wheels");
		return /^(continuous|up|down|shortest|strip)$/.test(style) ? style : style === null ? undefined : "odometer";
	}

	/** Wheels are the server's: an element that has them gets frames. */
	get wants() {
		const isPlayed = this.getAttribute("mode") === "motion" && !this.wheelStyle && !this.needsFrames;
		return isPlayed ? { motion: true } : { frames: true, wheels: this.wheelStyle };
	}

	listen(resource) {
		const leave = super.listen(resource);
		return () => {
			this.player.stop();
			leave();
		};
	}

	empty() {
		super.empty();
		write(this.spoken, "");
		this.needsFrames = false;
	}

	clear() {
		this.wheels.write("");
	}

	/** A text that follows more than digits and sign is the server's alone. */
	move(motion) {
		if (!this.wants.motion || this.player.play(motion)) return;
		this.needsFrames = true;
		queueMicrotask(() => this.isConnected && this.follow());
	}

	/** Others on the page may want frames of what moves here by itself. */
	take(data) {
		if (!this.player.isPlaying) super.take(data);
	}

	/** What a motion ended at is the server's to say. */
	event(detail, name) {
		if (this.player.isPlaying && name === "complete" && detail.reason !== "superseded") {
			this.player.stop();
			this.take(detail);
		}
		super.event(detail, name);
	}

	/** What rests because the page does is shown as text: wheels could stand between two digits. */
	frame({ text, wheels, digits }) {
		const target = this.getRootNode().getElementById?.(this.getAttribute("for"));
		if (target) target["value" in target ? "value" : "textContent"] = text;
		else if (wheels && this.wheelStyle && this.feed?.pace === "live") this.wheels.show(wheels, digits);
		else this.wheels.write(text);
	}

	settle() {
		if (this.newest) write(this.spoken, this.newest.text);
	}
}
