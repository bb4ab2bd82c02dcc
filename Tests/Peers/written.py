"""How labels write numbers, a second time: an implementation of docs/labels.md that shares no line with the server's."""

import dataclasses
import decimal
import re
import unicodedata

decimal.getcontext().prec = 120


@dataclasses.dataclass(frozen=True)
class Writing:
    """A label, the format it is posted with, and how a person expects its numbers to look.

    `around` is what stands beside the digits: of positive numbers, of negative ones, and of zero where it is another.
    """

    label: str
    around: tuple
    format: dict | None = None
    zero: str = "0"
    point: str = "."
    group: str = ""
    sizes: tuple = (3, 3)
    width: int = 1
    # Places that the number moves before it is shown: 2 for percent.
    shift: int = 0
    # A reader's locale, and what is another way there.
    reader: tuple | None = None

    def digits(self, text):
        return "".join(chr(ord(self.zero) + int(digit)) for digit in text)

    def grouped(self, integers):
        if not self.group:
            return integers
        first, further = self.sizes
        parts = [integers[-first:]]
        rest = integers[:-first]
        while rest:
            parts.insert(0, rest[-further:])
            rest = rest[:-further]
        return self.group.join(parts)

    def text(self, value, decimals):
        """What is shown at rest on a decimal value, with so many decimals."""
        number = decimal.Decimal(value).scaleb(self.shift)
        rounded = number.quantize(decimal.Decimal(1).scaleb(-decimals), decimal.ROUND_HALF_UP)
        integers, _, fraction = f"{abs(rounded):f}".partition(".")
        integers = integers.lstrip("0").rjust(self.width, "0")
        if not integers and not fraction:
            integers = "0"
        body = "".join(self.digits(c) if c.isdigit() else c for c in self.grouped(integers))
        if fraction:
            body += self.point + self.digits(fraction)
        positive, negative, *zero = self.around
        prefix, suffix = (zero or [positive])[0] if rounded == 0 else negative if rounded < 0 else positive
        return prefix + body + suffix

    def read_in_its_locale(self):
        """The same label as its reader's locale writes it."""
        return dataclasses.replace(self, **self.reader[1])

    def pattern(self):
        """What any frame looks like: one of the surroundings, and digits in groups with at most one point between."""
        digit = f"[{self.zero}-{chr(ord(self.zero) + 9)}]"
        integers = f"{digit}*" if self.width == 0 else f"{digit}{{{self.width},}}"
        if self.group:
            first, further = self.sizes
            group = re.escape(self.group)
            integers = f"{digit}{{1,{further}}}(?:{group}{digit}{{{further}}})*{group}{digit}{{{first}}}|{digit}{{1,{first}}}"
        body = f"(?:{integers})(?:{re.escape(self.point)}{digit}+)?"
        sides = {(prefix, suffix) for prefix, suffix in self.around}
        return "|".join(f"{re.escape(prefix)}{body}{re.escape(suffix)}" for prefix, suffix in sorted(sides))


def plain(before, after, minus="-", **more):
    """A label whose minus stands right before its number."""
    return {"around": ((before, after), (before + minus, after)), **more}


NARROW = "\u202f"
SPACE = "\u00a0"
EURO = "\u00a0€"
GERMAN = ("de-DE", {"point": ",", "group": "."})
ENGLISH = ("en-US", {"point": ".", "group": ","})

WRITINGS = [
    Writing("Temperature: 13F", **plain("Temperature: ", "F"), reader=("de-DE", {"point": ","})),
    Writing("Revenue: $1,234.50", (("Revenue: $", ""), ("Revenue: -$", "")), group=",", reader=GERMAN),
    Writing("-$5 left", (("$", " left"), ("-$", " left"))),
    Writing("$-5", **plain("$", "")),
    Writing("Net: ($5.00)", (("Net: $", ""), ("Net: ($", ")"))),
    Writing("+5%", (("+", "%"), ("-", "%"))),
    Writing("Değişim: -%5", (("Değişim: %", ""), ("Değişim: -%", ""))),
    Writing("−5 °C", **plain("", " °C", "−")),
    Writing("Saldo: 5,00-", (("Saldo: ", ""), ("Saldo: ", "-")), point=","),
    Writing("Umsatz: 1.234,50 €", **plain("Umsatz: ", " €", point=",", group=".", reader=ENGLISH)),
    Writing("1 234,50 zł", **plain("", " zł", point=",", group=" ")),
    Writing("CHF 1’234.50", **plain("CHF ", "", group="’")),
    Writing("₹ 1,00,000", (("₹ ", ""), ("-₹ ", "")), group=",", sizes=(3, 2)),
    Writing("السعر: ١٢٫٥ ريال", **plain("السعر: ", " ريال", "\u061c-", zero="٠", point="٫")),
    Writing("５個", **plain("", "個", zero="０")),
    Writing("Agent 007", **plain("Agent ", "", width=3, reader=("de-DE", {"point": ","}))),
    Writing(".5 l", **plain("", " l", width=0)),
    Writing("T-5 s", (("T-", " s"), ("T-(-", ") s"))),
    Writing("3️⃣ of 5", **plain("3️⃣ of ", "")),
    Writing("Besucher: 1.234", **plain("Besucher: ", "", point=",", group=".", reader=ENGLISH), format={"locale": "de-DE"}),
    Writing("Ventas 1.234,5", **plain("Ventas ", "", point=",", group="."), format={"locale": "es-ES"}),
    Writing("Total 1 234", **plain("Total ", "", point=",", group=NARROW), format={"locale": "fr-FR"}),
    Writing("रु 1,23,456", **plain("रु ", "", group=",", sizes=(3, 2)), format={"locale": "hi-IN"}),
    Writing("Saldo: −5 kr", **plain("Saldo: ", " kr", "−", point=",", group=SPACE), format={"locale": "sv-SE"}),
    Writing("Saldo R$ 1.234,50", (("Saldo R$ ", ""), ("Saldo -R$ ", "")), point=",", group=".", format={"locale": "pt-BR"}),
    Writing(
        "السعر: ١٬٢٣٤٫٥٠", **plain("السعر: ", "", "\u061c-", zero="٠", point="٫", group="٬"),
        format={"locale": "ar-EG"},
    ),
    Writing(
        "Yük: %50", (("Yük: %", ""), ("Yük: -%", "")), point=",", group=".", shift=2,
        format={"locale": "tr-TR", "style": "percent"},
    ),
    Writing(
        "Load 50%", **plain("Load ", "%", group=","), shift=2, format={"locale": "en-US", "style": "percent"}
    ),
    Writing(
        "Kasse 5 €", **plain("Kasse ", EURO, point=",", group="."),
        format={"locale": "de-DE", "style": "currency", "currency": "EUR"},
        reader=("en-US", ENGLISH[1] | {"around": (("Kasse €", ""), ("Kasse -€", ""))}),
    ),
    Writing(
        "残高 ¥5,000", (("残高 ￥", ""), ("残高 -￥", "")), group=",",
        format={"locale": "ja-JP", "style": "currency", "currency": "JPY"},
    ),
]  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Share:
    """A progress of which the label tells value, maximum and percentage, each as `number` writes it."""

    number: Writing
    label: str = "{value} of {maximum} ({percent}%)"

    def text(self, value, maximum, decimals):
        """What is shown at rest; a percentage is cut off, not rounded."""
        percent = decimal.Decimal(value) / decimal.Decimal(maximum) * 100
        percent = percent.quantize(decimal.Decimal(1).scaleb(-decimals), decimal.ROUND_DOWN)
        parts = {"value": (value, decimals), "maximum": (maximum, decimals), "percent": (percent, decimals)}
        return self.label.format_map({name: self.number.text(*part) for name, part in parts.items()})

    def pattern(self):
        """What any frame looks like; each number is a group of its name."""
        number = self.number.pattern()
        parts = re.split(r"{(\w+)}", self.label)
        return "".join(f"(?P<{part}>{number})" if index % 2 else re.escape(part) for index, part in enumerate(parts))


SHARES = [
    Share(Writing("", **plain("", ""))),
    Share(Writing("", **plain("", "", point=",", group="."), format={"locale": "de-DE"})),
    Share(Writing("", **plain("", "", "\u061c-", zero="٠", point="٫", group="٬"), format={"locale": "ar-EG"})),
    Share(Writing("", **plain("", "", group=",", sizes=(3, 2)), format={"locale": "hi-IN"})),
    Share(Writing("", **plain("", "", "−", point=",", group=SPACE), format={"locale": "sv-SE"})),
]


def is_well_formed(text):
    """Whether no character is there that nothing puts there: controls, replacement characters, lone surrogates."""
    return all(unicodedata.category(c) not in ("Cc", "Cs", "Cn", "Co") and c != "\ufffd" for c in text)
