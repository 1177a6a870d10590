"""A short storm over a cluster of three machines (cluster_storm.py). Only in the long tests: the cluster alone takes
twenty seconds to begin."""

import os
import subprocess
import sys
import unittest

import container_filter

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST_S = 2400


@unittest.skipUnless(os.environ.get("TENURE_LONG"), "long")
class ClusterStormTest(unittest.TestCase):
    def run_script(self, *words, **more):
        ran = subprocess.run([sys.executable, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=LONGEST_S, **more)
        self.assertEqual(ran.returncode, 0, ran.stdout[-4000:])
        return ran.stdout

    def test_oo7_goes_on_when_the_primary_is_gone(self):
        said = self.run_script(os.path.join(HERE, "..", "..", "tools", "cluster_rig.py"))
        self.assertIn("what the programs were told is committed is there", said)

    def test_who_may_make_no_namespaces_gets_the_same(self):
        if container_filter.missing():
            self.skipTest(container_filter.missing())
        said = self.run_script(os.path.join(HERE, "..", "..", "tools", "cluster_rig.py"),
                               preexec_fn=container_filter.installer())
        self.assertIn("machines are addresses of the loopback device", said)
        self.assertIn("what the programs were told is committed is there", said)

    def test_nothing_acknowledged_is_lost_in_a_storm(self):
        self.assertIn(" 0 unknown", self.run_script(os.path.join(HERE, "cluster_storm.py"), "--faults=25",
                                                    "--commits=2000"))


if __name__ == "__main__":
    unittest.main()
