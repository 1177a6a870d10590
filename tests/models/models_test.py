"""The models of docs/models, checked by spin: each model holds, and each mistake named in
its head is found."""

import os
import re
import subprocess
import tempfile
import unittest

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "models")


def errors(model, mistake=None):
    """The number of errors that a search of all states finds; the search
    ends at the first."""
    path = os.path.abspath(os.path.join(MODELS, model))
    options = [f"-D{mistake}"] if mistake else []
    with tempfile.TemporaryDirectory() as directory:  # the checker is made, and run, here
        ran = subprocess.run(["spin", *options, "-run", "-noclaim", path], cwd=directory, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    found = re.search(r"^State-vector .* errors: (\d+)$", ran.stdout, re.MULTILINE)
    if not found or "search not completed" in ran.stdout.lower() and found.group(1) == "0":
        raise AssertionError(f"spin did not search {model}:\n{ran.stdout}")
    return int(found.group(1))


class ModelsTest(unittest.TestCase):
    def check(self, model, mistakes):
        self.assertEqual(errors(model), 0)
        for mistake in mistakes:
            with self.subTest(mistake):
                self.assertGreater(errors(model, mistake), 0)

    def test_append(self):
        self.check("append.pml", ["BELIEVE_WARNINGS", "READ_WITHOUT_ATTACHING", "ATTACH_WITHOUT_WAITING",
                                  "APPEND_IN_ANY_TERM", "STAY_AFTER_A_FAILOVER"])

    def test_callbacks(self):
        self.check("callbacks.pml",
                   ["FORGET_WHAT_IS_GIVEN_UP", "SEND_HOME_WHAT_IS_WRITTEN", "FETCH_NOTHING",
                    "COMMIT_WITHOUT_ASKING", "KEEP_WHAT_CAME_AHEAD",
                    "GIVE_UP_WHAT_IS_TOUCHED", "FREE_AS_IT_WAS_READ",
                    "KEEP_THE_FRAME_OF_WHAT_WANDERS"])

    def test_collection(self):
        self.check("collection.pml", ["NOTE_NO_COMMIT", "ASK_NOBODY", "KEEP_WHAT_IS_HELD_ONLY",
                                      "FORGET_THE_OPEN_TRANSACTION"])

    def test_groups(self):
        self.check("groups.pml",
                   ["READ_WITHOUT_WAITING", "GIVE_UP_BEFORE_DURABLE",
                    "COUNT_WHAT_CAME_DURING_THE_SYNC", "WAKE_ONLY_THE_SERVED", "SYNC_AGAIN",
                    "BELIEVE_THE_CACHE", "GO_ON_AHEAD_OF_THE_STORE", "SKIP_HOLES",
                    "KEEP_OLD_RECORDS", "CALL_EACH_HOLE_DAMAGE", "IGNORE_DAMAGE"])

    def test_hold(self):
        self.check("hold.pml", ["KEEP_THE_HOLD", "HOLD_FOR_EVER", "WAKE_ONLY_THE_SERVED"])

    def test_lease(self):
        self.check("lease.pml", ["COUNT_FROM_THE_ANSWER", "TAKE_ANY_BEAT", "WAIT_TOO_SHORT",
                                 "READ_WITHOUT_A_LEASE", "USE_NUMBERS_AGAIN"])

    def test_outcomes(self):
        self.check("outcomes.pml", ["FORGET_AND_DENY", "IGNORE_THE_LIMIT", "FORGET_AT_A_START",
                                    "SAVE_LATER", "SETTLE_WHAT_IS_SEEN", "FORGET_WHO_IS_CUT_OFF",
                                    "DENY_WHAT_IS_PREPARED", "FORGET_WHO_PREPARED"])

    def test_protection(self):
        self.check("protection.pml",
                   ["OPEN_FOR_A_FILLER", "ROLL_BACK_IN_A_TRAP", "SPILL_WHAT_IS_OPEN"])

    def test_marks(self):
        self.check("marks.pml", ["CALL_AFTER_READING", "WITHOUT_FENCE", "LOOK_BEFORE_CALLING",
                                 "WAIT_BEFORE_VISIBLE"])


if __name__ == "__main__":
    unittest.main()
