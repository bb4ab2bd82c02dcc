"""Where the server and Node's Intl write a number differently, and why.

Most of it is the age of data: Foundation brings CLDR 46, Node 48. What isn't listed here is a fault.
"""

import dataclasses
import re
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class KnownDifference:
    """A reason, and what it explains: `holds(format, shown, written)`. A reason that no longer holds explains nothing."""

    reason: str
    holds: Callable[[dict, str, str], bool]


def within(locales, same):
    """That of some locales, where `same` makes both texts equal."""
    languages = locales.split()
    return lambda ours, shown, written: ours["locale"] in languages and same(shown) == same(written)


def without(pattern):
    return lambda text: re.sub(pattern, "", text)


def is_zero(text):
    return not any(character.isdigit() and int(character) for character in text)


def digits(text):
    return [character for character in text if character.isdigit()]


# Foundation's own format styles write these as the server does.
NEW_COMPACT_WORDS = "as-IN bn-BD en-AU en-GB en-IE en-NZ es-419 es-AR es-CL es-CO es-MX es-US it-CH it-IT mn-MN".split()
NEW_CURRENCY_PATTERNS = "es-US fr-CA gl-ES id-ID".split()

KNOWN_DIFFERENCES = [
    KnownDifference(
        "CLDR 48 writes forints without decimals; ISO 4217 has two of them",
        lambda ours, shown, written: ours.get("currency") == "HUF" and "maximumDecimals" not in ours,
    ),
    KnownDifference(
        "Swiss groups are apart by ' since CLDR 48, by ’ before",
        within("de-CH it-CH", lambda text: text.replace("’", "'")),
    ),
    KnownDifference(
        "French of Switzerland: the currency's place and point are others in CLDR 48",
        lambda ours, shown, written: ours["locale"] == "fr-CH" and ours["style"] == "currency",
    ),
    KnownDifference(
        "Kannada, Malayalam, Odia, Urdu and Austrian German group otherwise since CLDR 48; Armenian from five digits on",
        within("kn-IN ml-IN or-IN ur-PK de-AT hy-AM", without(r"[.,\s]")),
    ),
    KnownDifference(
        "a space beside the currency that CLDR 48 has and CLDR 46 hasn't",
        within("ms-MY zh-TW zh-HK zh-Hans-HK", without(r"\s")),
    ),
    KnownDifference(
        "short compact words are others in CLDR 48",
        lambda ours, shown, written: (
            ours["style"] == "compact" and ours["compactDisplay"] == "short" and ours["locale"] in NEW_COMPACT_WORDS
        ),
    ),
    KnownDifference(
        "the place or space of some currencies is another in CLDR 48",
        lambda ours, shown, written: ours["style"] == "currency" and ours["locale"] in NEW_CURRENCY_PATTERNS,
    ),
    KnownDifference(
        "names of currencies are others in CLDR 48",
        lambda ours, shown, written: ours.get("currencyDisplay") == "name" and digits(shown) == digits(written),
    ),
    KnownDifference(
        "words for one, two or a thousand that leave the number out (Arabic, Hebrew, French): it couldn't move",
        lambda ours, shown, written: ours["style"] in ("unit", "compact") and not digits(written),
    ),
    KnownDifference(
        "a fault of the server's: Filipino's tens and hundreds of thousands lack the form `na libo`",
        within("fil-PH", without(" na")),
    ),
    KnownDifference(
        "the server's zero has no minus, -0 and what is rounded to it included",
        lambda ours, shown, written: is_zero(shown) and digits(written) == digits(shown) and "+" in shown,
    ),
    KnownDifference(
        "ICU writes the last digit of a Turkish amount behind the currency's name",
        lambda ours, shown, written: (
            ours["locale"] == "tr-TR" and ours.get("currencyDisplay") == "name" and written[-1].isdigit()
        ),
    ),
]


def known_difference(ours, shown, written):
    """Why a format is written differently; none for a fault."""
    if shown is None or written is None:
        return None
    return next((known.reason for known in KNOWN_DIFFERENCES if known.holds(ours, shown, written)), None)
