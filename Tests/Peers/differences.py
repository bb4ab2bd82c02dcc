"""Where the server and Node's Intl write a number differently, which case it is, and why.

Most of it is the age of data: Foundation brings CLDR 46, Node 48, and what 48 says is right by now. Where one of the two is
wrong, the reason says so. What isn't listed here is a fault.
"""

import dataclasses
import functools
import re
from collections.abc import Callable

MARKS = "\u200e\u200f\u061c"


@dataclasses.dataclass(frozen=True)
class KnownDifference:
    """Whom a reason concerns, and what makes both texts equal where nothing else differs."""

    reason: str
    concerns: Callable[[dict], bool]
    rewrite: Callable[[str], str]


def case(locales="", **fields):
    """Formats in some locales, all if none is named, with some fields; several values by a space."""
    names = locales.split()
    wanted = {field: values.split() for field, values in fields.items()}

    def concerns(ours):
        return (not names or ours["locale"] in names) and all(
            str(ours.get(field)) in values for field, values in wanted.items()
        )

    return concerns


def both(*conditions):
    return lambda ours: all(condition(ours) for condition in conditions)


def any_of(*conditions):
    return lambda ours: any(condition(ours) for condition in conditions)


def without(pattern):
    return lambda text: re.sub(pattern, "", text)


def with_words(*pairs):
    """One side's words in place of the other's."""
    return lambda text: functools.reduce(lambda text, pair: re.sub(pair[0], pair[1], text), pairs, text)


def in_order(*rewrites):
    return lambda text: functools.reduce(lambda text, rewrite: rewrite(text), rewrites, text)


def pieces(text):
    """What is written, wherever it stands and however it is spaced."""
    return "".join(sorted(without(rf"[\s{MARKS}]")(text)))


def initials(text):
    """The first letters of words, large; vowel signs aside."""
    return "".join(word[0].upper() for word in re.findall(r"[^\W\d_][^\s\d]*", text))


def stems(text):
    """The beginnings of words, which plural forms share."""
    return " ".join(sorted(word[:3] for word in re.findall(r"[^\W\d_]{3,}", text)))


def is_free(ours):
    """Nobody said how many digits there are."""
    return not {"maximumDecimals", "minimumSignificantDigits", "maximumSignificantDigits"} & ours.keys()


without_digits = without(rf"[\d.,٫٬'’+−()\-{MARKS}]|(?<=\d)\s(?=\d)")
without_groups = without(r"(?<=\d)[.,'’\s](?=\d)")
with_name = case(currencyDisplay="name")
with_sign = case(style="currency", currencyDisplay="symbol code narrow-symbol")
compact_money = case(style="currency", notation="compact")
short_compact = case(style="compact", compactDisplay="short")
LATIN_AMERICA = "es-419 es-AR es-CL es-CO es-MX es-US"


KNOWN_DIFFERENCES = [
    KnownDifference(
        "Switzerland: groups are apart by ' in CLDR 48", case("de-CH fr-CH it-CH"), with_words(("[’\u202f]", "'"))
    ),
    KnownDifference(
        "Switzerland's French: amounts have a point, their currency behind them and parentheses in CLDR 48",
        both(case("fr-CH"), with_sign),
        in_order(with_words((r"Fr\.", "CHF"), (",", ".")), without(r"[()−-]"), pieces),
    ),
    KnownDifference(
        "Switzerland's French: Foundation writes the sign beside the currency's name, which is wrong",
        both(case("fr-CH"), with_name),
        in_order(with_words((",", ".")), without(r"[^\d\s+-]+\s(?=[+-]?\d)")),
    ),
    KnownDifference(
        "Kannada, Malayalam, Odia, Urdu: groups of three, not of two, in CLDR 48",
        case("kn-IN ml-IN or-IN ur-PK"),
        without(r"(?<=\d),(?=\d)"),
    ),
    KnownDifference(
        "Austria: groups are apart by a space in CLDR 48", case("de-AT"), without(r"(?<=\d)[.\s](?=\d\d\d)")
    ),
    KnownDifference("Armenian: groups from five digits on in CLDR 48", case("hy-AM"), without(r"(?<=\d)\s(?=\d\d\d)")),
    KnownDifference(
        "Chinese of Taiwan and Hong Kong: a space before the currency's name in CLDR 48",
        both(case("zh-TW zh-HK zh-Hans-HK"), with_name),
        without(r"\s"),
    ),
    KnownDifference(
        "Canada's French: a no-break space before the currency's name in CLDR 48",
        both(case("fr-CA"), with_name),
        with_words(("\xa0", " ")),
    ),
    KnownDifference(
        "Spanish of the United States: codes of euro and pound in CLDR 48",
        both(case("es-US", currency="EUR GBP"), with_sign),
        in_order(with_words(("€", "EUR"), ("£", "GBP")), without(r"\s")),
    ),
    KnownDifference(
        "Galician: accounts have parentheses in CLDR 48",
        both(case("gl-ES", currencySign="accounting"), with_sign),
        without("[()-]"),
    ),
    KnownDifference(
        "names of currencies that CLDR 48 spells otherwise",
        both(case("af-ZA gu-IN sv-SE te-IN ur-PK"), with_name),
        with_words(
            ("rupee", "roepee"),
            ("ડોલર", "ડૉલર"),
            ("US-dollar", "amerikanska dollar"),
            ("چلّین پیسہ", "چلین پیسو"),
            ("యురోలు", "యూరోలు"),
            ("యురొ", "యూరో"),
            ("చైనా దేశ", "చైనీస్"),
            ("జపాను దేశ", "జపనీస్"),
            ("టర్కిస్", "టర్కిష్"),
        ),
    ),
    KnownDifference(
        "British: k, m, bn and tn in CLDR 48",
        both(case("en-GB"), any_of(short_compact, compact_money)),
        with_words(*((rf"(?<=\d){old}\b", new) for old, new in ("Kk", "Mm", ("B", "bn"), ("T", "tn")))),
    ),
    KnownDifference(
        "Malay: a space between a sign that ends with a letter and its number in CLDR 48",
        both(case("ms-MY"), with_sign),
        with_words((r"(?<=[a-zł])\s(?=\d)", "")),
    ),
    KnownDifference(
        "Swahili: CLDR 48 misspells microseconds",
        case("sw-KE", style="unit"),
        with_words(("maikroseunde", "mikrosekunde")),
    ),
    KnownDifference(
        "Italian: CLDR 48 has a short thousand",
        both(case("it-IT it-CH"), any_of(short_compact, compact_money)),
        in_order(without_digits, without("K|Mln"), pieces),
    ),
    KnownDifference(
        "American Spanish: thousands of millions by another word, or in millions, in CLDR 48",
        both(case(LATIN_AMERICA), any_of(short_compact, compact_money)),
        in_order(
            without_digits,
            with_words(("MRD", "M"), (r"(k|mil)\s+M", "M"), ("K", "k"), (r"\b[BT]\b", "M"), ("€", "EUR"), ("£", "GBP")),
            pieces,
        ),
    ),
    KnownDifference(
        "Assamese and Bengali: lakhs and crores begin elsewhere, and are cut otherwise, in CLDR 48",
        both(case("as-IN bn-BD"), any_of(short_compact, compact_money)),
        in_order(without_digits, initials),
    ),
    KnownDifference(
        "Mongolian: shorter words in CLDR 48",
        both(case("mn-MN"), any_of(short_compact, compact_money)),
        in_order(without(r"(?<=[а-я])\."), with_words((r"их\s+наяд", "ИН")), initials),
    ),
    KnownDifference(
        "short words beside a currency that CLDR 48 has and 46 hasn't: Azerbaijani, Kazakh, European Portuguese, Romanian,"
        " Macedonian",
        both(case("az-AZ kk-KZ mk-MK pt-AO pt-PT ro-RO"), compact_money),
        in_order(
            with_words(
                ("(?<=[0-9])T", " trln"),
                ("(?<=[0-9])M", " mln"),
                ("(?<=[0-9])[BG]", " mlrd"),
                ("(?<=[0-9])K", " min"),
                ("мың", "м."),
                (r"\bB\b", "Bi"),
                (r"\bmii\b", "K"),
                ("милј", "ми"),
                (r"мил\.", "М"),
            ),
            without(r"\s"),
        ),
    ),
    KnownDifference(
        "the currency of compact amounts stands elsewhere, or apart by a space or a mark of direction, in CLDR 48",
        both(
            case(
                "ar-AE ar-EG ar-MA ar-SA ca-ES de-CH es-ES es-MX fa-IR fr-CA gl-ES he-IL km-KH my-MM nb-NO nn-NO pa-IN"
                " sw-KE ta-IN tr-TR ur-PK zu-ZA"
            ),
            compact_money,
        ),
        pieces,
    ),
    KnownDifference(
        "Burmese: CLDR 48 cuts the words of compact amounts short, which is wrong",
        both(case("my-MM"), compact_money),
        in_order(without("[ကကုဋေသောင်း]"), pieces),
    ),
    KnownDifference(
        "Arabic: a plural of thousand beside a currency in CLDR 48",
        both(case("ar-AE ar-EG ar-MA ar-SA"), compact_money),
        in_order(with_words(("آلاف", "ألف")), pieces),
    ),
    KnownDifference(
        "Persian: a trillion of its own beside a currency in CLDR 48",
        both(case("fa-IR"), compact_money),
        in_order(with_words(("هزارمیلیارد", "تریلیون")), pieces),
    ),
    KnownDifference(
        "Urdu: hundreds of billions are counted by kharab beside a currency in CLDR 48",
        both(case("ur-PK"), compact_money),
        in_order(without_digits, with_words(("ٹریلین", "کھرب"))),
    ),
    KnownDifference(
        "Swahili: CLDR 46 calls a hundred thousand a hundred laki beside a currency, which is wrong",
        both(case("sw-KE"), compact_money),
        in_order(with_words(("laki", "elfu")), pieces),
    ),
    KnownDifference(
        "Swahili: a fault of the server's, CLDR has the minus behind the word",
        both(case("sw-KE"), any_of(case(style="compact"), compact_money)),
        pieces,
    ),
    KnownDifference(
        "Turkish: ICU writes the last digits of an amount behind the currency's name, which is wrong",
        both(case("tr-TR"), with_name),
        pieces,
    ),
    KnownDifference(
        "forints: CLDR 48 writes none of the two decimals of ISO 4217",
        both(case(currency="HUF"), is_free, with_sign),
        in_order(without_digits, without(r"\s")),
    ),
    KnownDifference(
        "forints by name: without decimals the plural form is another",
        both(case(currency="HUF"), is_free, with_name),
        in_order(with_words(("fh", "f")), stems),
    ),
]


def is_zero(text):
    mantissa = re.split("E|e|×|أس", text)[0]
    return not any(character.isdigit() and int(character) for character in mantissa)


def digits(text):
    return [character for character in text if character.isdigit()]


unsigned = without(rf"[+−()\-{MARKS}]")


def other_difference(ours, shown, written):
    """Why texts are different that nothing makes equal; none where it isn't known."""
    language = ours["locale"].split("-")[0]
    is_small = re.search(rf"[E^][{MARKS}]?[-−]", shown)
    if is_small and language in ("fr", "pt") and digits(shown) == digits(written):
        return "a plural form beside 5E-1: the server's is that of 0.5, as CLDR defines it, ICU's that of 5"
    return None


def known_difference(ours, shown, written):
    """Why a format is written differently; none for a fault."""
    if shown is None or written is None:
        return None
    rows = [row for row in KNOWN_DIFFERENCES if row.concerns(ours)]
    for row in rows:
        if row.rewrite(shown) == row.rewrite(written):
            return row.reason
    together = in_order(*(row.rewrite for row in rows))
    if together(shown) == together(written):
        return "several of these"
    is_accounting = ours["style"] == "currency" and ours["currencySign"] == "accounting"
    if not is_accounting and is_zero(shown) and unsigned(together(shown)) == unsigned(together(written)):
        return "the server's zero has no minus, -0 and what is rounded to it included"
    return other_difference(ours, shown, written)
