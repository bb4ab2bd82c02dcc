"""A server's address, and what goes into addresses and headers."""

import os
import urllib.parse

from ._errors import InvalidRequestError

DEFAULT = "http://localhost:8080"


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


def escaped(text: str) -> str:
    """A text for a segment of a path, or for a query."""
    # A path of dots would lead elsewhere. The server refuses them, but only if they arrive.
    if text in ("", ".", ".."):
        raise InvalidRequestError(f"{text!r} is no name")
    return urllib.parse.quote(text, safe="")
