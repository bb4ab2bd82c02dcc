"""How labels write numbers, by rules of this suite's own: a few labels and three locales."""

import dataclasses
import decimal
import re

LATIN, ARABIC = "0123456789", "٠١٢٣٤٥٦٧٨٩"
# Nothing that is written here has as many digits.
EXACT = decimal.Context(prec=60, rounding=decimal.ROUND_HALF_UP)


@dataclasses.dataclass(frozen=True)
class Signs:
    group: str
    point: str
    minus: str
    digits: str = LATIN


LOCALES = {
    "en-US": Signs(",", ".", "-"),
    "de-DE": Signs(".", ",", "-"),
    # The minus stands behind a mark that has it read from right to left.
    "ar-EG": Signs("٬", "٫", "\u061c-", ARABIC),
}


@dataclasses.dataclass(frozen=True)
class Label:
    """A label as it is posted, and what it shows.

    In a pattern `~` stands for the minus, and `#` for the digits.
    """

    text: str
    pattern: str
    signs: Signs = LOCALES["en-US"]
    format: dict | None = None
    decimals: int = 0
    # Digits before the point, at least.
    width: int = 1
    has_groups: bool = False
    # What is shown of a number, as a percentage shows a hundred times as much.
    factor: int = 1
    # Of locales that have another pattern.
    patterns: dict[str, str] = dataclasses.field(default_factory=dict)
    # Words by the plural of English: for one, and for others.
    words: tuple[str, str] | None = None
    kind: str = "ticker"

    def write(self, value: decimal.Decimal, decimals: int, locale: str | None = None) -> str:
        """The text of a ticker's value, in the poster's writing or a reader's locale."""
        signs = LOCALES[locale] if locale else self.signs
        shown = EXACT.quantize(value * self.factor, decimal.Decimal(1).scaleb(-decimals))
        number = self.digits(abs(shown), signs)
        pattern = self.patterns.get(locale, self.pattern) if locale else self.pattern
        if self.words:
            is_one = number.translate(str.maketrans(ARABIC, LATIN)) == "1"
            pattern = pattern.replace("{words}", self.words[0 if is_one else 1])
        return pattern.replace("~", signs.minus if shown < 0 else "").replace("#", number)

    def digits(self, shown: decimal.Decimal, signs: Signs) -> str:
        whole, _, rest = f"{shown:f}".partition(".")
        whole = whole.zfill(self.width)
        if self.has_groups:
            whole = f"{int(whole):,}".replace(",", signs.group)
        return (whole + (signs.point + rest if rest else "")).translate(str.maketrans(LATIN, signs.digits))

    def write_progress(
        self, value: decimal.Decimal, maximum: decimal.Decimal, decimals: int, locale: str | None
    ) -> str:
        """A pattern of what a progress shows, for `re.fullmatch`: its rate and time left are the server's to say."""
        signs = LOCALES[locale or "en-US"]
        number = self.digits(EXACT.quantize(value, decimal.Decimal(1).scaleb(-decimals)), signs)
        share = min(max(value / maximum, 0), 1)
        # A share is a double on its way: next to a whole percent either side is right.
        percents = sorted({int(100 * share - decimal.Decimal("1e-9")), int(100 * share + decimal.Decimal("1e-9"))})
        if share < 1:
            percents = [percent for percent in percents if percent < 100]
        percent = "|".join(self.digits(decimal.Decimal(one), signs) for one in percents)
        pattern = re.escape(self.patterns.get(locale, self.pattern))
        parts = {"PERCENT": f"(?:{percent})", "VALUE": re.escape(number), "MAXIMUM": self.digits(maximum, signs)}
        parts |= {"RATE": r"(?P<rate>\S+?)", "ETA": r"(?P<eta>\S+)"}
        parts["BAR"] = "(?:" + "|".join({bar(float(share) + off) for off in (-1e-9, 0, 1e-9)}) + ")"
        for name, part in parts.items():
            pattern = pattern.replace(name, part)
        return pattern


def bar(share: float) -> str:
    """Ten columns in eighths: empty only at 0, full only at 1."""
    eighths = 0 if share <= 0 else 80 if share >= 1 else min(max(round(share * 80), 1), 79)
    full, rest = divmod(eighths, 8)
    return ("█" * full + " ▏▎▍▌▋▊▉"[rest].strip()).ljust(10, "░")


EURO = {"style": "currency", "currency": "EUR", "locale": "en-US"}
PERCENT = {"style": "percent", "locale": "en-US"}

LABELS = {
    "bare": Label("0", "~#"),
    "words around": Label("Temperature: 13F", "Temperature: ~#F"),
    "dollars": Label("Revenue: $1,234.50", "Revenue: ~$#", decimals=2, has_groups=True),
    "comma": Label("0,00 €", "~# €", Signs("", ",", "-"), decimals=2),
    "negative dollars": Label("-$5", "~$#"),
    "arabic": Label("السعر: ١٢٫٥ ريال", "السعر: ~# ريال", Signs("", "٫", "\u061c-", ARABIC), decimals=1),
    "width": Label("Agent 007", "Agent ~#", width=3),
    "plural": Label(
        "{n, plural, one {# day} other {# days}} to go", "~# {words} to go", words=("day", "days")
    ),
    "euros": Label(
        "0", "~€#", format=EURO, decimals=2, has_groups=True,
        patterns={"de-DE": "~#\u00a0€", "ar-EG": "~\u200f#\u00a0€"},
    ),
    "percent": Label(
        "0", "~#%", format=PERCENT, has_groups=True, factor=100,
        patterns={"de-DE": "~#\u00a0%", "ar-EG": "~#٪\u061c"},
    ),
    "progress": Label(
        "{percent}%", "PERCENT%", kind="progress", patterns={"de-DE": "PERCENT\u00a0%", "ar-EG": "PERCENT٪\u061c"}
    ),
    "progress of": Label("{value} of {maximum}", "VALUE of MAXIMUM", kind="progress", decimals=1),
    "progress with bar": Label("{bar} {value}", "BAR VALUE", kind="progress"),
    "progress with rate": Label("{value} at {rate}/s, {eta}", "VALUE at RATE/s, ETA", kind="progress"),
}  # fmt: skip
