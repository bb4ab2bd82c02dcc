"""Receives webhooks: checks the signature as in Standard Webhooks, and processes each call once.

python3 webhook.py --port 9000, with the secret in $TWEENCAST_WEBHOOK_SECRET as the server has it
"""

import argparse
import base64
import hashlib
import hmac
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# It holds several secrets while one replaces another.
SECRETS = os.environ["TWEENCAST_WEBHOOK_SECRET"].replace(",", " ").split()
KEYS = [base64.b64decode(secret.removeprefix("whsec_")) for secret in SECRETS]
# Calls come at least once: if the answer was lost, the call comes again with the same id. A service keeps these ids in
# its database.
carried_out: set[str] = set()


def is_signed(headers, body: bytes) -> bool:
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = ["v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in KEYS]
    # There may be several signatures too. An old timestamp means a replayed call.
    signatures = (headers["webhook-signature"] or "").split()
    is_fresh = abs(time.time() - float(headers["webhook-timestamp"] or 0)) < 300
    return is_fresh and any(hmac.compare_digest(one, other) for one in expected for other in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_signed(self.headers, body):
            self.send_error(401)
            return
        if self.headers["webhook-id"] not in carried_out:
            carried_out.add(self.headers["webhook-id"])
            print(self.path, body.decode(), flush=True)
        # Only now: a call without a 2xx is retried.
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=9000)
    server = ThreadingHTTPServer(("127.0.0.1", arguments.parse_args().port), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
