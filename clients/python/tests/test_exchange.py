"""Requests without a connection: when they are sent again, and what they end with."""

import unittest

from tweencast import NotFoundError, RefusedError, TweencastError, UnreachableError
from tweencast._exchange import Answer, Failure, Request, RetryTimes, Send, Wait, exchange, retry_after

REQUEST = Request("POST", "/v1/tickers/a", b"{}", "key")


class ExchangeTest(unittest.TestCase):
    """A request and its answers, with a clock and a chance of the test's own."""

    def setUp(self) -> None:
        self.now = 100.0
        self.retries: list[TweencastError] = []

    def play(self, *answers: Answer | Failure, patience: float = 10) -> tuple[bytes, list[float]]:
        """What it returns, and its pauses."""
        times = RetryTimes(patience, lambda: self.now, lambda: 0.5)
        steps = exchange(REQUEST, "http://a", times, self.retries.append)
        coming = iter(answers)
        pauses: list[float] = []
        answer: Answer | Failure | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value, pauses
            answer = None
            if isinstance(step, Send):
                self.assertIs(step.request, REQUEST)
                answer = next(coming)
            elif isinstance(step, Wait):
                pauses.append(step.seconds)
                self.now += step.seconds

    def test_an_answer_ends_it(self) -> None:
        self.assertEqual(self.play(Answer(202, None, b"{}")), (b"{}", []))
        self.assertEqual(self.retries, [])

    def test_it_is_sent_again_at_growing_intervals(self) -> None:
        failures = [Failure("refused")] * 4
        body, pauses = self.play(*failures, Answer(200, None, b"1"))
        self.assertEqual((body, pauses), (b"1", [0.1875, 0.375, 0.75, 1.5]))
        self.assertEqual([str(error) for error in self.retries], ["no answer from http://a: refused"] * 4)

    def test_it_waits_as_long_as_an_answer_asks_for(self) -> None:
        busy = Answer(503, 3, b""), Answer(429, 0, b"")
        self.assertEqual(self.play(*busy, Answer(200, None, b""))[1], [3, 0.375])
        self.assertEqual(self.play(Answer(503, 600, b""), Answer(200, None, b""), patience=100)[1], [60])

    def test_its_patience_ends(self) -> None:
        with self.assertRaises(UnreachableError) as unreachable:
            self.play(*[Failure("refused")] * 20)
        self.assertEqual(unreachable.exception.reason, "refused")
        self.assertLessEqual(self.now, 110)
        with self.assertRaises(RefusedError) as busy:
            self.play(Answer(503, 30, b'{"detail":"no room"}'))
        self.assertEqual((busy.exception.status, str(busy.exception)), (503, "no room"))

    def test_what_would_be_refused_again_is_not_sent_again(self) -> None:
        for status in (301, 400, 401, 403, 404, 409, 412, 422):
            with self.subTest(status), self.assertRaises(RefusedError) as caught:
                self.play(Answer(status, 1, b"<html>"))
            self.assertEqual(caught.exception.detail, f"the server answered with status {status}")
        with self.assertRaises(NotFoundError):
            self.play(Answer(404, None, b""))

    def test_a_server_that_is_not_trusted_is_not_asked_again(self) -> None:
        with self.assertRaises(UnreachableError):
            self.play(Failure("a wrong certificate", is_final=True))

    def test_problems_have_their_fields(self) -> None:
        body = b'{"status":422,"title":"Unprocessable Content","detail":"too long","pointer":"/label","odd":1}'
        with self.assertRaises(RefusedError) as caught:
            self.play(Answer(422, None, body))
        error = caught.exception
        self.assertEqual((error.title, error.detail, error.pointer), ("Unprocessable Content", "too long", "/label"))
        self.assertEqual(str(error), "too long (/label)")


class RetryAfterTest(unittest.TestCase):
    """The header."""

    def test_it_is_a_number_of_seconds(self) -> None:
        texts = ("2", " 0 ", None, "", "-1", "1.5", "soon", "²", "9" * 400)
        self.assertEqual([retry_after(text) for text in texts], [2, 0, None, None, None, None, None, None, None])


if __name__ == "__main__":
    unittest.main()
