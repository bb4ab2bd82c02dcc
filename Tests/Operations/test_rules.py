"""The alert rules and the dashboard: Prometheus' own tool takes them, and they speak of metrics that there are."""

import json
import pathlib
import re
import tempfile
import unittest

import yaml
from figures import promtool

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALERTS = ROOT / "packaging/prometheus/alerts.yml"
DASHBOARD = ROOT / "packaging/grafana/tweencast.json"
OWN = re.compile(r"\b(?:tweencast|process)_[a-z_]+")


def catalogue() -> set[str]:
    """Names of series that a server may have: those of the documentation, which a test holds against the program."""
    names = set()
    for line in (ROOT / "docs/operations.md").read_text().splitlines():
        row = re.match(r"\| `((?:tweencast|process)_[a-z_]+)` \| (\w+) ", line)
        if row:
            endings = ("_bucket", "_sum", "_count") if row[2] == "histogram" else ("",)
            names |= {row[1] + ending for ending in endings}
    return names


def dashboard_expressions() -> list[str]:
    """All that the dashboard asks for, with Grafana's own variables replaced as it replaces them."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    found = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    return [text.replace("$__rate_interval", "1m").replace("$instance", ".*") for text in found]


class AlertTest(unittest.TestCase):
    def setUp(self):
        self.rules = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]

    def test_promtool_takes_the_rules_and_each_fires_when_it_should(self):
        said = promtool("check", "rules", str(ALERTS))
        self.assertIn(f"SUCCESS: {len(self.rules)} rules found", said)
        promtool("test", "rules", str(ALERTS.with_suffix(".test.yml")))

    def test_each_rule_is_held_against_figures(self):
        tested = ALERTS.with_suffix(".test.yml").read_text()
        for rule in self.rules:
            self.assertIn(f'alertname="{rule["alert"]}"', tested)

    def test_each_rule_says_what_it_is_about_and_what_to_do(self):
        for rule in self.rules:
            self.assertIn(rule["labels"]["severity"], ("page", "ticket"), rule["alert"])
            self.assertGreater(len(rule["annotations"]["summary"]), 20, rule["alert"])
            self.assertGreater(len(rule["annotations"]["description"]), 60, rule["alert"])

    def test_alert_rules_use_only_existing_metrics(self):
        for rule in self.rules:
            used = set(OWN.findall(rule["expr"] + rule["annotations"]["description"]))
            # A description may name a histogram whole.
            self.assertLessEqual(used - {name.removesuffix("_count") for name in catalogue()}, catalogue())


class DashboardTest(unittest.TestCase):
    def test_expressions_are_promql(self):
        expressions = dashboard_expressions()
        self.assertGreater(len(expressions), 40)
        rules = [{"record": f"dashboard:{number}", "expr": text} for number, text in enumerate(expressions)]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            self.assertIn(f"SUCCESS: {len(rules)} rules found", promtool("check", "rules", file.name))

    def test_dashboard_expressions_use_only_existing_metrics(self):
        for text in dashboard_expressions():
            used = set(OWN.findall(text))
            self.assertTrue(used or text.startswith("up{"), text)
            self.assertLessEqual(used, catalogue(), text)

    def test_a_server_without_errors_has_none_of_its_answers(self):
        """Series of requests begin with the first of a kind: where nothing failed there is none of 5xx, and the panel says 0."""
        (text,) = (text for text in dashboard_expressions() if 'status=~"5..' in text)
        series = {"200": "0+99x10", "503": "_x4 0+1x5"}
        figures = [
            {"series": f'tweencast_http_request_duration_seconds_count{{status="{status}"}}', "values": values}
            for status, values in series.items()
        ]
        tests = [
            {"expr": text, "eval_time": time, "exp_samples": [{"labels": "{}", "value": value}]}
            for time, value in (("4m", 0), ("10m", 0.01))
        ]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            yaml.safe_dump({"tests": [{"interval": "1m", "input_series": figures, "promql_expr_test": tests}]}, file)
            file.flush()
            promtool("test", "rules", file.name)

    def test_panels_have_places_of_their_own(self):
        taken: set[tuple[int, int]] = set()
        for panel in json.loads(DASHBOARD.read_text())["panels"]:
            place = panel["gridPos"]
            cells = {
                (place["x"] + across, place["y"] + down) for across in range(place["w"]) for down in range(place["h"])
            }
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells


if __name__ == "__main__":
    unittest.main()
