"""Numbers, addresses and states: what is sent, and what is read."""

import datetime
import os
import unittest
from decimal import Decimal
from unittest import mock

from tweencast import AsyncClient, Client, InvalidRequestError, NotUnderstoodError, State, Topic
from tweencast._address import server_address
from tweencast._amounts import amount, json_body
from tweencast._course import StreamOptions
from tweencast._requests import UNKNOWN, Resource, maximum, notification, page
from tweencast._states import Page


class AmountTest(unittest.TestCase):
    """Numbers as they are sent."""

    def test_digits_are_kept(self) -> None:
        digits = "12345678901234567890123456789012345678"
        self.assertEqual(amount(int(digits)), digits)
        self.assertEqual(amount(Decimal(f"-{digits[:-2]}.{digits[-2:]}")), f"-{digits[:-2]}.{digits[-2:]}")
        self.assertEqual([amount(Decimal(text)) for text in ("12.50", "1E+3", "1E-7")], ["12.50", "1000", "0.0000001"])
        self.assertEqual([amount(0.1), amount(-2)], [0.1, "-2"])

    def test_what_is_no_number_is_not_sent(self) -> None:
        for odd in (float("nan"), float("inf"), Decimal("NaN"), Decimal("1E+999999"), True, "7", None):
            with self.subTest(odd), self.assertRaises(InvalidRequestError):
                amount(odd)  # type: ignore[arg-type]

    def test_an_update_has_the_same_bytes_each_time(self) -> None:
        ticker = Resource("ticker", "revenue")
        minute = datetime.timedelta(minutes=1)
        one = ticker.move("to", Decimal("2.50"), "k", minute, "$0.00", None, {"spring": {"bounce": 0.2}, "then": []})
        other = ticker.move("to", Decimal("2.50"), "k", 60.0, "$0.00", None, {"then": [], "spring": {"bounce": 0.2}})
        self.assertEqual(one, other)
        self.assertEqual(
            one.body, b'{"duration":60.0,"label":"$0.00","spring":{"bounce":0.2},"then":[],"to":"2.50"}')

    def test_any_data_is_sent_or_refused(self) -> None:
        self.assertEqual(json_body({"a": Decimal("1.10"), "b": [None, "ü"]}), b'{"a":"1.10","b":[null,"\\u00fc"]}')
        for odd in ({1, 2}, float("nan"), {"a": object()}, {1: 2, "a": 3}):
            with self.subTest(odd), self.assertRaises(InvalidRequestError):
                json_body(odd)

    def test_a_maximum_may_be_unknown(self) -> None:
        self.assertEqual([maximum(None), maximum(UNKNOWN), maximum(200)], [{}, {"maximum": None}, {"maximum": "200"}])


class RequestTest(unittest.TestCase):
    """Where requests go."""

    def test_each_change_has_a_key_of_its_own(self) -> None:
        ticker = Resource("ticker", "a")
        keys = [ticker.delete(None).key, ticker.operate("pause", None).key, notification("a", None, None).key]
        self.assertEqual(len(set(keys)), 3)
        self.assertNotIn(None, keys)
        self.assertEqual(notification("a", {"b": 1}, "mine").key, "mine")

    def test_names_stay_within_their_segment(self) -> None:
        self.assertEqual(Resource("schedule", "a:b").path, "/v1/schedules/a%3Ab")
        self.assertEqual(page("ticker", "a&b", "c").path, "/v1/tickers?limit=1000&prefix=a%26b&after=c")
        # Ids may begin with dots.
        self.assertEqual(page("ticker", ".", None).path, "/v1/tickers?limit=1000&prefix=.")

    def test_a_name_that_nothing_can_have_is_refused_where_it_is_given(self) -> None:
        with Client("http://a") as client:
            asynchronous = AsyncClient("http://a")
            for odd in ("", ".", "..", "a/b", "a?b", "a b", "a*", "*", "ü", "a\n", "\ud800", "a" * 129, 5):
                for give in (
                    client.ticker, client.progress, client.schedule, client.notify, asynchronous.ticker,
                    asynchronous.progress, asynchronous.schedule,
                ):
                    with self.subTest(odd=odd, give=give.__qualname__), self.assertRaises(InvalidRequestError):
                        give(odd)  # type: ignore[arg-type]
            for name in ("a", "a.b_c~d:e-9", "...", "a" * 128):
                self.assertEqual(client.ticker(name).id, name)

    def test_a_topic_that_nothing_can_have_is_refused_before_a_stream_is_opened(self) -> None:
        with Client("http://a") as client:
            for odd in ("a/b", "a?b", "..", "a*b", "**", "a/*", "a" * 129, "a" * 129 + "*"):
                for topic in (f"ticker:{odd}", Topic("notification", odd)):
                    for items in (client.items, AsyncClient("http://a").items):
                        with self.subTest(topic=topic), self.assertRaises(InvalidRequestError):
                            items(["ticker:a", topic])

    def test_a_topic_may_have_a_star_at_its_end(self) -> None:
        topics = [Topic("ticker", "*"), Topic("progress", ".*"), Topic("schedule", "a" * 128 + "*")]
        path = StreamOptions().path(topics)
        self.assertEqual(path.partition("&as=")[0], f"/v1/events?ticker=%2A&progress=.%2A&schedule={'a' * 128}%2A")


class AddressTest(unittest.TestCase):
    """Addresses of servers."""

    def test_they_are_completed(self) -> None:
        with mock.patch.dict(os.environ, clear=True):
            self.assertEqual(server_address(None), "http://localhost:8080")
        with mock.patch.dict(os.environ, {"TWEENCAST_URL": "example.com/tweens/"}):
            self.assertEqual(server_address(None), "http://example.com/tweens")
        self.assertEqual(server_address("https://a:9/"), "https://a:9")

    def test_odd_ones_are_refused(self) -> None:
        for odd in ("ftp://a", "http://", "http://a b", "http://a?b", "http://a#b", "http://a:b", "http://ü", "//"):
            with self.subTest(odd), self.assertRaises(InvalidRequestError):
                server_address(odd)

    def test_a_token_fits_into_a_header(self) -> None:
        with self.assertRaises(InvalidRequestError):
            Client("http://a", "a\nb: c")


class StateTest(unittest.TestCase):
    """What answers say."""

    def test_a_target_has_all_its_digits(self) -> None:
        body = b'{"ticker":"a","value":1201.50,"text":"$1201.50","target":12345678901234567890.12345678901234567}'
        state = State.of(body, "http://a")
        self.assertEqual(state.target, Decimal("12345678901234567890.12345678901234567"))
        self.assertEqual((state.kind, state.id, state.value, state.fraction), ("ticker", "a", 1201.5, None))

    def test_other_answers_are_not_understood(self) -> None:
        for odd in (b"", b"<html>", b"[]", b"{}", b'{"ticker":1}'):
            with self.subTest(odd), self.assertRaises(NotUnderstoodError):
                State.of(odd, "http://a")

        for odd in (b"", b"[]", b"{}", b'{"items":5}', b'{"items":[{}]}', b'{"items":[],"next":5}'):
            with self.subTest(odd), self.assertRaises(NotUnderstoodError):
                Page.of(odd, "http://a")

    def test_topics_are_texts(self) -> None:
        self.assertEqual(Topic.of("ticker:a:b"), Topic("ticker", "a:b"))
        self.assertEqual(str(Topic("notification", "*")), "notification:*")
        for odd in ("ticker", "ticker:", "revenue", "ticket:a", ":a"):
            with self.subTest(odd), self.assertRaises(InvalidRequestError):
                Topic.of(odd)


if __name__ == "__main__":
    unittest.main()
