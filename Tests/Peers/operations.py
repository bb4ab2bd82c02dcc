"""The contract's operations by their names, with what they reference in place, and what a server answers to them."""

import http.client
import json
import urllib.parse

from contract import LINES, Contract

PROBLEM = "application/problem+json"
STREAM = "text/event-stream"


class Answer:
    """An answer, read to its end unless it is a stream."""

    def __init__(self, port: int, method: str, path: str, body: str | None = None, **headers: str):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body and body.encode(), headers)
        response = connection.getresponse()
        self.status, self.headers = response.status, response.headers
        self.kind = (response.headers["Content-Type"] or "").split(";")[0]
        self.body = b"" if self.kind == STREAM else response.read()
        connection.close()

    @property
    def value(self):
        if self.kind == LINES:
            return [json.loads(line) for line in self.body.decode().splitlines()]
        return json.loads(self.body) if self.body else None


class Operations:
    def __init__(self, contract: Contract):
        self.contract = contract
        self.by_name: dict[str, tuple[str, str, dict]] = {}
        for template, item in contract.document["paths"].items():
            for method, operation in item.items():
                if method != "parameters":
                    self.by_name[operation["operationId"]] = (method.upper(), template, operation)

    def parameters(self, name: str) -> list[dict]:
        _, template, operation = self.by_name[name]
        both = self.contract.document["paths"][template].get("parameters", []) + operation.get("parameters", [])
        return [self.resolved(parameter) for parameter in both]

    def resolved(self, value: dict) -> dict:
        return self.contract.at(value["$ref"].removeprefix("#"))[0] if "$ref" in value else value

    def path(self, operation: str, **values: str) -> str:
        template = self.by_name[operation][1]
        for parameter in self.parameters(operation):
            if parameter["in"] == "path":
                value = values.get(parameter["name"]) or parameter["example"]
                template = template.replace("{" + parameter["name"] + "}", urllib.parse.quote(value, safe=""))
        return template

    def requests(self, name: str) -> list[tuple[str, str | None, str | None]]:
        """Examples of an operation's bodies: name, media type and text. Without a body it is its name alone."""
        operation = self.by_name[name][2]
        if "requestBody" not in operation:
            return [(name, None, None)]
        ((media, content),) = self.resolved(operation["requestBody"])["content"].items()
        values = [(example, item["value"]) for example, item in content["examples"].items()]
        return [(example, media, value if isinstance(value, str) else json.dumps(value)) for example, value in values]

    def response(self, name: str, status: int) -> dict:
        responses = self.by_name[name][2]["responses"]
        return self.resolved(responses.get(str(status)) or responses["default"])

    def is_stream(self, name: str) -> bool:
        return self.by_name[name][1].endswith(("/events", "/selftest"))
