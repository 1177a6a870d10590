"""Machines on this machine (tools/cluster_machines.py): what they start ends with them."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import cluster_machines  # noqa: E402
import container_filter  # noqa: E402

LONGEST_S = 60
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# With the name of the test's part: what the main of an enclosed program does.
PROGRAM = """
import os, signal, subprocess, sys, time
sys.path.insert(0, {tools!r})
from cluster_machines import enclosed, make_machines
if {alone!r}:
    import cluster_machines
    cluster_machines.namespace_words = lambda: None

def main(directory, links):
    first, second = make_machines(directory, links, 2)
    orphan = "import os, time\\nif os.fork() == 0: os.setsid(); time.sleep(999)"
    first.start([sys.executable, "-c", orphan], "orphan.log").wait()
    sleeper = second.start(["sleep", "998"])
    if sys.argv[1] == "kill":
        print(len(first.processes()) > 0, len(second.processes()) > 0)
        pids, end = first.processes(), time.monotonic() + 10
        first.kill()
        print(len(first.processes()), sleeper.poll())
        while any(os.path.exists(f"/proc/{{pid}}") for pid in pids) and time.monotonic() < end:
            time.sleep(0.02)
        print(any(os.path.exists(f"/proc/{{pid}}") for pid in pids))
        second.send(signal.SIGKILL)
        print(sleeper.wait())
    elif sys.argv[1] == "link":
        server = second.start([sys.executable, "-u", "-c", "import socket, sys\\ns = socket.create_server(('" +
                               second.address + "', 7300))\\nprint('ready')\\nwhile True: s.accept()[0].close()"],
                              stdout=subprocess.PIPE, text=True)
        server.stdout.readline()
        ask = [sys.executable, "-c", "import socket\\nsocket.create_connection(('" + second.address + "', 7300), 1)"]
        print(first.run(ask).returncode)
        second.set_link(False)
        print(first.run(ask).returncode)
        second.set_link(True)
        first.cut(second)
        print(first.run(ask).returncode)
        first.cut(second, off=False)
        print(first.run(ask).returncode)
    elif sys.argv[1] == "where":
        server = second.start([sys.executable, "-u", "-c", "import socket, time\\ns = socket.create_server(('" +
                               second.address + "', 0))\\nprint(s.getsockname()[1])\\ntime.sleep(99)"],
                              stdout=subprocess.PIPE, text=True)
        port = int(server.stdout.readline())
        print(links, first.address, first.ports_in_use([port]), second.ports_in_use([port]) == [port])
    elif sys.argv[1] == "disk":
        first.give_disk(20)
        first.fill_disk(1 << 20)
        with open(os.path.join(os.path.dirname(first.data), "more"), "wb") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, 2 << 20)
            except OSError as error:
                print(error.strerror)
            first.empty_disk()
            os.posix_fallocate(file.fileno(), 0, 15 << 20)
        print("room")
    else:
        print(directory, flush=True)
        time.sleep(100)
    return 7

sys.exit(enclosed(main))
"""


def sleepers(directory):
    """Processes whose environment names the directory."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if directory.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            continue
    return found


class ClusterMachinesTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="tenure-machines-")
        self.addCleanup(holder.cleanup)
        self.directory = holder.name

    def script(self, alone):
        path = os.path.join(self.directory, "script.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(tools=os.path.join(ROOT, "tools"), alone=alone))
        return [sys.executable, path]

    def start(self, how, alone, before=None):
        def begin():
            # Ignored where a shell runs the tests in the background.
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            if before:
                before()

        return subprocess.Popen([*self.script(alone), how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=dict(os.environ, TENURE_CLUSTER_TMPDIR=self.directory), preexec_fn=begin,
                                start_new_session=True)

    def test_a_machine_is_killed_with_all_its_processes_and_no_others(self):
        for alone in (False, True):
            process = self.start("kill", alone)
            self.assertEqual(process.communicate(timeout=LONGEST_S)[0], "True True\n0 None\nFalse\n-9\n")
            self.assertEqual(process.returncode, 7)
            self.assertEqual(os.listdir(self.directory), ["script.py"])

    def test_links_are_cut_and_mended(self):
        if cluster_machines.namespace_words() is None:
            self.skipTest("this user may not make network namespaces")
        process = self.start("link", False)
        self.assertEqual(process.communicate(timeout=LONGEST_S)[0].splitlines(), ["0", "1", "1", "0"])

    def test_a_disk_becomes_full_and_is_emptied(self):
        if cluster_machines.namespace_words() is None:
            self.skipTest("this user may not mount")
        said = self.start("disk", False).communicate(timeout=LONGEST_S)
        self.assertEqual(said, ("No space left on device\nroom\n", ""))

    def test_who_may_make_no_namespaces_gets_addresses_of_the_loopback_device(self):
        if container_filter.missing():
            self.skipTest(container_filter.missing())
        for before in (None, container_filter.installer()):
            process = self.start("where", before is None, before)
            said = process.communicate(timeout=LONGEST_S)
            self.assertEqual(said, ("False 127.77.0.1 [] True\n", ""))

    def test_nothing_stays_when_the_program_is_ended(self):
        def alone_with(process, number):
            process.send_signal(number)

        def as_a_terminal(process, number):
            os.killpg(process.pid, number)

        def twice(process, number):
            as_a_terminal(process, number)
            time.sleep(0.01)
            process.send_signal(signal.SIGTERM)

        for alone in (False, True):
            for number in ENDING:
                for send in (alone_with, as_a_terminal, twice):
                    with self.subTest(alone=alone, number=number, send=send.__name__):
                        process = self.start("wait", alone)
                        directory = process.stdout.readline().strip()
                        self.assertTrue(os.path.isdir(directory))
                        send(process, number)
                        self.assertEqual(process.wait(LONGEST_S), 128 + number)
                        # No traces of Python.
                        self.assertEqual(process.communicate(), ("", ""))
                        self.assertEqual(sleepers(directory), [])
                        self.assertFalse(os.path.exists(directory))

    def test_no_process_stays_when_the_program_is_killed(self):
        if cluster_machines.namespace_words() is None:
            self.skipTest("this user may not make network namespaces")
        process = self.start("wait", False)
        directory = process.stdout.readline().strip()
        process.kill()
        process.communicate()
        end = time.monotonic() + LONGEST_S
        while sleepers(directory) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(sleepers(directory), [])


if __name__ == "__main__":
    unittest.main()
