"""The checker of histories: what an order explains and what none does; and that it finds faults in a recorded history."""

import itertools
import pathlib
import random
import tempfile
import unittest

import checker
import history
import histories
import mutations
import shortest
from history import NEVER, READ, Doubt, Entry, Operation
from model import Answer, Request, State, changed, is_met

# Of 20 clients at three replicas, whose Redis was killed once: histories.py --only kill --operations 240 --record FILE
RECORDED = pathlib.Path(__file__).with_name("recorded.jsonl")
# Random histories that are compared with all orders.
RANDOM = 1_500


def asked(request, start, end=NEVER, answer=None, client=0, replica=0, resource="t"):
    return Operation(client, replica, resource, request, start, end, answer)


def made(revision, target, suffix="", **fields):
    """An answer to a change."""
    return Answer("changed", State(revision, target, suffix), revision == 1, **fields)


def shown(revision, target, suffix=""):
    return Answer("shown", State(revision, target, suffix))


def is_explained(*operations, doubts=()):
    return histories.check(list(operations), doubts) is None


class OrderTest(unittest.TestCase):
    """Histories of a few operations, each by its rule."""

    def test_changes_at_one_time_have_any_order(self):
        first = asked(Request("set", 5), 0, 9, made(2, 5), client=1)
        self.assertTrue(is_explained(first, asked(Request("set", 6), 1, 8, made(1, 6), client=2)))

    def test_a_change_is_carried_out_before_one_that_is_asked_for_later(self):
        first = asked(Request("set", 5), 0, 1, made(2, 5), client=1)
        self.assertFalse(is_explained(first, asked(Request("set", 6), 2, 3, made(1, 6), client=2)))

    def test_a_change_without_an_answer_is_carried_out_late_or_never(self):
        lost = asked(Request("set", 5), 0, client=1)
        later = asked(Request("set", 6), 10, 11, made(1, 6), client=2)
        self.assertTrue(is_explained(lost, later))
        self.assertTrue(is_explained(lost, later, asked(READ, 12, 13, shown(2, 5), client=3)))
        self.assertFalse(is_explained(lost, later, asked(READ, 12, 13, shown(3, 5), client=3)))

    def test_a_refusal_must_be_right(self):
        first = asked(Request("set", 5), 0, 1, made(1, 5))
        refused = asked(Request("set", 6, match=7), 2, 3, Answer("unmet", revision=1))
        self.assertTrue(is_explained(first, refused))
        refused.request = Request("set", 6, match=1)
        self.assertFalse(is_explained(first, refused))

    def test_one_of_two_conditional_changes_is_made(self):
        first = asked(Request("set", 5), 0, 1, made(1, 5))
        one = asked(Request("set", 6, match=1), 2, 9, made(2, 6), client=1)
        other = asked(Request("set", 7, match=1), 2, 9, Answer("unmet", revision=2), client=2)
        self.assertTrue(is_explained(first, one, other))
        other.answer = made(2, 7)
        self.assertFalse(is_explained(first, one, other))

    def test_a_ticker_is_made_once(self):
        one = asked(Request("set", 5, is_new=True), 0, 9, made(1, 5), client=1)
        other = asked(Request("set", 6, is_new=True), 0, 9, Answer("unmet", revision=1), client=2)
        self.assertTrue(is_explained(one, other))
        other.answer = made(1, 6)
        self.assertFalse(is_explained(one, other))

    def test_sums_are_exact(self):
        first = asked(Request("add", 5), 0, 1, made(1, 5))
        self.assertTrue(is_explained(first, asked(Request("add", 6), 2, 3, made(2, 11))))
        self.assertFalse(is_explained(first, asked(Request("add", 6), 2, 3, made(2, 6))))

    def test_a_removed_ticker_is_missing_and_can_be_created_anew(self):
        first = asked(Request("set", 5), 0, 1, made(1, 5))
        removed = asked(Request("remove"), 2, 3, Answer("removed"))
        self.assertTrue(is_explained(first, removed, asked(READ, 4, 5, Answer("missing"))))
        self.assertFalse(is_explained(first, removed, asked(READ, 4, 5, shown(1, 5))))
        self.assertTrue(is_explained(first, removed, asked(Request("define", " x"), 4, 5, made(1, 0, " x"))))

    def test_a_conditional_read_of_the_newest_revision_gets_not_modified(self):
        first = asked(Request("set", 5), 0, 1, made(1, 5))
        self.assertTrue(is_explained(first, asked(Request("read", match=1), 2, 3, Answer("same"))))
        self.assertFalse(is_explained(first, asked(Request("read", match=1), 2, 3, shown(1, 5))))
        self.assertFalse(is_explained(first, asked(Request("read", match=2), 2, 3, Answer("same"))))


class ReadTest(unittest.TestCase):
    """How old a read may be."""

    first = asked(Request("set", 5), 0, 1, made(1, 5), client=1, replica=1)
    second = asked(Request("set", 6), 2, 3, made(2, 6), client=1, replica=1)

    def test_a_read_may_be_older_than_another_clients_change(self):
        self.assertTrue(is_explained(self.first, self.second, asked(READ, 4, 5, shown(1, 5), client=2, replica=1)))

    def test_a_read_may_be_older_than_the_readers_own_change_at_another_replica(self):
        self.assertTrue(is_explained(self.first, self.second, asked(READ, 4, 5, shown(1, 5), client=1, replica=2)))

    def test_a_read_older_than_the_readers_own_change_at_that_replica_is_an_error(self):
        self.assertFalse(is_explained(self.first, self.second, asked(READ, 4, 5, shown(1, 5), client=1, replica=1)))

    def test_a_read_older_than_the_readers_last_read_at_that_replica_is_an_error(self):
        reads = [asked(READ, 4, 5, shown(2, 6), client=2), asked(READ, 6, 7, shown(1, 5), client=2)]
        self.assertFalse(is_explained(self.first, self.second, *reads))
        reads[1].replica = 2
        self.assertTrue(is_explained(self.first, self.second, *reads))

    def test_a_read_includes_changes_acknowledged_before_the_readers_own_last_change(self):
        own = asked(Request("set", 1), 4, 5, made(1, 1), client=2, resource="other")
        self.assertFalse(is_explained(self.first, self.second, own, asked(READ, 6, 7, shown(1, 5), client=2)))
        own.start = 2.5
        self.assertTrue(is_explained(self.first, self.second, own, asked(READ, 6, 7, shown(1, 5), client=2)))

    def test_a_read_of_a_change_not_yet_requested_is_an_error(self):
        self.assertFalse(is_explained(self.first, asked(READ, 1.5, 1.6, shown(2, 6), client=2), self.second))

    def test_a_read_may_show_a_change_that_has_no_answer_yet(self):
        self.assertTrue(is_explained(self.first, self.second, asked(READ, 2.1, 2.2, shown(2, 6), client=2)))

    def test_a_final_read_must_show_every_change(self):
        last = asked(READ, 4, 5, shown(1, 5), client=2)
        last.is_final = True
        self.assertFalse(is_explained(self.first, self.second, last))

    def test_a_read_during_a_failover_may_show_anything(self):
        lost = asked(READ, 4, 5, shown(7, 9), client=2, replica=2)
        self.assertFalse(is_explained(self.first, lost))
        self.assertTrue(is_explained(self.first, lost, doubts=[Doubt(2, 3, 4)]))
        self.assertFalse(is_explained(self.first, lost, doubts=[Doubt(1, 3, 4), Doubt(2, 5.1, 6)]))


class KeyTest(unittest.TestCase):
    request = Request("add", 5, key="k")

    def test_a_repeated_answer_needs_a_first_one(self):
        again = asked(self.request, 2, 3, made(1, 5, is_replay=True), client=2)
        self.assertFalse(is_explained(again))
        self.assertTrue(is_explained(asked(self.request, 0, 1, made(1, 5)), again))
        # The first attempt had no answer, and was carried out.
        self.assertTrue(is_explained(asked(self.request, 0), again))

    def test_a_request_repeated_with_its_key_is_carried_out_once(self):
        again = asked(self.request, 2, 3, made(1, 5, is_replay=True), client=2)
        attempts = [asked(self.request, 0), again, asked(READ, 4, 5, shown(1, 5), client=2)]
        self.assertTrue(is_explained(*attempts))
        attempts[2].answer = shown(2, 10)
        self.assertFalse(is_explained(*attempts))
        self.assertFalse(is_explained(asked(self.request, 0), asked(self.request, 0), attempts[2]))

    def test_two_attempts_are_not_both_carried_out(self):
        self.assertFalse(is_explained(asked(self.request, 0, 1, made(1, 5)), asked(self.request, 2, 3, made(2, 10))))

    def test_answers_are_the_same_to_the_byte(self):
        one = asked(self.request, 0, 1, made(1, 5, words="a"))
        self.assertTrue(is_explained(one, asked(self.request, 2, 3, made(1, 5, is_replay=True, words="a"))))
        self.assertFalse(is_explained(one, asked(self.request, 2, 3, made(1, 5, is_replay=True, words="b"))))

    def test_a_repeated_request_that_was_carried_out_is_not_refused(self):
        keyed = Request("set", 5, is_new=True, key="k")
        one, other = asked(keyed, 0, 1, made(1, 5)), asked(keyed, 2, 3, Answer("unmet", revision=1))
        self.assertFalse(is_explained(one, other))
        other.start, other.end = -2, -1
        first = asked(Request("set", 4), -9, -8, made(1, 4), client=3)
        gone = asked(Request("remove"), -1.5, -0.5, Answer("removed"), client=3)
        self.assertTrue(is_explained(first, other, gone, one))


class RandomTest(unittest.TestCase):
    """The search says what trying all orders says."""

    def test_the_search_finds_an_order_where_there_is_one(self):
        lot, found = random.Random(1), {True: 0, False: 0}
        for _ in range(RANDOM):
            entries = history.entries(random_history(lot))
            expected = any_order(entries)
            self.assertEqual(checker.Search(entries).is_possible(), expected, [str(one.operation) for one in entries])
            found[expected] += 1
        self.assertGreater(min(found.values()), RANDOM // 10, "both must come up")

    def test_a_shortened_history_still_fails(self):
        lot, failed = random.Random(2), 0
        for _ in range(RANDOM):
            entries = history.entries(random_history(lot, 8))
            if not checker.Search(entries).is_possible():
                failed += 1
                self.assertTrue(0 < len(shortest.shortest(entries)) <= len(entries))
        self.assertGreater(failed, RANDOM // 10)

    def test_a_search_that_takes_too_long_decides_nothing(self):
        entries = history.entries(
            [asked(Request("set", number), 0) for number in range(9)] + [asked(READ, 1, 2, shown(9, 77))]
        )
        with self.assertRaises(checker.Undecided):
            checker.Search(entries, most=50).is_possible()
        self.assertFalse(checker.Search(entries).is_possible())


def random_history(lot, size=6) -> list[Operation]:
    """A few clients' operations, most of them answered as a server would that carries them out in the order of their ends."""
    state, times = None, sorted(lot.sample(range(100), 2 * size))
    operations, unanswered = [], lot.choice([0.1, 0.5])
    for number in range(size):
        start, end = sorted(lot.sample(times, 2))
        kind = lot.choice(["set", "set", "add", "remove", "read", "read"])
        match = lot.choice([None, None, 1, 2]) if kind != "read" else None
        request = Request(kind, number if kind in ("set", "add") else None, match)
        operations.append(asked(request, start, end, client=lot.randrange(2), replica=lot.randrange(2)))
    for one in sorted(operations, key=lambda one: one.end):
        one.answer, state = answered(state, one.request)
        if lot.random() < unanswered:
            one.answer, one.end = None, NEVER
        elif lot.random() < 0.1 and one.answer.state:
            one.answer = one.answer._replace(state=one.answer.state._replace(target=lot.randrange(size)))
    return operations


def answered(state, request):
    """What a server that is in a state says, and the state behind that."""
    if request.is_read:
        return (Answer("shown", state) if state else Answer("missing")), state
    if request.kind == "remove" and state is None:
        return Answer("missing"), None
    if not is_met(state, request):
        return Answer("unmet", revision=state.revision if state else None), state
    after = changed(state, request)
    return (Answer("changed", after, state is None) if after else Answer("removed")), after


def any_order(entries: list[Entry]) -> bool:
    """Whether one of all orders explains a history, with any of those left out that may be."""
    certain = [entry for entry in entries if entry.is_certain]
    open_ones = [entry for entry in entries if not entry.is_certain]
    return any(
        is_order(order)
        for number in range(len(open_ones) + 1)
        for chosen in itertools.combinations(open_ones, number)
        for order in itertools.permutations([*certain, *chosen])
    )


def is_order(order) -> bool:
    state = None
    for place, entry in enumerate(order):
        if any(precedes(later, entry) for later in order[place + 1 :]):
            return False
        expected, after = answered(state, entry.request)
        if entry.answer and entry.answer != expected:
            return False
        state = after
    return True


def precedes(one: Entry, other: Entry) -> bool:
    if one.request.is_read and other.request.is_read:
        return one.number == other.previous
    return one.end < other.floor or one.number == other.previous


class RecordedTest(unittest.TestCase):
    """A history that was recorded is explained; changed in a few answers, it isn't, and a short part of it shows why."""

    recorded = history.read(RECORDED)

    def test_the_recorded_history_passes_the_checker(self):
        self.assertIsNone(histories.check(self.recorded))
        self.assertTrue(any(one.answer is None for one in self.recorded))
        self.assertTrue(any(one.answer and one.answer.is_replay for one in self.recorded))

    def test_each_fault_is_found_and_shortened(self):
        for name, mutant in mutations.mutants(self.recorded).items():
            with self.subTest(name):
                self.assertIsNotNone(mutant, "no answer lends itself")
                finding = histories.check(mutant)
                self.assertIsNotNone(finding, "it was not found")
                self.assertLessEqual(len(finding.operations), 3, str(finding))

    def test_a_stale_read_is_shown_with_its_readers_own_change(self):
        finding = histories.check(mutations.mutants(self.recorded)["a_read_is_stale"])
        change, read = sorted(finding.operations, key=lambda one: one.end)
        self.assertEqual((change.client, change.replica, change.resource), (read.client, read.replica, read.resource))
        self.assertGreater(change.answer.state.revision, read.answer.state.revision)
        self.assertRegex(str(finding), rf"client {read.client:2} at replica {read.replica} .* read -> shown: revision")

    def test_a_file_keeps_the_whole_history(self):
        operations = [asked(Request("set", 5, 1, key="k"), 0, 1, made(2, 5, " x", is_replay=True)), asked(READ, 2)]
        with tempfile.NamedTemporaryFile() as file:
            history.write(file.name, operations)
            self.assertEqual(history.read(file.name), operations)


if __name__ == "__main__":
    unittest.main()
