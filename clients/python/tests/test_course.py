"""What a stream comes to, without a connection: what its bytes bring, and when the next connection follows."""

import json
import unittest
from typing import Any

from tweencast import Connected, Disconnected, Event, Frame, RefusedError, Topic, UnreachableError
from tweencast._course import Close, Open, Opened, Read, Result, StreamCourse, StreamOptions, follow
from tweencast._exchange import Failure, Wait

HELLO = b'{"event":"hello","id":"a-1","retry":100,"data":{"heartbeat":15}}\n'


def line(event: str, **members: Any) -> bytes:
    """A line of a stream."""
    return json.dumps({"event": event, "data": {}, **members}).encode() + b"\n"


class BytesTest(unittest.TestCase):
    """What bytes bring."""

    def setUp(self) -> None:
        self.course = StreamCourse(5)
        self.course.begin()

    def test_a_connection_is_open_when_an_event_has_come(self) -> None:
        self.assertEqual(self.course.take(HELLO[:-1]), [])
        self.assertEqual(self.course.take(HELLO[-1:]), [Connected()])
        self.assertEqual(self.course.take(line("heartbeat")), [])

    def test_a_frame_has_its_numbers(self) -> None:
        data = {"progress": "build", "value": 42, "fraction": 0.42, "percent": 42, "text": "42%"}
        _, frame = self.course.take(line("frame", data=data))
        self.assertEqual(frame, Frame(Topic("progress", "build"), "42%", 42, 0.42, data))

    def test_a_number_beyond_a_double_is_none(self) -> None:
        _, frame = self.course.take(line("frame", data={"ticker": "a", "value": 10**400, "text": "b"}))
        assert isinstance(frame, Frame)
        self.assertIsNone(frame.value)

    def test_an_event_has_its_id_and_frame(self) -> None:
        data = {"ticker": "revenue", "reason": "finished", "value": 1, "text": "$1"}
        _, event = self.course.take(line("complete", id="a-2", data=data))
        assert isinstance(event, Event)
        self.assertEqual((event.name, event.id, event.reason), ("complete", "a-2", "finished"))
        self.assertEqual(event.frame, Frame(Topic("ticker", "revenue"), "$1", 1, None, data))

    def test_what_is_not_understood_is_ignored(self) -> None:
        for odd in (b"\n", b"{\n", b"[1]\n", b'"hello"\n', b'{"event":1}\n', b"\xff\xfe\n", b'{"event":"frame"}\n',
                    b"[" * 60_000 + b"\n"):
            with self.subTest(odd):
                self.assertIn(self.course.take(odd), ([], [Connected()]))

    def test_odd_members_change_nothing(self) -> None:
        self.course.take(HELLO)
        members: list[dict[str, Any]] = [
            {"id": 7, "retry": "soon"}, {"id": "", "retry": None}, {"data": []}, {"id": "a\nb"}, {"retry": 10**400},
        ]
        for odd in members:
            self.course.take(line("hello", **odd))
        for heartbeat in (0, -1, "15", None, 1e300):
            self.course.take(line("hello", data={"heartbeat": heartbeat}))
        self.assertEqual((self.course.last_id, self.course.retry, self.course.silence), ("a-1", 0.1, 31))

    def test_a_line_that_is_too_long_is_dropped(self) -> None:
        self.course.take(HELLO)
        long = line("frame", data={"ticker": "a", "text": "x" * StreamCourse.LINE_BYTES})
        for size in (len(long), 1000):
            with self.subTest(size):
                pieces = [long[start:start + size] for start in range(0, len(long), size)]
                self.assertEqual([item for piece in pieces for item in self.course.take(piece)], [])
                whole = line("frame", data={"ticker": "a", "text": "b", "value": 1})
                self.assertEqual(len(self.course.take(whole)), 1)

    def test_nothing_counts_after_bye(self) -> None:
        items = self.course.take(HELLO + line("bye", retry=200) + line("complete", id="a-9"))
        self.assertEqual(items, [Connected()])
        self.assertTrue(self.course.is_ending)
        self.assertEqual((self.course.last_id, self.course.retry), ("a-1", 0.2))

    def test_a_rest_of_a_connection_is_no_line_of_the_next(self) -> None:
        self.course.take(HELLO + b'{"event":"comp')
        self.course.begin()
        self.assertEqual(self.course.take(HELLO), [Connected()])


class PauseTest(unittest.TestCase):
    """When the next connection follows."""

    def test_it_doubles_with_each_failure_up_to_a_limit(self) -> None:
        course = StreamCourse(5)
        pauses = []
        for _ in range(7):
            pauses.append(course.pause(None))
            course.fail()
        self.assertEqual(pauses, [2, 2, 4, 8, 16, 30, 30])

    def test_it_starts_over_with_the_first_event(self) -> None:
        course = StreamCourse(5)
        for _ in range(5):
            course.fail()
        course.take(HELLO)
        self.assertEqual(course.pause(None), 0.1)
        course.fail()
        self.assertEqual(course.pause(None), 0.1)

    def test_it_is_never_shorter_than_the_stream_asks_for(self) -> None:
        course = StreamCourse(5)
        course.take(line("bye", retry=40_000))
        self.assertEqual(course.pause(None), 40)
        course.take(line("hello", retry=10**12))
        self.assertEqual(course.retry, 40, "after bye nothing counts")

    def test_an_answer_asks_for_a_minute_at_most(self) -> None:
        self.assertEqual([StreamCourse(5).pause(asked) for asked in (0.0, 7.0, 600.0)], [0, 7, 60])


class FollowTest(unittest.TestCase):
    """The steps of a stream."""

    def setUp(self) -> None:
        self.course = StreamCourse(5)
        self.steps = follow(self.course, "https://a", "/v1/events?ticker=a")

    def step(self, result: Result = None) -> Any:
        """The next step after a result."""
        return self.steps.send(result)

    def test_a_stream_that_ends_goes_on(self) -> None:
        self.assertEqual(self.step(), Open("/v1/events?ticker=a", None, 11))
        self.assertEqual(self.step(Opened(200, None)), Read(11))
        self.assertEqual(self.step(HELLO), Connected())
        self.assertEqual(self.step(), Read(31))
        self.assertEqual([self.step(b""), self.step()], [Close(), Disconnected("the connection was closed")])
        self.assertEqual([self.step(), self.step()], [Wait(0.1), Open("/v1/events?ticker=a", "a-1", 11)])

    def test_bye_closes_the_connection_first(self) -> None:
        self.step()
        self.step(Opened(200, None))
        self.assertEqual(self.step(HELLO + line("bye", data={"reason": "full"})), Connected())
        self.assertEqual([self.step(), self.step()], [Close(), Disconnected("the server says goodbye: full")])

    def test_no_connection_is_followed_by_another(self) -> None:
        self.step()
        self.assertEqual(self.step(Failure("refused")), Close())
        self.assertEqual([self.step(), self.step()], [Disconnected("refused"), Wait(2)])
        self.assertIsInstance(self.step(), Open)

    def test_a_server_that_is_not_trusted_ends_it(self) -> None:
        self.step()
        self.assertEqual(self.step(Failure("a wrong certificate", is_final=True)), Close())
        with self.assertRaises(UnreachableError):
            self.step()

    def test_a_busy_server_says_when(self) -> None:
        self.step()
        self.assertIsInstance(self.step(Opened(503, 7)), Read)
        self.step(b'{"detail":"no room"}')
        self.assertEqual(self.step(b""), Close())
        self.assertEqual([self.step(), self.step()], [Disconnected("no room"), Wait(7)])

    def test_a_refusal_ends_it(self) -> None:
        self.step()
        self.step(Opened(422, None))
        self.step(b'{"status":422,"title":"Unprocessable Content","detail":"no","pointer":"?fps"}')
        self.assertEqual(self.step(b""), Close())
        with self.assertRaises(RefusedError) as caught:
            self.step()
        self.assertEqual((caught.exception.status, caught.exception.pointer), (422, "?fps"))

    def test_204_is_the_end(self) -> None:
        self.step()
        self.assertEqual(self.step(Opened(204, None)), Close())
        with self.assertRaises(StopIteration):
            self.step()


class OptionsTest(unittest.TestCase):
    """What is asked of the server."""

    def test_names_are_escaped(self) -> None:
        path = StreamOptions(fps=0.5, motions=True).path([Topic("ticker", "a:b"), Topic("progress", "*")])
        self.assertEqual(
            path, "/v1/events?ticker=a%3Ab&progress=%2A&fps=0.5&mode=motion&as=ndjson&heartbeat=5")


if __name__ == "__main__":
    unittest.main()
