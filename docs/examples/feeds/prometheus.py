"""Shows what Prometheus knows: the value of a query becomes that of a ticker.

python3 prometheus.py http://localhost:9090 'sum(http_requests_total)' requests
"""

import json
import math
import sys
import urllib.parse
import urllib.request

from post import Refused, try_once

prometheus, query, ticker = sys.argv[1:]
address = f"{prometheus}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
with urllib.request.urlopen(address, timeout=10) as answer:
    result = json.load(answer)["data"]["result"]
if not result:
    sys.exit("the query has no result yet")
moment, text = result[0]["value"]
# It may be NaN or +Inf, which is no place to go to.
if not math.isfinite(value := float(text)):
    sys.exit(f"the query's result is {text}")
# The sample's time says which is newer, even if two of these overtake each other.
update = {"to": value, "sequence": int(moment * 1000), "duration": "auto"}
try:
    # What isn't sent now, the next run makes good.
    is_sent = try_once(f"/v1/tickers/{ticker}", update) is None
except Refused as refusal:
    sys.exit(str(refusal))
sys.exit(0 if is_sent else 1)
