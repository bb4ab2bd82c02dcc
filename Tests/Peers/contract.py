"""The contract that a server serves, and what of it answers and events were held against."""

import http.client
import json
import re
import time

import yaml
from schemas import Schemas

LINES = "application/x-ndjson"


class Contract:
    """Schemas by pointer. `operations` are those that were answered with success; `events` maps names to their data."""

    def __init__(self, text: str):
        self.document = yaml.safe_load(text)
        self.schemas = Schemas(openapi_yaml=self.document)
        self.operations: set[tuple[str, str, str]] = set()
        self.events: dict[str, list] = {}
        # The document of the streams, which takes the schemas of their data from here.
        self.channels = None
        self.names = set(self.schema("Events")["properties"])

    def schema(self, name: str):
        return self.document["components"]["schemas"][name]

    def check(self, instance, pointer: str):
        """Fails unless an instance fits the schema at a pointer."""
        if errors := self.schemas.errors(instance, f"openapi.yaml#{pointer}"):
            text = json.dumps(instance, ensure_ascii=False)[:2000]
            raise AssertionError(f"{pointer}: {'; '.join(errors)}\n{text}")

    # Operations

    def operation(self, method: str, path: str):
        """The operation's template and pointer; a template without parameters wins over one that has them."""
        for template in sorted(self.document["paths"], key=lambda template: template.count("{")):
            pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template))
            if re.fullmatch(pattern, path) and method.lower() in self.document["paths"][template]:
                return template, f"/paths/{template.replace('~', '~0').replace('/', '~1')}/{method.lower()}"
        raise AssertionError(f"the contract has no {method} {path}")

    def at(self, pointer: str):
        """What stands at a pointer, and the pointer to it with references followed."""
        value = self.document
        for token in pointer[1:].split("/"):
            value = value[token.replace("~1", "/").replace("~0", "~")]
        if isinstance(value, dict) and "$ref" in value:
            return self.at(value["$ref"].removeprefix("#"))
        return value, pointer

    def check_content(self, value, pointer: str, media: str):
        """Holds a body against what stands for its media type at a pointer; lines of JSON are a list."""
        schema = f"{pointer}/content/{media.replace('/', '~1')}/schema"
        if media == LINES:
            schema = self.at(schema)[1] + "/contentSchema"
        self.check(value, schema)

    def check_request(self, method: str, path: str, kind: str, value):
        _, pointer = self.operation(method, path)
        self.check_content(value, self.at(f"{pointer}/requestBody")[1], kind)

    def check_answer(self, method: str, path: str, status: int, kind: str | None, body: bytes, minimal=False):
        """Holds an answer against its operation; gives its JSON, its lines of JSON or its text. A minimal one has none."""
        template, pointer = self.operation(method, path)
        responses, pointer = self.at(pointer + "/responses")
        key = str(status) if str(status) in responses else "default"
        response, pointer = self.at(f"{pointer}/{key}")
        if key == "default" and status < 400:
            raise AssertionError(f"{method} {template} answers {status}, which the contract does not have")
        if key != "default":
            self.operations.add((method, template, key))
        if "content" not in response or minimal:
            if body:
                raise AssertionError(f"{method} {template} answers {status} with a body: {body[:200]}")
            return None
        media = (kind or "").split(";")[0]
        if media not in response["content"]:
            raise AssertionError(f"{method} {template} answers {status} as {kind}")
        value = decode(media, body)
        self.check_content(value, pointer, media)
        return value

    def members(self, *names: str) -> dict:
        """The properties of an event's data and, with further names, of what stands in them; none that it shares."""
        schema = self.schema("Events")
        for name in names:
            schema = self.at(schema["properties"][name]["$ref"].removeprefix("#"))[0]
        return schema.get("properties", {})

    @property
    def promised(self) -> set[tuple[str, str, str]]:
        """All operations with their successes."""
        return {
            (method.upper(), template, status)
            for template, item in self.document["paths"].items()
            for method, operation in item.items()
            if method in ("get", "put", "post", "delete")
            for status in operation["responses"]
            if status.startswith("2")
        }


def decode(media: str, body: bytes):
    if media.endswith("json") and media != LINES:
        return json.loads(body)
    text = body.decode()
    return [json.loads(line) for line in text.splitlines()] if media == LINES else text


class Events:
    """A plain reader of a stream, which holds what comes against the contract.

    `must`: what the frames of each kind must have besides what the contract has them have always; only the last one of
    a resource that is removed while it moves may lack it.
    """

    def __init__(
        self, contract: Contract, port: int, path: str, method="GET", body=None, must=None, text=False, token=None,
        accept="text/event-stream", last=None,
    ):  # fmt: skip
        self.contract, self.path, self.text = contract, path, text
        self.must = must or {}
        # The id of the last event that had one.
        self.last: str | None = None
        # Frames that lacked something, by resource: what comes next of it must be the end of its motion by removal.
        self.bare: dict[tuple[str, str], str] = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
        headers = {"Accept": accept} | ({"Authorization": f"Bearer {token}"} if token else {})
        headers |= {"Last-Event-ID": last} if last else {}
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        self.answer = self.connection.getresponse()
        kind, plain = self.answer.headers["Content-Type"], path.split("?")[0]
        contract.check_answer(method, plain, self.answer.status, kind, b"")
        self.lines = kind == LINES
        self.channel = contract.channels.channel(method, plain)

    def __iter__(self):
        """Pairs of name and data: decoded, but for frames of text."""
        fields, data = {}, []
        for line in self.answer:
            line = line.decode().rstrip("\n")
            if self.lines:
                yield self._read(json.loads(line))
                continue
            if not line and data:
                yield fields.get("event", "message"), self._check(fields, "\n".join(data))
            if not line:
                fields, data = {}, []
            field, _, value = line.partition(": ")
            if field == "data":
                data.append(value)
            elif field in ("event", "id", "retry"):
                fields[field] = value
            elif line:
                raise AssertionError(f"{self.path} sends {line}")

    def _read(self, line: dict):
        """An event as a line of JSON, held against the contract like any other."""
        self.contract.check(line, "/components/schemas/StreamLine")
        fields = {name: str(line[name]) for name in ("event", "id", "retry") if name in line}
        if fields["event"] == "frame":
            del fields["event"]
        return fields.get("event", "message"), self._check(fields, json.dumps(line["data"]))

    def _check(self, fields: dict, data: str):
        name = fields.get("event", "message")
        self.last = fields.get("id", self.last)
        value = self.contract.channels.check(self.channel, fields, data, self.text)
        if isinstance(value, str):
            return value
        self.contract.events.setdefault(name, []).append(value)
        of = next(iter(value.items()), None) if name in ("message", "complete", "removed") else None
        if of in self.bare and (name, value.get("reason")) != ("complete", "removed"):
            raise AssertionError(f"{self.path} has {self.bare[of]}, and then {name} {data}")
        self.bare.pop(of, None)
        if name == "message":
            missing = [member for member in self.must.get(of[0], ()) if member not in value]
            if missing:
                self.bare[of] = f"no {missing} in {data}"
        return value

    def until(self, name: str, **members):
        """All that comes up to an event, this one included."""
        seen = []
        end = time.monotonic() + 60
        for event in self:
            seen.append(event)
            if event[0] == name and members.items() <= event[1].items():
                if self.bare:
                    raise AssertionError(f"{self.path} has {self.bare}")
                return seen
            if time.monotonic() > end:
                break
        raise AssertionError(f"{self.path} never sent {name} {members}, but {seen[-5:]}")

    def close(self):
        self.answer.close()
        self.connection.close()
