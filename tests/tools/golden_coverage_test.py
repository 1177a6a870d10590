import unittest

from golden_coverage import (is_expectation_of, messages_without_test, rules_named, sections,
                             sections_without_program)


class ReadingTest(unittest.TestCase):
    def test_rules_are_named_in_the_first_comments(self):
        self.assertEqual(rules_named("(* golden: run *)\n(* Loops (language.md 14.4, 14.5,\n 3). *)"),
                         {"14.4", "14.5"})
        self.assertEqual(rules_named("(* One (language.md 14.13) and two (language.md 9.1.2) *)"),
                         {"14.13", "9.1.2"})

    def test_sections_have_numbers(self):
        self.assertIn(("14.13", "CASE"), sections())

    def test_an_expectation_is_an_instance_of_its_wording(self):
        wording = "{0} has no element {1}; see its type"
        for text in ("Main.T has no element x; see its type (5.2)",
                     "M0907: Main.T has no element x; see its type", "has no element {1}"):
            self.assertTrue(is_expectation_of(text, wording), text)
        for text in ("Main.T has no field x; see its type", "its type"):
            self.assertFalse(is_expectation_of(text, wording), text)


class CompletenessTest(unittest.TestCase):
    def test_every_section_of_the_language_has_a_program_that_runs(self):
        self.assertEqual(sections_without_program(), [])

    def test_every_message_has_a_test(self):
        self.assertEqual(messages_without_test(), [])
