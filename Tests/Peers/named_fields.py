"""Prints, as JSON, every field of the contract that holds a text: its place, and whether that is the name of something.

For the test that holds them against the table of rights; a field is one of these unless a schema gives all its values."""

import json
import pathlib

import yaml

FOLDER = pathlib.Path(__file__).parent.parent.parent / "Sources/Service/TweencastService"
# Schemas of what has a name.
NAMES = {"ID", "TrackName", "StreamName", "Topics", "Resource", "Track"}
# What stands in a document for people, and what gives all values.
ASIDE = {"description", "summary", "title", "example", "examples", "links", "tags", "info", "servers", "security"}
FIXED = {"enum", "const"}


class Fields:
    """The fields of one document."""

    def __init__(self, name: str, prefix: str):
        self.prefix = prefix
        self.document = yaml.safe_load((FOLDER / name).read_text())
        self.found = {}
        for part, content in self.document.items():
            if part != "components":
                self.walk(content, part)
        for kind, entries in self.document["components"].items():
            for name, entry in entries.items():
                if not prefix and kind == "schemas" and name in NAMES:
                    continue
                place = name if kind == "schemas" else f"{kind}.{name}"
                self.walk(entry, place, kind == "schemas")
                if prefix and kind == "parameters":
                    self.note(place, "name")

    def note(self, place: str, kind: str):
        if self.found.get(self.prefix + place) != "name":
            self.found[self.prefix + place] = kind

    def walk(self, node, place: str, is_schema: bool = False):
        if isinstance(node, list):
            for entry in node:
                self.walk(entry, place)
            return
        if not isinstance(node, dict):
            return
        reference = node.get("$ref", "")
        if "/schemas/" in reference and reference.rsplit("/", 1)[-1] in NAMES:
            self.note(place, "name")
        if self.holds_text(node, is_schema):
            self.note(place, "text")
        for key, value in node.items():
            if key == "properties":
                for name, schema in value.items():
                    self.walk(schema, f"{place}.{name}", True)
            elif key == "paths" or place in ("paths", "channels", "operations") or place.startswith("paths./"):
                # A path's own parts have no names but their places.
                if key not in ASIDE and isinstance(value, (dict, list)):
                    self.walk(value, f"{place}.{key}")
            elif key not in ASIDE | FIXED and isinstance(value, (dict, list)):
                self.walk(value, place, key in ("schema", "items"))

    @staticmethod
    def holds_text(node: dict, is_schema: bool) -> bool:
        if FIXED & set(node):
            return False
        if node.get("type") == "string" or "string" in node.get("type", []) and isinstance(node.get("type"), list):
            return node.get("format") != "date-time"
        # Any JSON: a schema that says nothing but what it is.
        return is_schema and set(node) <= {"description", "examples"}


def main():
    fields = Fields("openapi.yaml", "").found | Fields("asyncapi.yaml", "asyncapi.").found
    print(json.dumps([{"place": place, "isName": kind == "name"} for place, kind in sorted(fields.items())]))


if __name__ == "__main__":
    main()
