"""The streams as the server's /asyncapi.yaml describes them, and which of their messages were seen."""

import json
import re

import yaml
from contract import Contract
from schemas import BASE, Schemas

TEXT = "text/plain"


class Channels:
    """`seen` holds pairs of a channel and a message, by their names in the document."""

    def __init__(self, text: str, contract: Contract):
        self.document = yaml.safe_load(text)
        self.schemas = Schemas(asyncapi_yaml=self.document, openapi_yaml=contract.document)
        self.seen: set[tuple[str, str]] = set()
        # By frames, the member that comes first in their data and names their resource; none where that is text.
        self.frames = {
            name: None if message.get("contentType") == TEXT else self.at(message["payload"]["$ref"])["required"][0]
            for name, message in self.messages.items()
            if "name" not in message
        }

    @property
    def channels(self) -> dict:
        return self.document["channels"]

    @property
    def messages(self) -> dict:
        return self.document["components"]["messages"]

    def at(self, reference: str):
        """What a reference in this document names."""
        return self.schemas.explaining.resolver(BASE + "asyncapi.yaml").lookup(reference).contents

    def errors(self, value, pointer: str) -> list[str]:
        """Why a value doesn't fit the schema at a pointer into this document."""
        return self.schemas.errors(value, f"asyncapi.yaml#{pointer}")

    def channel(self, method: str, path: str) -> str:
        """The channel of a request."""
        for operation in self.document["operations"].values():
            name = operation["channel"]["$ref"].removeprefix("#/channels/")
            pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(self.channels[name]["address"]))
            if operation["bindings"]["http"]["method"] == method and re.fullmatch(pattern, path.split("?")[0]):
                return name
        raise AssertionError(f"the document has no stream {method} {path}")

    def check(self, channel: str, fields: dict, data: str, text: bool):
        """Holds an event against the message of its name and channel; gives its data.

        `fields` are those beside its data, `text` is whether the stream's frames are text.
        """
        is_text = text and "event" not in fields
        value = data if is_text else json.loads(data)
        name = self.message(channel, fields, value)
        headers = fields | ({"retry": int(fields["retry"])} if "retry" in fields else {})
        pointer = f"/components/messages/{name}"
        if errors := self.errors(headers, f"{pointer}/headers") + self.errors(value, f"{pointer}/payload"):
            raise AssertionError(f"{channel}, {name}: {errors}: {fields} {data[:2000]}")
        self.seen.add((channel, name))
        return value

    def message(self, channel: str, fields: dict, value) -> str:
        """Which of a channel's messages an event is: that of its name, or a frame of its kind."""
        names = self.channels[channel]["messages"]
        if "event" in fields:
            found = [name for name in names if self.messages[name].get("name") == fields["event"]]
        else:
            kind = None if isinstance(value, str) else next(iter(value))
            found = [name for name in names if name in self.frames and self.frames[name] == kind]
        if len(found) != 1:
            raise AssertionError(f"{channel} has {found or 'nothing'} for {fields} {value}")
        return found[0]
