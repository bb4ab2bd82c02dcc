"""What schemathesis must know to speak NDJSON."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    """A line an element; text, as the contract's examples are, goes out as it is, and so does what is no list."""
    if isinstance(value, list):
        return "\n".join(map(json.dumps, value)).encode()
    if isinstance(value, str):
        return value.encode()
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def elements(context, response):
    return [json.loads(line) for line in response.content.decode().splitlines()]


@schemathesis.hook
def before_load_schema(context, schema):
    """Actions of actions of actions take long to make up and find nothing new: one level, of notifications. Others that
    it can't make up are left to the session and to the tests of the decoder: operations, texts and new schedules."""
    # A 201 that has a body elsewhere has none then, which a contract can't say: the session looks at those.
    del schema["components"]["parameters"]["prefer"]
    for item in schema["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "parameters" in operation:
                operation["parameters"] = [
                    parameter
                    for parameter in operation["parameters"]
                    if parameter.get("$ref") != "#/components/parameters/prefer"
                ]
    schemas = schema["components"]["schemas"]
    # What lines of JSON hold, which is made up and read as a list.
    for name in ("Batch", "BatchAnswers", "FrameLines", "StreamLines"):
        schemas[name] = schemas[name]["contentSchema"]
    plain = {"type": "array", "maxItems": 2, "items": {"$ref": "#/components/schemas/Notify"}}
    schemas["Notify"] = {
        "type": "object",
        "additionalProperties": False,
        "required": ["notify"],
        "properties": {"notify": {"type": "string", "pattern": "^[A-Za-z0-9]{1,128}$"}, "data": True},
    }
    for name in ("TickerUpdate", "ProgressUpdate"):
        schemas[name]["properties"]["then"] = plain
        schemas[name]["properties"]["else"] = plain
        # What it would name isn't there: each such request would be refused.
        del schemas[name]["properties"]["start"]
    made = ("TickerChange", "ProgressChange", "NotifyAction", "WebhookAction")
    schemas["Action"]["oneOf"] = [{"$ref": f"#/components/schemas/{name}"} for name in made]
