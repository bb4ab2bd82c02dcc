"""The document of the streams by itself, beside the contract, and as a foreign reader takes it.

What the streams tell is held against it in test_contract.py.
"""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Browser"))
from channels import TEXT  # noqa: E402
from operations import STREAM, Operations  # noqa: E402
from pydantic_asyncapi.v3 import AsyncAPI  # noqa: E402
from server import Server  # noqa: E402
from test_contract import read_channels, read_contract  # noqa: E402

OPENAPI = "openapi.yaml#/components/schemas/"


class ChannelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        server = Server()
        cls.addClassCleanup(server.close)
        cls.contract = read_contract(server)
        cls.channels = read_channels(server, cls.contract)
        cls.document = cls.channels.document
        cls.operations = Operations(cls.contract)

    def test_a_foreign_reader_takes_the_document(self):
        read = AsyncAPI.model_validate(self.document)
        self.assertEqual(read.channels.keys(), self.document["channels"].keys())
        self.assertEqual({operation.action for operation in read.operations.values()}, {"send"})
        self.assertEqual(read.info.version, self.contract.document["info"]["version"])

    def references(self, value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for member in value.values():
                yield from self.references(member)
        elif isinstance(value, list):
            for element in value:
                yield from self.references(element)

    def test_every_reference_leads_somewhere_and_everything_is_referenced(self):
        references = set(self.references(self.document))
        for reference in references:
            self.assertTrue(self.channels.at(reference), reference)
        for section, items in self.document["components"].items():
            for name in items:
                self.assertIn(f"#/components/{section}/{name}", references)
        for name in self.document["channels"]:
            self.assertIn(f"#/channels/{name}", references)

    def test_asyncapi_operations_are_openapis_streaming_ones(self):
        streams = {
            name: (method, template)
            for name, (method, template, operation) in self.operations.by_name.items()
            if STREAM in self.operations.response(name, 200).get("content", {})
        }
        self.assertEqual(self.document["operations"].keys(), streams.keys())
        for name, operation in self.document["operations"].items():
            with self.subTest(name):
                channel = self.channels.at(operation["channel"]["$ref"])
                http = operation["bindings"]["http"]
                self.assertEqual((http["method"], channel["address"]), streams[name])
                query = {item["name"] for item in self.operations.parameters(name) if item["in"] == "query"}
                asked = http["query"].get("properties", {}).keys()
                # A change that may be answered by a stream has those of streams only then.
                if not name.startswith(("create", "move", "define")):
                    self.assertEqual(asked, query)
                self.assertEqual(
                    "ticket" in asked, {"$ref": "#/components/securitySchemes/ticket"} in operation["security"]
                )

    def test_asyncapi_messages_are_openapis_events(self):
        events = self.contract.schema("Events")["properties"]
        named, frames = {}, []
        for message in self.document["components"]["messages"].values():
            reference = message["payload"].get("$ref")
            if "name" in message:
                named[message["name"]] = reference.replace(OPENAPI, "#/components/schemas/")
                self.assertEqual(message["headers"]["properties"]["event"], {"const": message["name"]})
            elif message.get("contentType") != TEXT:
                frames.append({"$ref": reference.replace(OPENAPI, "#/components/schemas/")})
        self.assertEqual(named, {name: event["$ref"] for name, event in events.items() if name != "message"})
        self.assertEqual(frames, events["message"]["oneOf"])
        listed = {name for channel in self.document["channels"].values() for name in channel["messages"]}
        self.assertEqual(listed, self.document["components"]["messages"].keys())
        for channel in self.document["channels"].values():
            for name, message in channel["messages"].items():
                self.assertEqual(message, {"$ref": f"#/components/messages/{name}"})

    def test_asyncapi_examples_are_openapis_and_valid(self):
        for name, message in self.document["components"]["messages"].items():
            with self.subTest(name):
                schema = message["payload"]
                if "$ref" in schema:
                    schema = self.channels.at(schema["$ref"])
                    self.assertEqual([example["payload"] for example in message["examples"]], schema["examples"])
                for example in schema["examples"]:
                    self.assertEqual(self.channels.errors(example, f"/components/messages/{name}/payload"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
