"""Every example of the contract against the server: requests, answers, problems, links and headers."""

import http.client
import json
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Browser"))
from contract import LINES  # noqa: E402
from operations import PROBLEM, STREAM, Answer, Operations  # noqa: E402
from server import Server  # noqa: E402
from test_contract import read_contract  # noqa: E402

# What time, chance, the machine and earlier requests decide: an example shows that it is there, and of which type.
CHANGING = {
    "value", "text", "fraction", "percent", "start", "end", "at", "due", "next", "elapsed", "velocity", "remaining",
    "rate", "eta", "revision", "animation", "ticket", "expires", "ticker", "progress", "schedule", "message", "from",
    "frames",
    "timeZones",
}  # fmt: skip
# Headers that mean something to clients: where the server sends one, the contract says so.
TOLD = {
    "ETag", "Location", "Retry-After", "Allow", "WWW-Authenticate", "Idempotency-Replayed", "Preference-Applied",
    "Set-Cookie",
}  # fmt: skip
# What the paths of examples name, and by which of the contract's examples each is made.
SCENE = {
    "ticker": ("/v1/tickers/visitors", "moveTicker", "label"),
    "progress": ("/v1/progress/build", "moveProgress", "upload"),
    "schedule": ("/v1/schedules/nightly", "defineSchedule", "nightly"),
}
# Operations that find nothing there.
MAKING = ("create", "move", "define")
# Operations that need an open stream, a token or a webhook that was given up: below, and in test_contract.py.
ELSEWHERE = {"changeStream", "beginSession", "forgetFailedWebhook", "retryFailedWebhook"}
# Examples of problems that tell a limit, which is the test's own there.
OF_LIMITS = {"tooOften", "full", "noRoom"}


def differences(shown, seen, path="", changes=False):
    """Where what was seen has another shape than what is shown, or says something else that nothing changes."""
    if isinstance(shown, dict) and isinstance(seen, dict):
        for name in shown.keys() | seen.keys():
            if name not in shown or name not in seen:
                yield f"{path}/{name} {'was not seen' if name in shown else 'is not shown'}"
            else:
                changing = changes or name in CHANGING or name == "display"
                yield from differences(shown[name], seen[name], f"{path}/{name}", changing)
    elif isinstance(shown, list) and isinstance(seen, list) and len(shown) == len(seen):
        for index, pair in enumerate(zip(shown, seen)):
            yield from differences(*pair, f"{path}/{index}", changes)
    elif kind(shown) != kind(seen) or not changes and shown != seen:
        yield f"{path} shows {shown!r}, and {seen!r} was seen"


def kind(value):
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value)


class ExampleTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        cls.contract = read_contract(cls.server)
        cls.operations = Operations(cls.contract)
        cls.met: set[int] = set()

    def ask(self, *request, **headers) -> Answer:
        return Answer(self.server.port, *request, **headers)

    def set_the_scene(self, is_empty=False):
        """What examples speak of is there as it was at first, or nothing is."""
        for path, operation, example in SCENE.values():
            self.assertIn(self.ask("DELETE", path).status, (204, 404))
            if not is_empty:
                bodies = {name: body for name, _, body in self.operations.requests(operation)}
                method = self.operations.by_name[operation][0]
                self.assertLess(self.ask(method, path, bodies[example]).status, 300)

    def check_headers(self, response: dict, answer: Answer):
        known = {name: self.operations.resolved(header) for name, header in response.get("headers", {}).items()}
        sent = TOLD & set(answer.headers.keys())
        self.assertEqual(sent - known.keys(), set(), "headers that the contract doesn't have")
        needed = {name for name, header in known.items() if header.get("required")}
        self.assertEqual(needed - sent, set(), "headers that were not sent")
        for name in sent:
            schema, text = known[name]["schema"], answer.headers[name]
            if schema["type"] == "integer":
                self.assertGreaterEqual(int(text), schema["minimum"])
            self.assertRegex(text, schema.get("pattern", "^."))
            self.assertEqual(text, schema.get("const", text))

    def check_answer(self, operation: str, example: str, answer: Answer):
        """Holds an answer against its schema, its headers, and the example of its name."""
        method, template, _ = self.operations.by_name[operation]
        plain = re.sub("{.*?}", "x", template)
        self.contract.check_answer(method, plain, answer.status, answer.headers["Content-Type"], answer.body)
        response = self.operations.response(operation, answer.status)
        self.check_headers(response, answer)
        for content in response.get("content", {}).values():
            if shown := content.get("examples", {}).get(example):
                value = shown["value"]
                if answer.kind == LINES:
                    value = [json.loads(line) for line in value.splitlines()]
                self.assertEqual(sorted(differences(value, answer.value)), [])
                self.met.add(id(shown))

    def follow_links(self, operation: str, answer: Answer):
        for link in self.operations.response(operation, answer.status).get("links", {}).values():
            link = self.operations.resolved(link)
            (member,) = [value.removeprefix("$response.body#/") for value in link["parameters"].values()]
            target = link["operationId"]
            path = self.operations.path(target, id=answer.value[member])
            self.assertIn(self.ask(self.operations.by_name[target][0], path).status, (200, 204), target)

    def test_requests_are_answered_as_the_contract_shows(self):
        for operation, (method, _, _) in self.operations.by_name.items():
            if self.operations.is_stream(operation) or operation in ELSEWHERE:
                continue
            for example, _, body in self.operations.requests(operation):
                with self.subTest(operation, example=example):
                    self.set_the_scene(is_empty=operation.startswith(MAKING))
                    answer = self.ask(method, self.operations.path(operation), body)
                    self.assertLess(answer.status, 300, answer.body)
                    self.check_answer(operation, example, answer)
                    self.follow_links(operation, answer)
        self.ask("POST", "/v1/schedules/resume")
        self.define_again()
        self.see_that_all_were_met()

    def define_again(self):
        """A schedule is defined as it is already."""
        self.set_the_scene()
        path, operation, example = SCENE["schedule"]
        bodies = {name: body for name, _, body in self.operations.requests(operation)}
        answer = self.ask("PUT", path, bodies[example])
        self.assertEqual(answer.status, 200, answer.body)
        self.check_answer(operation, example, answer)

    def see_that_all_were_met(self):
        """No answer is shown that never came."""
        for name, response in self.contract.document["components"]["responses"].items():
            for media, content in response.get("content", {}).items():
                for example, shown in content.get("examples", {}).items():
                    if media != PROBLEM:
                        self.assertIn(id(shown), self.met, f"{name} {example}")

    def test_streams_are_opened_as_the_contract_shows(self):
        self.set_the_scene()
        for operation, (method, _, _) in self.operations.by_name.items():
            if not self.operations.is_stream(operation):
                continue
            query = "?ticker=visitors" if operation == "streamEvents" else ""
            for example, _, body in self.operations.requests(operation):
                with self.subTest(operation, example=example):
                    answer = self.ask(method, self.operations.path(operation) + query, body)
                    self.assertEqual((answer.status, answer.kind), (200, STREAM))
                    self.check_headers(self.operations.response(operation, 200), answer)

    def test_a_stream_is_changed_as_the_contract_shows(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/events?ticker=visitors")
        lines = connection.getresponse()
        hello = next(line for line in lines if line.startswith(b"data:"))
        name = json.loads(hello.removeprefix(b"data:"))["stream"]
        for example, _, body in self.operations.requests("changeStream"):
            with self.subTest(example):
                answer = self.ask("PUT", self.operations.path("changeStream", name=name), body)
                self.assertEqual(answer.status, 204, answer.body)

    def test_a_retry_and_a_short_answer_have_the_headers_of_the_contract(self):
        self.set_the_scene(is_empty=True)
        path, body = "/v1/tickers/visitors", json.dumps({"to": 1, "duration": 60})
        for expected in (False, True):
            answer = self.ask("POST", path, body, Idempotency_Key="retry")
            self.assertEqual("Idempotency-Replayed" in answer.headers, expected)
            self.check_answer("moveTicker", "", answer)
        self.ask("DELETE", path)
        for status in (201, 204):
            answer = self.ask("POST", path, body, Prefer="return=minimal")
            self.assertEqual(answer.status, status)
            self.check_headers(self.operations.response("moveTicker", status), answer)

    # Problems

    def big(self) -> str:
        """An update whose answer is too long to be kept."""
        return json.dumps({"to": 1, "duration": 60, "then": [{"notify": "n", "data": "x" * 9_000}]})

    def problems(self):
        """For each of the contract's examples of a problem what leads to it: an answer."""
        ticker, page = "/v1/tickers/visitors", {"Origin": self.server.url}
        update = '{"to": 1}'
        return {
            ("BadRequest", "malformed"): lambda: self.ask("POST", ticker, "{"),
            ("Unauthorized", "noToken"): lambda: self.ask("POST", "/v1/session"),
            ("Forbidden", "foreignPage"): lambda: self.ask("POST", ticker, update, Origin="http://elsewhere.example"),
            ("NotFound", "noTicker"): lambda: self.ask("GET", "/v1/tickers/nobody"),
            ("NotAcceptable", "noStream"): lambda: self.ask("DELETE", ticker, Accept=STREAM),
            ("Conflict", "atRest"): self.seek_at_rest,
            ("Conflict", "rejected"): lambda: self.ask("POST", ticker, '{"to": 6, "interrupt": "reject"}'),
            ("Gone", "gone"): self.retry_what_has_gone,
            ("PreconditionFailed", "otherRevision"): lambda: self.ask("POST", ticker, update, If_Match='"77"'),
            ("ContentTooLarge", "tooLong"): lambda: self.ask("POST", ticker, " " * 70_000),
            ("UnsupportedMediaType", "text"): lambda: self.ask(
                "POST", ticker, update, **page, Content_Type="text/plain"
            ),
            ("UnsupportedMediaType", "compressed"): lambda: self.ask("POST", ticker, update, Content_Encoding="gzip"),
            ("Invalid", "unknownField"): lambda: self.ask("POST", ticker, '{"to": 1, "tu": 2}'),
            ("Invalid", "parameter"): lambda: self.ask("GET", "/v1/tickers?limit=1001"),
            ("Invalid", "usedKey"): self.use_a_key_again,
            ("TooManyRequests", "tooOften"): lambda: self.press(429, "--request-rate", "1", "--unlimited-from", "none"),
            ("InsufficientStorage", "full"): lambda: self.press(507, "--board-bytes", str(1 << 20)),
            ("Problem", "noSuchMethod"): lambda: self.ask("PATCH", ticker),
            ("Problem", "noRoom"): lambda: self.press(503, "--max-tracks", "1"),
        }

    def seek_at_rest(self) -> Answer:
        self.ask("POST", "/v1/tickers/visitors/finish")
        return self.ask("POST", "/v1/tickers/visitors/seek", '{"fraction": 0.5}')

    def retry_what_has_gone(self) -> Answer:
        path = "/v1/tickers/gone"
        self.ask("POST", path, self.big(), Idempotency_Key="gone")
        self.ask("DELETE", path)
        return self.ask("POST", path, self.big(), Idempotency_Key="gone")

    def use_a_key_again(self) -> Answer:
        self.ask("POST", "/v1/tickers/visitors/pause", Idempotency_Key="used")
        return self.ask("DELETE", "/v1/tickers/visitors", Idempotency_Key="used")

    def press(self, status: int, *flags: str) -> Answer:
        """Asks a server with hardly any room for more and more, until it refuses."""
        server = Server(*flags)
        self.addCleanup(server.close)
        for number in range(300):
            answer = Answer(server.port, "POST", f"/v1/tickers/more-{number}", self.big())
            if answer.status == status:
                return answer
        self.fail(f"never {status}, but {answer.status}")

    def test_problems_equal_the_contracts_examples(self):
        shown = {
            (name, example): dict(content["value"])
            for name, response in self.contract.document["components"]["responses"].items()
            for example, content in response.get("content", {}).get(PROBLEM, {}).get("examples", {}).items()
        }
        problems = self.problems()
        self.assertEqual(shown.keys(), problems.keys())
        for (name, example), problem in problems.items():
            with self.subTest(name, example=example):
                self.set_the_scene()
                answer = problem()
                self.check_headers(self.contract.document["components"]["responses"][name], answer)
                self.contract.check(answer.value, "/components/schemas/Problem")
                value, seen = shown[name, example], answer.value
                details = [each.pop("detail") for each in (value, seen)]
                if example in OF_LIMITS:
                    details = [re.sub("[0-9]+", "N", detail) for detail in details]
                self.assertEqual(*details)
                self.assertEqual(value, seen)
                self.assertEqual(value["status"], answer.status)


if __name__ == "__main__":
    unittest.main(verbosity=2)
