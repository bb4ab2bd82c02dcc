"""What was told and drawn, held against the model."""

import decimal
import json
import re

from factors import READERS, Scenario
from played import Played
from reader import Told
from writing import ARABIC, LATIN

Decimal = decimal.Decimal

# How far a rate that stands still may seem to have gone: it is rounded, and told a moment later.
RATE_TOLERANCE = 0.1
# A spring ends when its text can't change any more.
SETTLED_DIGITS = 0.51
# A page's clock, and a frame that lies between two ticks.
MOMENT = 0.002
# Seconds that an event may take to the witness.
AT_ONCE = 0.5
# What a card writes of large changes, with a digit after the point.
SUFFIXES = {"K": 3, "M": 6, "B": 9, "T": 12}


def wrong_with(played: Played) -> list[str]:
    """What isn't as it must be; empty where all is well."""
    if played.wrong:
        return played.wrong
    found = []
    for check in (_completes, _frames, _milestones, _followed, _rest, _paused, _reader, _elements):
        try:
            found += check(played)
        except Exception as error:
            found.append(f"{check.__name__}: {error!r}")
    return found


def completes_of(told: list[Told]) -> list[Told]:
    return [one for one in told if one.name == "complete"]


def expected_completes(played: Played) -> list[tuple[bool, str, Decimal | None]]:
    """Whether each finished, why, and at which value; None for one that time decides."""
    one, event = played.scenario, played.scenario.row["event"]
    ended = (True, "finished", one.end)
    second = (True, "finished", one.second)
    if event == "queue":
        return [ended, second]
    if event in ("retarget", "replace"):
        return [ended if _was_over(played) else (False, "superseded", None), second]
    if _was_over(played):
        return [ended]
    if event == "back":
        return [(True, "finished", one.begin)]
    if event == "cancel":
        return [(False, "cancelled", None)]
    if event == "delete":
        return [(False, "removed", None)]
    return [ended]


def _digits(played: Played, ended: int) -> tuple[bool, ...]:
    """Whether a text has the second update's digits, after so many completes; both are right where nobody can tell."""
    if ended and _was_over(played):
        return (False, True)
    return (ended > 0,)


def _is_one_right(one: Scenario, text: str, value, digits: tuple[bool, ...], locale: str | None) -> str:
    """What is wrong with a text where it may have these digits."""
    wrong = [_text_is_right(one, text, value, has_second, locale) for has_second in digits]
    return wrong[0] if all(wrong) else ""


def _was_over(played: Played) -> bool:
    """Whether the first motion had ended before the event came, or just then."""
    if played.was_over:
        return True
    answer, completes = played.answers.get(played.scenario.row["event"]), completes_of(played.witnessed)
    if not answer or not completes or played.scenario.row["event"] == "back":
        return False
    return completes[0].data["finished"] and completes[0].at < answer.answered / 1e9 + AT_ONCE


def _text_is_right(one: Scenario, text: str, value, has_second_digits: bool, locale: str | None) -> str:
    """What is wrong with the text of a value; empty where nothing is."""
    if one.label.kind == "progress":
        pattern = one.pattern(value, has_second_digits, locale)
        return "" if re.fullmatch(pattern, text) else f"{text!r} of {value} isn't {pattern!r}"
    right = one.text(value, has_second_digits, locale)
    return "" if text == right else f"{text!r} of {value} isn't {right!r}"


def _completes(played: Played) -> list[str]:
    told = [event.data for event in completes_of(played.witnessed)]
    expected = expected_completes(played)
    if [(event["finished"], event["reason"]) for event in told] != [(each[0], each[1]) for each in expected]:
        return [f"completes {told}, and not {expected}"]
    found = []
    for index, (event, (_, _, value)) in enumerate(zip(told, expected, strict=True)):
        if value is not None and Decimal(event["value"]) != value:
            found.append(f"complete {index + 1} at {event['value']}, and not {value}")
        found.append(_text_is_right(played.scenario, event["text"], event["value"], index > 0, None))
    return [f"complete: {line}" for line in found if line]


def _frames(played: Played) -> list[str]:
    """Each frame's text is its value's, and its value that of the closed form at its moment."""
    one, found, ended, last = played.scenario, [], 0, 0
    for event in played.witnessed:
        if event.name == "complete":
            ended += 1
        if event.name != "frame":
            continue
        value, at = event.data["value"], event.data["t"]
        found.append(_is_one_right(one, event.data["text"], value, _digits(played, ended), None))
        if at < last:
            found.append(f"a frame of {at} after one of {last}")
        last = at
        if ended == 0 and (played.loose_from is None or at < played.loose_from):
            found.append(_value_is_right(played, float(value), at))
    lines = [line for line in found if line]
    return [f"frames: {lines[0]} (and {len(lines) - 1} more)"] if lines else []


def _value_is_right(played: Played, value: float, at: int) -> str:
    one = played.scenario
    possible = [
        phase
        for phase, following in zip(played.phases, [*played.phases[1:], None], strict=True)
        if phase.first <= at and (following is None or following.last >= at)
    ]
    owns = [phase.owns(at) for phase in possible]
    # While the update is on its way there is what was shown before.
    is_before = at <= played.phases[0].last and value == float(one.start)
    if not owns or is_before:
        return ""
    low, high = min(own[0] for own in owns) - MOMENT, max(own[1] for own in owns) + MOMENT
    values = one.range_of(low, high)
    if values is None:
        values = tuple(sorted([float(one.begin), float(one.target)]))
    margin = 1e-9 * max(abs(values[0]), abs(values[1]), 1)
    if one.motion.is_spring:
        margin += SETTLED_DIGITS * 10.0**-one.places
    if values[0] - margin <= value <= values[1] + margin:
        return ""
    return f"{value} at {low:.4f} to {high:.4f} s isn't between {values[0]} and {values[1]}"


def _milestones(played: Played) -> list[str]:
    one = played.scenario
    told = [event.data["value"] for event in played.witnessed if event.name == "milestone"]
    if one.row["follow"] != "milestones":
        return [f"milestones that nobody asked for: {told}"] if told else []
    possible = [float(value) for value in one.milestones]
    found = [float(value) for value in told]
    if len(found) != len(set(found)):
        return [f"milestones told twice: {found}"]
    if set(found) - set(possible):
        return [f"milestones {found}, and not {possible}"]
    first = completes_of(played.witnessed)[0].data
    # What a seek jumps over need not be told, nor what a motion that is cut off hasn't come to.
    is_whole = first["finished"] and Decimal(first["value"]) == one.target and not one.motion.is_jump
    if is_whole and one.row["event"] not in ("seek", "back") and len(found) < len(possible):
        return [f"milestones {found} of {possible}"]
    return []


def _followed(played: Played) -> list[str]:
    """`then` follows a motion that has arrived, and `else` one that was cut off: once."""
    one = played.scenario
    if one.row["follow"] not in ("then", "else") or one.row["event"] == "back":
        return []
    has_arrived = expected_completes(played)[0][0]
    expected = has_arrived == (one.row["follow"] == "then")
    if played.notified == expected:
        return []
    return [f"{one.row['follow']} told {played.notified} times, and not {int(expected)}"]


def _rest(played: Played) -> list[str]:
    """What a look says at rest, in the poster's writing and in readers' locales."""
    if not played.final:
        return []
    one, found = played.scenario, []
    last = completes_of(played.witnessed)[-1].data
    for locale, body in played.final.items():
        if Decimal(body["value"]) != Decimal(last["value"]):
            found.append(f"{body['value']}, and it ended at {last['value']}")
        has_second = len(completes_of(played.witnessed)) > 1
        found.append(_text_is_right(one, body["text"], body["value"], has_second, locale or None))
        if body["display"]["text"] != body["text"]:
            found.append(f"display.text {body['display']['text']!r} isn't text {body['text']!r}")
    return [f"at rest: {line}" for line in found if line]


def _paused(played: Played) -> list[str]:
    """Nothing moves while it is paused, and nothing is estimated from it."""
    if "held" not in played.answers:
        return []
    one, found = played.scenario, []
    bodies = [played.answers[name].json for name in ("pause", "held", "resume")]
    for field in ("value", "text"):
        told = [body[field] for body in bodies]
        if len(set(told[: 2 if one.has_rate else 3])) > 1:
            found.append(f"{field} while paused: {told}")
    rates = [float(body["rate"]) for body in bodies if "rate" in body]
    if rates and max(rates) - min(rates) > RATE_TOLERANCE * max(rates):
        left = [body["display"].get("eta") for body in bodies]
        found.append(f"rate before, during and after a pause: {rates}; eta: {left}")
    shown = played.drawn_while_paused
    if shown and shown["shown"] != bodies[1]["text"] and not one.has_rate:
        found.append(f"drawn {shown['shown']!r} while paused at {bodies[1]['text']!r}")
    return found


def _reader(played: Played) -> list[str]:
    """What the reader was told: texts in its writing, and the events that the witness was told."""
    one, asked = played.scenario, READERS[played.scenario.row["reader"]]
    locale = (re.search(r"locale=([\w-]+)", asked) or [None, None])[1]
    is_text = "as=text" in asked
    found = [played.reader.wrong] if played.reader.wrong else []
    if played.reader.retractions > (one.row["event"] == "restart"):
        found.append(f"what it was told was taken back {played.reader.retractions} times")
    told = played.heard
    ids = {event.id: event for event in told if event.id}
    for event in played.witnessed:
        if event.id and event.id not in ids:
            found.append(f"it wasn't told {event.name} {event.data}")
        elif event.id and _without_text(ids[event.id].data) != _without_text(event.data):
            found.append(f"{ids[event.id].data} isn't {event.data}")
    if len(ids) != sum(1 for event in told if event.id):
        found.append("an event was told twice")
    begun = {event.id for event in played.witnessed}
    posted = {event.data["text"] for event in completes_of(played.witnessed)} if locale else set()
    ended, shown = 0, None
    for event in told:
        data = event.data
        # An end doesn't wait until a new server can write in the reader's locale.
        is_early = event.name != "motion" and _is_early(played, event)
        if event.name == "complete" and event.id in begun:
            if not (is_early and data["text"] in posted):
                found.append(_text_is_right(one, data["text"], data["value"], ended > 0, locale))
            is_shown = data["reason"] != "superseded" and len(played.reader.greeted) == 1 and "motion" not in asked
            if shown is not None and shown != data["text"] and not one.has_rate and is_shown:
                found.append(f"the last frame said {shown!r}, and complete {data['text']!r}")
            # With motions, what one ends with is told by its complete alone.
            shown = data["text"] if "motion" in asked else shown
            ended += 1
        elif event.name in ("frame", "motion"):
            shown = data if is_text else data["text"]
            value = value_of(one, shown) if is_text else data["value"]
            if value is not None and not (is_early and shown in posted):
                found.append(_is_one_right(one, shown, value, _digits(played, ended), locale))
            if event.name == "frame" and not is_text:
                found.append(_form_is_right(one, data))
    lines = [line for line in found if line]
    return [f"reader: {lines[0]} (and {len(lines) - 1} more)"] if lines else []


def _is_early(played: Played, event: Told) -> bool:
    """Whether it was told a moment after the reader came back from a restart."""
    comebacks = played.reader.greeted[1:] if played.scenario.row["event"] == "restart" else []
    return any(0 <= event.at - at < AT_ONCE for at in comebacks)


def _without_text(data: dict) -> str:
    return json.dumps({field: value for field, value in data.items() if field not in ("text", "by")}, sort_keys=True)


def _form_is_right(one: Scenario, data: dict) -> str:
    """Wheels at rest, and strings for people, say what the text says."""
    if "display" in data and data["display"]["text"] != data["text"]:
        return f"display.text {data['display']['text']!r} isn't text {data['text']!r}"
    wheels = data.get("wheels")
    if not wheels or any(isinstance(part[0], int) and (len(part) > 2 or Decimal(part[1]) % 1) for part in wheels):
        return ""
    if any(isinstance(part, list) and isinstance(part[0], str) for part in wheels):
        return ""
    digits = data.get("digits", LATIN)
    said = "".join(part if isinstance(part, str) else digits[int(Decimal(part[1]))] for part in wheels)
    return "" if said == data["text"] else f"wheels {said!r} of {data['text']!r}"


def value_of(one: Scenario, text: str) -> Decimal | None:
    """The number that a text shows; None for a progress."""
    if one.label.kind == "progress":
        return None
    latin = text.translate(str.maketrans(ARABIC, LATIN))
    point = "," if "de-DE" in READERS[one.row["reader"]] else one.label.signs.point
    number = "".join(sign for sign in latin if sign.isdigit() or sign == point).replace(point, ".")
    if not re.fullmatch(r"\d+(\.\d+)?", number):
        # Written otherwise than it must be; no number is written so.
        return Decimal(0)
    return Decimal(number) / one.label.factor * (-1 if "-" in latin else 1)


def drawn_at_rest(played: Played) -> list[str]:
    """What is drawn once it rests: the text, and on a card by how much it has changed."""
    one, drawn, completes = played.scenario, played.drawn, completes_of(played.witnessed)
    if drawn is None or not completes:
        return [] if one.row["drawn"].endswith("card") and one.row["event"] == "delete" else ["nothing is drawn"]
    if one.row["event"] == "delete":
        if one.row["drawn"].endswith("card"):
            return [f"a card of what was deleted: {drawn['shown']!r}"]
        # The last that was shown, marked as gone; a page that came later never knew it.
        marks = ("removed", "missing") if one.is_late else ("removed",)
        return [] if drawn["stale"] in marks else [f"what was deleted is {drawn['stale']}"]
    text = completes[-1].data["text"]
    found = [] if drawn["shown"] == text or one.has_rate else [f"drawn {drawn['shown']!r} at rest, and not {text!r}"]
    # A page comes back some seconds after a restart, and says so until then.
    found += [f"at rest it is marked as {drawn['stale']}"] if drawn["stale"] else []
    return found + _delta(played)


def drawn_after_zero(played: Played) -> list[str]:
    """What is drawn once it has gone through zero: no sign stands where a digit should."""
    if not played.has_crossed:
        return []
    if played.scenario.is_filled_again:
        shown = (played.drawn or {}).get("delta")
        if played.seen is None:
            return ["a card that was opened while it is filled again is never drawn"]
        if shown in ("▲ +1,000", "▲ +1000") or played.seen > played.crossed_at - AT_ONCE:
            return []
        return [f"{shown!r} beside a progress that went from 0 to 1000 and was seen on its way"]
    right = played.scenario.text(played.scenario.behind_zero)
    shown = (played.drawn or {}).get("shown")
    return [] if shown == right else [f"drawn {shown!r} behind zero, and not {right!r}"]


def _delta(played: Played) -> list[str]:
    """By how much it has changed since it last rested."""
    one, drawn = played.scenario, played.drawn
    if drawn["delta"] is None:
        return []
    values = [one.start, *(Decimal(event.data["value"]) for event in completes_of(played.witnessed)
                           if event.data["reason"] != "superseded")]  # fmt: skip
    change = values[-1] - (one.begin if len(values) == 2 and not one.motion.is_jump else values[-2])
    sign, number = {"▲": 1, "▼": -1}.get(drawn["delta"][:1], 0), re.sub(r"[^\d.]", "", drawn["delta"])
    scale = Decimal(10) ** SUFFIXES.get(drawn["delta"][-1:], 0)
    told = sign * Decimal(number or 0) * scale
    # Where the first motion was over, or a second one had taken over, a page can't know.
    if one.is_late and not _was_seen_moving(played):
        return []
    exact = (Decimal(10) ** -one.label.decimals if scale == 1 else scale / 10) / 2 + abs(change) * Decimal("1e-12")
    if abs(told - change) <= exact:
        return []
    return [f"{drawn['delta']!r} beside {drawn['shown']!r}: it has changed by {change}"]


def _was_seen_moving(played: Played) -> bool:
    """Whether a page that was opened late saw the first motion."""
    one, seen = played.scenario, played.seen_first or played.seen
    if seen is None or one.motion.is_jump:
        return False
    following = played.answers.get(one.row["event"]) if one.row["event"] in ("retarget", "replace") else None
    return seen < completes_of(played.witnessed)[0].at - AT_ONCE and (not following or seen * 1e9 < following.sent)


def _elements(played: Played) -> list[str]:
    """What each frame that is drawn says, and what stands there at rest."""
    one, behind = played.scenario, drawn_after_zero(played)
    played.drawn = played.at_rest
    found = drawn_at_rest(played) + behind
    if played.drawn and one.label.kind == "ticker":
        # Which update a text is of isn't told.
        texts = [(text, value) for value, text in played.drawn["told"] if isinstance(value, (int, float))]
        for text, value in texts:
            wrong = _is_one_right(one, text, repr(value), (False, True), None)
            if wrong and abs(value) < 1e15:
                found.append(f"an element told {wrong}")
                break
    return found
