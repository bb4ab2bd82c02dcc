"""How the figures of make figures are compared with their thresholds, and what they are made of."""

import unittest

from figures import differences
from operations import size, usual_least


class FiguresTest(unittest.TestCase):
    def test_a_figure_above_its_threshold_says_what_to_do(self):
        self.assertEqual(
            differences({"a POST": {"allocations": 78, "pages": 2}}, {"a POST": {"allocations": 77, "pages": 2}}),
            [
                "allocations of a POST: 78, and the threshold is 77: "
                "mend it, or say why in the commit and run make figures WRITE=1"
            ],
        )

    def test_a_figure_below_its_threshold_by_more_than_a_twentieth_asks_to_lower_it(self):
        self.assertEqual(differences({"a POST": {"bytes": 95}}, {"a POST": {"bytes": 100}}), [])
        self.assertEqual(
            differences({"a POST": {"bytes": 94}}, {"a POST": {"bytes": 100}}),
            ["bytes of a POST: 94, and the threshold is 100, so lower the threshold: make figures WRITE=1"],
        )

    def test_a_figure_without_a_threshold_and_a_threshold_without_a_figure_fail(self):
        self.assertEqual(
            differences({"a POST": {"bytes": 1}}, {"a connect": {"bytes": 1}}),
            [
                "bytes of a POST: no threshold: make figures WRITE=1",
                "bytes of a connect: not measured: make figures WRITE=1",
            ],
        )

    def test_rare_higher_counts_do_not_change_a_figure(self):
        self.assertEqual(usual_least([76] + [77] * 20 + [83] * 12 + [103] * 7), 77)

    def test_of_counts_that_all_differ_the_least_is_taken(self):
        self.assertEqual(usual_least(range(77, 117)), 77)

    def test_a_size_is_the_same_whatever_the_numbers_and_identifiers(self):
        first = b'X-Request-ID: et213m-4b\r\n\r\na7\r\nid: 1a226dd87ef-12250\ndata: {"value":100703.68617844445}\n\n\r\n'
        second = b'X-Request-ID: ab1-1\r\n\r\n1f7\r\nid: 1a226dd87f0-7\ndata: {"value":100703.5}\n\n\r\n'
        self.assertEqual(size(first), size(second))
        self.assertEqual(size(second.replace(b"}", b',"text":""}')), size(second) + 10)


if __name__ == "__main__":
    unittest.main()
