"""Numbers and updates as they are sent."""

import datetime
import json
from collections.abc import Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

from ._errors import InvalidRequestError

Amount = int | Decimal | float
"""A number to send: an int and a Decimal with all their digits, up to 38; a float as a double."""

Duration = float | datetime.timedelta
"""A time in seconds."""


def amount(number: Amount) -> str | float:
    """A number as JSON has it. A text has its digits, which a number of JSON loses in some libraries."""
    if isinstance(number, bool) or not isinstance(number, (int, Decimal, float)):
        raise InvalidRequestError(f"{number!r} is no number")
    if isinstance(number, float):
        if not isfinite(number):
            raise InvalidRequestError(f"{number} is no number that can be sent")
        return number
    if isinstance(number, Decimal):
        if not number.is_finite():
            raise InvalidRequestError(f"{number} is no number that can be sent")
        # An exponent of thousands would be written out.
        if abs(number.adjusted()) > 400:
            raise InvalidRequestError(f"{number} has too many digits")
        return format(number, "f")
    return str(number)


def seconds(duration: Duration) -> float:
    """A time in seconds."""
    return duration.total_seconds() if isinstance(duration, datetime.timedelta) else duration


def _encoded(value: object) -> object:
    if isinstance(value, Decimal):
        return amount(value)
    if isinstance(value, datetime.timedelta):
        return seconds(value)
    raise TypeError(f"{value!r} can't be sent")


def json_body(value: object) -> bytes:
    """The JSON of a value. The same value has the same bytes: the server compares those of one key."""
    try:
        return json.dumps(value, default=_encoded, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise InvalidRequestError(str(error)) from None


def update(
    fields: Mapping[str, Any], duration: Duration | None, label: str | None, easing: str | None
) -> dict[str, Any]:
    """The fields of an update, and those of them that have a parameter of their own."""
    whole = dict(fields)
    if duration is not None:
        whole["duration"] = seconds(duration)
    if label is not None:
        whole["label"] = label
    if easing is not None:
        whole["easing"] = easing
    return whole
