// What a program may not do with the package: the compiler refuses each line from the first that moves something.
import { Client, Motion, type StreamItem } from "@tweencast/client";

const client = new Client("http://localhost:8080");
declare const item: StreamItem;
client.ticker("revenue").set(true);
client.ticker("revenue").set(undefined);
client.ticker("revenue").set(5, { durations: 2 });
client.ticker(5);
client.progress("build").set(5, { of: "all", from: null });
client.schedule("open").set(5);
client.items("ticker:revenue");
client.items(["ticker:revenue"], { mode: "motions" });
client.list("notification");
new Client("http://localhost:8080", { token: 5 });
new Motion({ value: 1, text: "1" });
item.text.trim();
