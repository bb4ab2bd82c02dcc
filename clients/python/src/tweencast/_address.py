"""A server's address, and what goes into addresses and headers."""

import os
import re
import urllib.parse

from ._errors import InvalidRequestError

DEFAULT = "http://localhost:8080"
_NAME = re.compile(r"[A-Za-z0-9._~:-]{1,128}")
_PREFIX = re.compile(r"[A-Za-z0-9._~:-]{0,128}")


def server_address(url: str | None) -> str:
    """The address without a slash at its end; `localhost:8080` is `http://localhost:8080`."""
    text = url or os.environ.get("TWEENCAST_URL") or DEFAULT
    if "://" not in text:
        text = f"http://{text}"
    text = text.rstrip("/")
    is_printable = all("!" <= character <= "~" for character in text)
    try:
        parts = urllib.parse.urlsplit(text)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_whole = False
    if not is_whole or not is_printable or "?" in text or "#" in text:
        raise InvalidRequestError(f"{text} is no address of a server, such as {DEFAULT}")
    return text


def header_value(text: str, what: str) -> str:
    """A text that fits into a header."""
    if not text or not all(" " <= character <= "~" for character in text):
        raise InvalidRequestError(f"{what} has characters that can't be sent")
    return text


def checked_name(text: str) -> str:
    """The id of a resource, or the name of a notification, if any can have it."""
    # A stream of another one would wait for ever, and a path of dots would lead elsewhere.
    if not isinstance(text, str) or not _NAME.fullmatch(text) or text in (".", ".."):
        raise InvalidRequestError(f"{text!r} is no name: 1 to 128 of A-Z a-z 0-9 . _ ~ : -, but not . or ..")
    return text


def checked_pattern(text: str) -> str:
    """A name, or the beginning of names with `*` behind it."""
    if isinstance(text, str) and text.endswith("*") and _PREFIX.fullmatch(text[:-1]):
        return text
    return checked_name(text)


def escaped(text: str) -> str:
    """A text for a segment of a path, or for a query."""
    return urllib.parse.quote(text, safe="")
