"""JSON schemas of documents that reference each other, and why a value doesn't fit one of them."""

import datetime
import re
import urllib.parse

import jsonschema
import jsonschema_rs
import referencing
import referencing.jsonschema

BASE = "http://contract.test/"


def is_date(text) -> bool:
    """Whether a text is a date and time of RFC 3339 that exists."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", text):
        return False
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


FORMATS = jsonschema.FormatChecker(formats=())
FORMATS.checks("date-time")(lambda value: not isinstance(value, str) or is_date(value))


class Schemas:
    """A thousand events a second are held against these: a quick validator says whether, and another one why not."""

    def __init__(self, **documents: dict):
        self.documents = {BASE + name.replace("_", "."): document for name, document in documents.items()}
        self.quick = jsonschema_rs.Registry(list(self.documents.items()), draft=jsonschema_rs.Draft202012)
        self.explaining = referencing.Registry().with_resources(
            (address, referencing.Resource(document, referencing.jsonschema.DRAFT202012))
            for address, document in self.documents.items()
        )
        self.validators: dict[str, tuple] = {}

    def errors(self, value, reference: str) -> list[str]:
        """Why a value doesn't fit the schema that a reference names: a document and a pointer into it."""
        if reference not in self.validators:
            schema = {"$ref": BASE + urllib.parse.quote(reference, safe="#/~")}
            self.validators[reference] = (
                jsonschema_rs.Draft202012Validator(
                    schema, registry=self.quick, formats={"date-time": is_date}, validate_formats=True
                ),
                jsonschema.Draft202012Validator(schema, registry=self.explaining, format_checker=FORMATS),
            )
        quick, explaining = self.validators[reference]
        if quick.is_valid(value):
            return []
        reasons = [f"{error.json_path}: {error.message[:300]}" for error in leaves(explaining.iter_errors(value))]
        return reasons or ["it does not fit"]


def leaves(errors):
    """The errors at the bottom: of a oneOf, those of its branches too."""
    for error in errors:
        yield error
        yield from leaves(error.context or [])
