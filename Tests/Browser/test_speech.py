"""What is said to screen readers: what comes, arrives, is done or fails, and nothing of what goes on and on."""

from browser import BrowserTest


class SpeechTest(BrowserTest):
    def listen(self):
        self.visit()
        self.run_script("""window.said = [];
            new MutationObserver(() => said.push(document.querySelector('#spoken').textContent))
              .observe(document.querySelector('#spoken'), {childList: true})""")
        # What is there at first is not said.
        self.run_script("return new Promise((resolve) => setTimeout(resolve, 1500))")

    def hear(self, text: str):
        return self.until("return said.find((sentence) => sentence.includes(arguments[0]))", text)

    def test_a_number_that_keeps_being_retargeted_is_announced_only_at_rest(self):
        self.server.request("PUT", "/v1/schedules/sale", {"every": 2, "do": [{"ticker": "revenue", "by": 1, "duration": 0.5}]})
        self.server.post("ticker:revenue", label="$0", to=100, duration=0)
        self.server.post("ticker:arrives", label="0", to=0, duration=0)
        self.listen()
        self.server.post("ticker:arrives", to=70, duration=0.3)
        self.assertEqual(self.hear("arrives"), "arrives 70")
        value = self.server.get("ticker:revenue")["target"]
        self.eventually(lambda: self.server.get("ticker:revenue")["target"] >= value + 3, seconds=15)
        self.assertEqual(self.run_script("return said.filter((sentence) => sentence.includes('revenue'))"), [])
        # It has arrived once nothing sends it on.
        self.server.request("DELETE", "/v1/schedules/sale")
        self.hear("revenue")

    def test_new_tickers_and_finished_progresses_are_announced(self):
        self.server.post("progress:build", current=10, maximum=100, duration=0)
        self.listen()
        self.server.post("ticker:newcomer", label="0 °C", to=21, duration=0)
        self.assertEqual(self.hear("newcomer"), "newcomer 21 °C")
        self.server.post("progress:build", current=100, duration=0.3)
        self.assertEqual(self.hear("build"), "build 100% done")
