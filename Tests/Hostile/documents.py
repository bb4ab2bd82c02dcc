"""Random requests, plausible and extreme in a mixture: every path, method, header, query and body of the contract."""

import json
import random
import typing


class Raw(str):
    """JSON as it is to be sent."""


class Request(typing.NamedTuple):
    method: str
    path: str
    body: bytes | None
    headers: dict

    def curl(self, length=400) -> str:
        """The same by hand; a longer body is cut."""
        parts = ["curl", "-s", "-X", self.method, f'"$B{self.path[:300]}"']
        parts += [f"-H '{name}: {value[:100]}'" for name, value in self.headers.items()]
        if self.body is not None:
            parts.append("--data-binary " + json.dumps(self.body[:length].decode("utf-8", "backslashreplace")))
        return " ".join(parts)


NUMBERS = [
    "0", "-0", "1", "-1", "0.5", "7", "100", "1234.5", "0.1", "2.675", "1e-7", "1E5", "1e+2", "4.9e-5", "31536000",
    "31536001", "1e9", "1000000001", "2147483647", "2147483648", "4503599627370496", "9007199254740993", "1e15", "1e14",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "1125899906842623.5", "3.3333333333333335",
    "9" * 38, "-" + "9" * 38, "0." + "0" * 37 + "1", "1e-38", "1e37", "1e-39", "1e-10", "-1e-5",
]  # fmt: skip
EXTREMES = [
    "5e-324", "1e-320", "1e-300", "1e-200", "1e308", "-1e308", "1e309", "1e999", "-1e999", "1e38", "9" * 39,
    "1" + "0" * 38, "0." + "1" * 40, "1e-999999999999", "1e99999999999999999999", "00", "-", "1.", ".5", "1e", "NaN",
    "Infinity", "0x1", "9" * 5000, "-00", "1_0", "+1", "null", "true", "\"1\"", "\"-0\"", "\"1e5\"", "\" 1\"", "[]",
    "{}",
]  # fmt: skip
TEXTS = [
    "Temperature: 13F", "$1,204.50", "5", "{n, plural, one {# coin} other {# coins}}", "a\nb 5", "\u0661\u0662", "50%",
    "\u22125", "1.234,56 €", "x", "\U0001f600 5", "{percent}%", "{value} of {maximum}, {eta}", "0 coins", "007",
]  # fmt: skip
ODD_TEXTS = [
    "", "\x01" * 50, "\x01" * 4095 + "5", "x" * 4096, "x" * 4097, "\u0000 5", "\ufeff5", "a\r\nb", "a\rb",
    "\u2028x\u20295", "data: x\n\nid: 1-1\nevent: bye", "1.2.3", "5" * 39, "0." + "5" * 40, "1," * 500 + "1",
    "-" * 100 + "5", "{" * 200, "}" * 200, "{{}}" * 100, "{n}", "{percent}%" * 300, "{nonsense}",
    "{x\ntweencast: y\x1b[2J}", "{n, plural, one {#}}",
    "{n, plural, other {{n, plural, other {{n, plural, other {#}}}}}}", "<script>alert(1)</script>5", "e\u0301-5",
    "\U0001d7d8", "\u0e51", "\u0600" * 30 + "7", "null", "%", "\u0085", "\u202e5", "\ue0005", "\uffff5", "\x7f5",
    "{clock}{remaining}{words}{total}{days}{hours}{minutes}{seconds}", "{value}{current}{target}{fraction}{elapsed}{rate}",
]  # fmt: skip
# What no JSON writer sends.
ODD_STRINGS = [
    r'"\ud800"', r'"\udc00"', r'"\ud800\u0041"', r'"\ud800\ud800"', r'"\ud83d\ude00 5"', r'"\u0000 5"', r'"\u12"',
    r'"\x"', '"a\nb"', '"\t"', '"open', r'"\ud800\u"', r'"\uD834\uDD1E5"', r'"\/5"', r'"\udbff\udfff"',
]  # fmt: skip
IDS = ["a", "b", "c", "d", "e", "f", "g", "x" * 128, "p.1~2:3-4_", "A", "0"]
ODD_IDS = [
    ".", "..", "", "x" * 129, "a/b", "%00", "%2e%2e", "a%20b", "%C3%A9", "%ff", "*", "a*", "pause", "resume", "events",
    "%0a", "a%", "%zz", "batch", "~", "-", "a;b", "a+b", "%E2%80%A8",
]  # fmt: skip
EASINGS = [
    "linear", "ease", "ease-in-out", "easeIn", "easeOut", "cubic-bezier(.34, 1.56, .64, 1)", "steps(1)",
    "steps(4, jump-both)", "linear(0, .5 20% 30%, 1)", "power-in(2)", "power-out(2.8)", "step-start",
    "cubic-bezier(1,0,0,1)", "linear(0 100%, 1 0%)", "back", "elastic-in", "bounce-in-out",
]  # fmt: skip
ODD_EASINGS = [
    "steps(2147483647)", "steps(2147483648)", "steps(9999999999999999999)", "steps(0)", "steps(1, jump-none)",
    "linear()", "linear(0)", "cubic-bezier(0,1e300,1,-1e300)", "cubic-bezier(0,1e308,1,1e308)", "cubic-bezier(2,0,0,1)",
    "linear(0 0%, 1e300 50%, -1e300 100%)", "linear(" + ",".join(["0.1"] * 700) + ")", "power-in-out(1e300)",
    "power-in(1e-300)", "power-in(0)", "power-in(-1)", "power-in(1e999)", "power-out(5e-324)", "EASE", "ease ", "bogus",
    "linear(0 -1e300%, 1 1e300%)", "cubic-bezier(calc(1),0,0,1)", "/*x*/linear", "linear(" + "0 0%," * 900 + "1)",
]  # fmt: skip
SPRINGS = [
    {"duration": 0.5, "bounce": 0.3}, {"dampingRatio": 0.5, "response": 0.3}, {"stiffness": 100, "damping": 10},
    {"dampingRatio": 0.7}, {"mass": 1, "stiffness": 200, "damping": 20, "initialVelocity": -5},
    "bouncy", "smooth",
]  # fmt: skip
ODD_SPRINGS = [
    "", "Bouncy", "spring",
    {"dampingRatio": Raw("1e-300")}, {"dampingRatio": Raw("1e-10"), "response": 1},
    {"dampingRatio": 1000, "response": 31536000}, {"dampingRatio": 0.5, "response": 100000, "initialVelocity": 1000000},
    {"duration": Raw("1e-320"), "bounce": 0.5}, {"duration": 0.5, "bounce": Raw("-0.9999999")},
    {"duration": 31536000, "bounce": 1}, {"dampingRatio": Raw("5e-324")},
    {"mass": Raw("1e-300"), "stiffness": Raw("1e12"), "damping": Raw("1e-12")},
    {"stiffness": Raw("1e-300"), "damping": 0},
    {"mass": Raw("1e12"), "stiffness": Raw("1e-300"), "damping": Raw("1e12")}, {}, {"dampingRatio": 1, "response": 0},
    {"dampingRatio": 0, "response": 1}, {"duration": 0, "bounce": 0, "initialVelocity": Raw("-1e6")},
]  # fmt: skip
LOCALES = [
    "en-US", "de", "de-CH", "ar-EG", "ar-u-nu-latn", "fa", "hi-IN", "mr", "bn", "ja-JP", "zh-Hant-TW", "th-u-nu-thai",
    "cy", "lv", "es", "pl", "ff-Adlm", "dz", "my", "nqo", "en-x-fuzz",
]  # fmt: skip
ODD_LOCALES = [
    "xx", "en_US", "EN", "", "-", "a" * 64, "root", "und", "en-u-nu-roman", "zh-u-nu-hanidec", "de-" + "x" * 60,
    "e\u0301",
]  # fmt: skip
DATES = [
    "2026-11-20T09:00:00Z", "2261-12-31T23:59:59Z", "1970-01-01T00:00:00+14:00", "1999-12-31T23:59:60Z",
    "2126-01-01T00:00:00.123456789Z",
]  # fmt: skip
ODD_DATES = [
    "1678-01-01T00:00:00Z", "1677-01-01T00:00:00Z", "2262-04-11T23:47:16Z", "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00Z", "-5000-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-21T24:00:00Z", "x",
    "2026-11-21T19:30:00+99:99", "",
]  # fmt: skip
RULES = [
    "PT1S", "P1D", "P1M", "PT0.05S", "* * * * *", "*/5 * * * *", "0 3 * * *", "@hourly", "0 0 29 2 *", "0 0 L * *",
    "30 2 * * *",
]  # fmt: skip
ODD_RULES = [
    "PT0.01S", "P99999Y", "P100000M", "P100000W", "PT1E5S", "P", "PT", "P0D", "PT99999999999999999999999S",
    "P1DT0.000000001S", "0 0 31 2 *", "0 0 29 2 1", "* * * * * *", "60 * * * *", "*/9999 * * * *",
    "," * 50 + " * * * *", "x" * 1001, "@x", "", "*/0 * * * *", "9999999 * * * *", "0 0 1 1 0L",
    "1-59/7 0-23/5 1-31/9 1-12/3 0-7/2", "* * * * *\n", "-1 * * * *",
]  # fmt: skip
ZONES = ["Europe/Berlin", "UTC", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll"]
ODD_ZONES = ["X/Y", "", "../../etc/passwd", "Etc/GMT+14", "America/../UTC", "GMT+25:00/x", "Europe/Berlin\n", "x" * 65]
VERBS = ["pause", "resume", "cancel", "finish", "seek", "rate"]
STREAM_FORMS = [
    "", "&stamp", "&wheels", "&wheels=continuous", "&wheels=up", "&wheels=down&stamp", "&wheels=shortest", "&display",
    "&display&stamp&wheels", "&as=text", "&as=text&stamp", "&mode=motion", "&mode=motion&display", "&fps=7",
    "&fps=0.5&display", "&once", "&fps=0.1",
]  # fmt: skip


class Documents:
    """Requests from one source of chance; the same seed gives the same requests."""

    def __init__(self, seed, ports=(9, 10)):
        self.chance = random.Random(seed)
        self.ports = ports

    def one(self, usual, odd=(), share=0.06):
        return self.chance.choice(odd if odd and self.likely(share) else usual)

    def likely(self, share) -> bool:
        return self.chance.random() < share

    def number(self, share=0.05) -> Raw:
        if self.likely(0.25):
            return Raw(repr(round(self.chance.uniform(-1000, 1000), self.chance.randint(0, 6))))
        return Raw(self.one(NUMBERS, EXTREMES, share))

    def text(self):
        return Raw(self.chance.choice(ODD_STRINGS)) if self.likely(0.02) else self.one(TEXTS, ODD_TEXTS, 0.2)

    def identifier(self):
        return self.chance.choice(IDS)

    def write(self, value) -> str:
        """JSON with what JSON writers avoid: doubled names, odd escapes, and `Raw` as it is."""
        if isinstance(value, Raw):
            return str(value)
        if isinstance(value, dict):
            members = [f"{self.write(name)}:{self.write(member)}" for name, member in value.items()]
            if members and self.likely(0.004):
                members.append(self.chance.choice(members))
            return "{" + ",".join(members) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ",".join(map(self.write, value)) + "]"
        return json.dumps(value, ensure_ascii=self.likely(0.5))

    def junk(self, depth=0):
        kind = self.chance.random()
        if kind < 0.02:
            deep = self.chance.randint(5, 41)
            return Raw("[" * deep + "]" * deep) if kind < 0.01 else Raw('{"a":' * deep + "1" + "}" * deep)
        if kind < 0.4:
            return self.number()
        if kind < 0.65 or depth > 3:
            return self.text()
        if kind < 0.75:
            return self.chance.choice([True, False, None])
        if kind < 0.88:
            return [self.junk(depth + 1) for _ in range(self.chance.randint(0, 4))]
        return {self.text(): self.junk(depth + 1) for _ in range(self.chance.randint(0, 4))}

    def data(self):
        if self.likely(0.03):
            return Raw(
                "{" + ",".join(f'"k{number}":{number}' for number in range(self.chance.choice([200, 3000]))) + "}"
            )
        return self.junk()
