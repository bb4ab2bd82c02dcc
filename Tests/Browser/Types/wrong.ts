// What it may not: each of these lines is refused.
import { observe, setPace } from "../../../public/embed.js";

const ticker = document.createElement("tween-ticker");
setPace("fast");
observe(document.body);
ticker.value = 3;
ticker.text.toFixed();
document.createElement("tween-ticker").value.toFixed();
ticker.pace = "slow";
ticker.ticket = 5;
ticker.addEventListener("complete", ({ detail }) => detail.cause);
ticker.addEventListener("stale", ({ detail }) => detail.reason === "gone");
document.createElement("tween-progress").appearance = { shape: "square" };
document.querySelector("tween-marquee")!.selected = ["one"];
