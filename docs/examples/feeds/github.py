"""Receives GitHub's webhooks, checks their signatures, and counts stars and commits.

python3 github.py --port 9000, with the webhook's secret in $GITHUB_WEBHOOK_SECRET
"""

import argparse
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from post import Refused, try_once

SECRET = os.environ["GITHUB_WEBHOOK_SECRET"].encode()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = "sha256=" + hmac.digest(SECRET, body, hashlib.sha256).hex()
        if not hmac.compare_digest(expected, self.headers["X-Hub-Signature-256"] or ""):
            self.send_error(401)
            return
        # Anything but 2xx shows up as failed at GitHub, which can deliver it again.
        try:
            is_taken = self.take(self.headers["X-GitHub-Event"], json.loads(body)) is None
        except Refused as refusal:
            print(refusal, flush=True)
            is_taken = False
        self.send_response(204 if is_taken else 502)
        self.end_headers()

    def take(self, event, payload):
        # A delivery that comes again has the same id, and counts once.
        key = self.headers["X-GitHub-Delivery"]
        if event == "push":
            return try_once("/v1/tickers/commits", {"by": len(payload["commits"])}, key)
        if event == "star":
            return try_once("/v1/tickers/stars", {"to": payload["repository"]["stargazers_count"]}, key)
        return None

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=9000)
    server = ThreadingHTTPServer(("127.0.0.1", arguments.parse_args().port), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
