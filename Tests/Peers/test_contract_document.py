"""The contract as a document: whole, described, and as tight as the server."""

import itertools
import json
import pathlib
import re
import sys
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Browser"))
from contract import LINES  # noqa: E402
from operations import PROBLEM, Answer, Operations  # noqa: E402
from server import Server  # noqa: E402
from test_contract import JSON, read_contract  # noqa: E402


class AgreementTest(unittest.TestCase):
    """Where a schema could easily be looser than the server: both take the same, and refuse the same."""

    EASINGS = (
        "linear", "easeInOut", "back", "bounce-in-out", "back-inout", "easeInQuad", "steps(1)", "steps(0)",
        "steps(2.5)", "steps(3, jump-start)", "steps(3, sideways)", "steps(1, jump-none)", "steps(2, jump-none)",
        "power-in(2.8)", "power-in(0)", "power-in(1001)", "power-in()", "power-up(2)",
        "cubic-bezier(0.2, -4, 0, 7)", "cubic-bezier(2, 0, 1, 1)", "cubic-bezier(0, 0, 1)",
        "linear(0, 1)", "linear(0 0%, 0.5 20% 40%, 1 100%)", "linear(0)", "linear(0 1% 2% 3%, 1)", "linear(0, 1,)",
        "linear(a, 1)", "linear(50%, 1)", "linear(10000000, 1)",
    )  # fmt: skip
    NUMBERS = (
        0, -12.5, 9.9e37, 1e38, 1e300, "0", "-12.50", "5.", ".5", "+5", "1e5", "five", "1" * 38, "1" * 39,
        "0." + "1" * 20, "0." + "1" * 21,
    )  # fmt: skip
    FORMATS = (
        {"minimumDecimals": 1, "maximumDecimals": 2},
        {"minimumSignificantDigits": 1, "maximumSignificantDigits": 3},
        {"minimumDecimals": 1, "maximumSignificantDigits": 3},
        {"locale": "de_DE"},
        {"locale": "de DE"},
        {"sign": "often"},
    )
    # Where a page may begin: `nightly` is there.
    PLACES = (
        "nightly", "nightly@1795673235894720028", "nightly@60.5s", "nightly@", "nightly@s", "nightly@x", "a b", "@5",
    )  # fmt: skip

    # Dates with an offset and without, and what they may stand beside.
    DATES = (
        None, "2096-12-24T18:00:00Z", "2096-12-24T18:00:00+01:00", "2096-12-24", "2096-12-24T18:00", "2096-12-24T18:00:30.5",
        "2096-12-24T18", "2096-12-24T18:00+01:00", "24.12.2096", "",
    )  # fmt: skip
    REPETITIONS = (None, 3600, "PT1H", "P1D", "0 9 * * *")

    # What ids may begin with.
    PREFIXES = ("", "a", "a.b:c~", ".", "..", "a b", "a*", "*", "ä", "a" * 128, "a" * 129)

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        cls.contract = read_contract(cls.server)

    def allows(self, value, pointer: str) -> bool:
        try:
            self.contract.check(value, pointer)
        except AssertionError:
            return False
        return True

    def takes(self, *request) -> bool:
        answer = Answer(self.server.port, *request)
        self.assertIn(answer.status, (200, 202, 422), answer.body)
        return answer.status < 300

    def test_updates_are_taken_where_the_contract_allows_them(self):
        bodies = [{"to": 1, "easing": easing} for easing in self.EASINGS]
        bodies += [{"to": number} for number in self.NUMBERS] + [{"to": 1, "format": format} for format in self.FORMATS]
        allowed = [self.allows(body, "/components/schemas/TickerUpdate") for body in bodies]
        taken = [self.takes("POST", "/v1/tickers/one", json.dumps(body)) for body in bodies]
        self.assertEqual(list(zip(bodies, allowed)), list(zip(bodies, taken)))
        self.assertEqual(set(taken), {True, False})

    def test_dates_are_taken_where_the_contract_allows_them(self):
        choices = itertools.product(("at", "until"), self.DATES, self.REPETITIONS, (None, "Europe/Berlin"))
        found = [{name: date, "every": every, "timeZone": zone, "do": []} for name, date, every, zone in choices]
        bodies = [{name: value for name, value in body.items() if value is not None} for body in found]
        allowed = [self.allows(body, "/components/schemas/ScheduleDefinition") for body in bodies]
        taken = [self.takes("POST", "/v1/schedules/preview", json.dumps(body)) for body in bodies]
        # A duration of hours may have no zone of its own, which no schema says.
        both = zip(bodies, allowed, taken)
        differing = [body for body, allows, takes in both if allows != takes]
        self.assertEqual([body for body in differing if body.get("every") != "PT1H" or "timeZone" not in body], [])
        self.assertEqual(set(taken), {True, False})

    def test_the_after_parameter_accepts_what_the_contract_allows(self):
        Answer(self.server.port, "PUT", "/v1/schedules/nightly", '{"in": 3600, "do": []}')
        allowed = [self.allows(place, "/components/parameters/scheduleAfter/schema") for place in self.PLACES]
        taken = [self.takes("GET", "/v1/schedules?after=" + urllib.parse.quote(place)) for place in self.PLACES]
        self.assertEqual(dict(zip(self.PLACES, allowed)), dict(zip(self.PLACES, taken)))

    def test_prefixes_of_lists_are_taken_where_the_contract_allows_them(self):
        allowed = [self.allows(prefix, "/components/parameters/prefix/schema") for prefix in self.PREFIXES]
        for kind in ("tickers", "progress", "schedules"):
            path = f"/v1/{kind}?prefix="
            taken = [self.takes("GET", path + urllib.parse.quote(prefix)) for prefix in self.PREFIXES]
            self.assertEqual(dict(zip(self.PREFIXES, allowed)), dict(zip(self.PREFIXES, taken)))


class DocumentTest(unittest.TestCase):
    """What can be seen in the contract itself."""

    @classmethod
    def setUpClass(cls):
        server = Server()
        cls.contract = read_contract(server)
        server.close()
        cls.operations = Operations(cls.contract)

    def test_operations_are_named_described_and_shown(self):
        tags = {tag["name"] for tag in self.contract.document["tags"]}
        self.assertEqual({tag for *_, each in self.operations.by_name.values() for tag in each["tags"]}, tags)
        for name, (_, template, operation) in self.operations.by_name.items():
            with self.subTest(name):
                self.assertRegex(name, "^[a-z]+([A-Z][a-z]+)*$")
                self.assertTrue(operation["summary"])
                for parameter in self.operations.parameters(name):
                    self.assertTrue(parameter["description"], parameter["name"])
                if "requestBody" in operation:
                    self.assertTrue(self.operations.requests(name))
                for status, response in operation["responses"].items():
                    for media, content in self.operations.resolved(response).get("content", {}).items():
                        # Of lists that a client can't foresee, and of text, there is none to be shown.
                        if media in (JSON, PROBLEM) and name != "getLimits":
                            self.assertTrue(content["examples"], status)
        for name, item in self.contract.document["paths"].items():
            used = re.findall("{(.*?)}", name)
            self.assertEqual(len(item.keys() & {"parameters"}), bool(used), name)

    def schemas(self, value=None, pointer=""):
        """All schemas of the document that can be named, with their pointers."""
        if not pointer:
            for name, schema in self.contract.document["components"]["schemas"].items():
                yield from self.schemas(schema, f"/components/schemas/{name}")
            return
        yield pointer, value
        if isinstance(value, dict):
            for name, schema in value.get("properties", {}).items():
                yield from self.schemas(schema, f"{pointer}/properties/{name}")
            for word in ("items", "contentSchema", "not", "if", "then", "else"):
                if word in value:
                    yield from self.schemas(value[word], f"{pointer}/{word}")
            for word in ("allOf", "anyOf", "oneOf", "prefixItems"):
                for index, schema in enumerate(value.get(word, [])):
                    yield from self.schemas(schema, f"{pointer}/{word}/{index}")

    def test_schemas_are_described_and_none_is_a_boolean(self):
        """Generators read no `true` for a schema, and fill in a `default` that would overrule the resource's own."""
        for pointer, schema in self.schemas():
            with self.subTest(pointer):
                self.assertIsInstance(schema, dict)
                self.assertNotIn("default", schema)
                conditions = re.search("/(not|if|then|else|oneOf|anyOf)(/|$)", pointer.replace("/properties/then", ""))
                if pointer.split("/")[-2] == "properties" and not conditions:
                    self.assertTrue("description" in schema or "$ref" in schema or "message" in pointer)

    def test_a_frame_has_the_number_of_its_tick_only_with_the_instant(self):
        reading = {"value": 5, "text": "5"}
        for frame, of in (
            ("TickerFrame", {"ticker": "a"} | reading),
            ("ProgressFrame", {"progress": "a"} | reading),
            ("ScheduleFrame", {"schedule": "a", "state": "pending"} | reading),
        ):
            for stamp in ({}, {"t": 1795684337037395571}, {"t": 1795684337037395571, "seq": 3747891}):
                self.contract.check(of | stamp, f"/components/schemas/{frame}")
            with self.assertRaises(AssertionError):
                self.contract.check(of | {"seq": 3747891}, f"/components/schemas/{frame}")

    def test_examples_fit_their_schemas(self):
        seen = 0
        for pointer, schema in self.schemas():
            for example in schema.get("examples", []):
                with self.subTest(pointer):
                    self.contract.check(example, pointer)
                seen += 1
        self.assertGreater(seen, 30)
        for name, (_, _, operation) in self.operations.by_name.items():
            if "requestBody" not in operation:
                continue
            pointer = self.contract.at(f"{self.contract.operation(*self.place(name))[1]}/requestBody")[1]
            for example, media, body in self.operations.requests(name):
                with self.subTest(name, example=example):
                    value = [json.loads(line) for line in body.splitlines()] if media == LINES else json.loads(body)
                    self.contract.check_content(value, pointer, media)

    def place(self, name: str) -> tuple[str, str]:
        method, template, _ = self.operations.by_name[name]
        return method, re.sub("{.*?}", "x", template)


if __name__ == "__main__":
    unittest.main(verbosity=2)
