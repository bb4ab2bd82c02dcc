"""Posts to Tweencast, for the feeds beside this file; with nothing but Python's own library (3.9 or later).

TWEENCAST_URL is the server, http://localhost:8080 unless set; TWEENCAST_TOKEN is sent where it asks for tokens.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("TWEENCAST_URL", "http://localhost:8080").rstrip("/")
if "://" not in URL:
    URL = "http://" + URL
# Seconds between two attempts: of its own, and where an answer asks for more.
PAUSE, LONGEST = 1, 60


class Direct(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token is for this server alone."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(Direct)


class Refused(Exception):
    """The server would answer the same again."""


def try_once(path, body, key=None):
    """Seconds to wait before the next attempt, or None: the server took it. A batch is a list."""
    is_batch = isinstance(body, list)
    data = "\n".join(map(json.dumps, body)) if is_batch else json.dumps(body)
    headers = {"Content-Type": "application/x-ndjson" if is_batch else "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    if token := os.environ.get("TWEENCAST_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    try:
        with OPENER.open(urllib.request.Request(URL + path, data.encode(), headers), timeout=10) as answer:
            lines = answer.read().decode().splitlines()
    except urllib.error.HTTPError as error:
        with error:
            if error.code < 500 and error.code != 429:
                raise Refused(f"{error.code} {error.read().decode()}") from None
            text = error.headers.get("Retry-After", "")
            asked = int(text) if text.isdecimal() else PAUSE
            print(f"{error.code}, the server asks for {asked} s: {error.read().decode()}", file=sys.stderr)
            return min(asked, LONGEST)
    except (OSError, http.client.HTTPException) as error:
        print(f"not answered: {error}", file=sys.stderr)
        return PAUSE
    for line in lines if is_batch else []:
        # Each line of a batch succeeds or fails by itself.
        if json.loads(line)["status"] >= 400:
            print(line, file=sys.stderr)
    return None


def post(path, body, key=None):
    """Posts until there is an answer. Give a key to what adds, so that it counts once."""
    while (pause := try_once(path, body, key)) is not None:
        time.sleep(pause)
