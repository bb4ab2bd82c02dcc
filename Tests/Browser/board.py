"""One pass through the board, for make test: a number moves, rests, and goes on after the server was killed and started."""

import re
import sys
import tempfile
import unittest

from browser import BrowserTest
from driver import shared
from drawn import SHOWN
from server import Server

KEY = "ticker:revenue"


class BoardTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.data = folder.name
        cls.server = Server(data=cls.data)
        cls.addClassCleanup(lambda: cls.server.close())
        cls.driver = shared()
        cls.addClassCleanup(shared)

    def shown(self) -> str:
        return self.run_script(SHOWN, f"[data-key='{KEY}'] tween-ticker")

    def amount(self) -> int:
        """The number in what is shown; a wheel between two digits counts as 0."""
        return int(re.sub(r"\D", "", self.shown().replace(".", "0")))

    def test_a_number_moves_rests_and_goes_on_after_a_kill(self):
        self.server.post(KEY, label="Revenue: $0", to=100, duration=0)
        self.visit()
        self.see(KEY)
        self.eventually(lambda: self.shown() == "Revenue: $100")

        self.server.post(KEY, to=1_000, duration=1)
        seen = set()
        self.eventually(lambda: seen.add(self.shown()) or "Revenue: $1000" in seen)
        self.assertGreater(len(seen), 2, seen)

        # On its way when the server is killed. The one that takes its place goes on with it, and the page with that one.
        self.server.post(KEY, to=9_000, duration=3)
        self.eventually(lambda: 1_500 < self.amount() < 9_000)
        self.assertNoErrors()
        self.server.kill()
        self.until("return document.querySelector('#connection').dataset.state !== 'live'")
        type(self).server = Server(port=self.server.port, data=self.data)
        self.until("return document.querySelector('#connection').dataset.state === 'live'", seconds=30)
        self.eventually(lambda: self.shown() == "Revenue: $9000")
        self.server.post(KEY, by=-250, duration=0.5)
        self.eventually(lambda: self.shown() == "Revenue: $8750")


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() else 1)
