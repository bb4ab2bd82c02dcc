"""What schemathesis must know to speak NDJSON."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    """A line an element; what is no list goes out as it is."""
    if isinstance(value, list):
        return "\n".join(map(json.dumps, value)).encode()
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def elements(context, response):
    return [json.loads(line) for line in response.content.decode().splitlines()]
