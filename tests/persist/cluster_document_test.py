"""The commands of docs/cluster.md, run as they stand: in a network and a mount namespace of their own, where db1 to db6
are addresses of the loopback device. Two PostgreSQL servers, a primary and a standby, stand for the three of a group
under Patroni, since what Patroni and etcd are told is the rig's (cluster_storm.py)."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import programs
import system_packages

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = os.path.join(programs.ROOT, "docs", "cluster.md")
INSIDE = "TENURE_DOCUMENT_DIRECTORY"
PATIENCE = 120.0


def blocks():
    """The blocks of code, each without its fences."""
    with open(DOCUMENT, encoding="utf-8") as file:
        return re.findall(r"^```text\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)


def block(text):
    """The one that has this text."""
    found = [each for each in blocks() if text in each]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} blocks of docs/cluster.md have '{text}'")
    return found[0]


def commands(text):
    """Of a block: one each, also those of several lines."""
    whole, here = [], None
    for line in text.splitlines():
        continued = whole and (here or whole[-1].endswith("\\"))
        whole[len(whole) - 1 if continued else len(whole):] = [(whole[-1] + "\n" if continued else "") + line]
        end = re.search(r"<<(\w+)", line)
        here = end.group(1) if end else None if line == here else here
    return whole


class Inside:
    """What runs in the namespaces, by the administrator."""

    def __init__(self, directory):
        self.directory = directory
        self.programs = system_packages.postgresql_programs()
        self.servers, self.nodes = [], []
        self.environment = dict(os.environ, PATH=os.path.dirname(programs.TENURE) + ":" + self.programs + ":" +
                                os.environ["PATH"], PGPASSWORD="secret", PGSSLROOTCERT=directory + "/ca.crt",
                                TENURE_CLUSTER="")
        self.variables = ""

    def sh(self, command, **more):
        ran = subprocess.run(["bash", "-c", self.variables + command], cwd=self.directory, env=self.environment,
                             text=True, capture_output=True, timeout=PATIENCE, **more)
        print(f"$ {command}\n{ran.stdout}{ran.stderr}", end="", flush=True)
        if ran.returncode != 0:
            raise SystemExit(f"status {ran.returncode}")
        return ran.stdout

    def follow(self, text, user=None):
        """Runs the commands of a block. One that begins a node goes on running. `user`: PostgreSQL's commands are run
        by its user."""
        for command in commands(text):
            if re.match(r"[A-Z0-9]+=", command):
                self.variables += command + "\n"
            elif command.startswith("tenure node --"):
                self.start_node(command)
            elif user and not command.startswith("tenure"):
                self.as_postgres(command)
            else:
                self.sh(command)

    def start_node(self, command):
        print("$ " + command, flush=True)
        node = subprocess.Popen(["bash", "-c", self.variables + "exec " + command], cwd=self.directory,
                                env=self.environment, stdout=subprocess.PIPE, text=True)
        self.nodes.append(node)
        line = node.stdout.readline()
        if not line.startswith("serving at "):
            raise SystemExit(f"the node said {line!r}")

    # ---- PostgreSQL, as Patroni would run it

    def start_pair(self, primary, standby, archive="", certificate="node"):
        settings = ("ssl = on\nssl_cert_file = '{0}/server.crt'\nssl_key_file = '{0}/server.key'\n"
                    "shared_buffers = 16MB\n"
                    "unix_socket_directories = '{0}'\nlisten_addresses = '{1}'\nfsync = off\nhot_standby = on\n{2}")
        access = "local all all trust\nhostssl all all 127.0.0.0/8 scram-sha-256\n" \
                 "hostssl replication all 127.0.0.0/8 scram-sha-256\n"
        for host in (primary, standby):
            place = os.path.join(self.directory, host)
            os.makedirs(place)
            for end in ("crt", "key"):
                shutil.copy(os.path.join(self.directory, f"{certificate}.{end}"), os.path.join(place, "server." + end))
            os.chmod(os.path.join(place, "server.key"), 0o600)
            self.sh(f"chown -R postgres {place}")
            if host == primary:
                self.as_postgres(f"echo secret > {place}/password && initdb -D {place}/data -U postgres "
                                 f"-A scram-sha-256 --pwfile={place}/password --no-sync --locale=C -E UTF8 "
                                 "--no-instructions")
                with open(os.path.join(place, "data", "pg_hba.conf"), "w", encoding="utf-8") as file:
                    file.write(access)
            else:
                self.as_postgres(f"pg_basebackup -d 'host={primary} user=postgres sslmode=verify-full' -D {place}/data "
                                 "-R -X stream -c fast")
            with open(os.path.join(place, "data", "postgresql.conf"), "w", encoding="utf-8") as file:
                file.write(settings.format(place, host, archive))
            self.as_postgres(f"pg_ctl -D {place}/data -w -s -l {place}/log start")
            self.servers.append(f"{place}/data")
        self.sh(f"psql -X -q -h {self.directory}/{primary} -U postgres "
                "-c \"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'\" -c 'SELECT pg_reload_conf()'")

    def as_postgres(self, command):
        return self.sh("setpriv --reuid=postgres --clear-groups env HOME=/nowhere bash -c " + shlex.quote(command))

    def end(self):
        for node in self.nodes:
            node.send_signal(signal.SIGTERM)
            node.wait(PATIENCE)
        for data in self.servers:
            self.as_postgres(f"pg_ctl -D {data} -m immediate -s stop")


def run_inside(directory):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with open(os.path.join(directory, "hosts"), "w", encoding="utf-8") as file:
        file.write("127.0.0.1 localhost\n" + "".join(f"127.0.0.{i} db{i}\n" for i in range(1, 7)))
    subprocess.run(["mount", "--bind", os.path.join(directory, "hosts"), "/etc/hosts"], check=True)
    inside = Inside(directory)
    try:
        day_one(inside)
        bad_day(inside)
        grow(inside)
    finally:
        inside.end()
    print("all commands were run", flush=True)


def day_one(inside):
    # Certificates; the second group's node has the first one's common name.
    inside.follow(block("/CN=tenure-ca"))
    inside.sh("chmod 644 ca.crt")
    # Over a directory that each machine has.
    inside.sh("mount -t tmpfs none /backup && mkdir /backup/wal && "
              "chown -R postgres /backup")
    archive = block("archive_mode: on")
    inside.start_pair("db1", "db2", re.sub(r"^(\w+): (.*)$", r"\1 = \2", archive, flags=re.MULTILINE))
    inside.follow(block("CREATE ROLE tenure"))
    day = block("tenure node grant orders bob reader")
    inside.follow(day)
    stat = inside.sh('tenure node stat --group "$GROUP"')
    assert "1 nodes, 1 stores" in stat and "alice: owner" in stat and "bob: reader" in stat, stat
    # The other machines' nodes.
    inside.start_node(next(c for c in commands(day) if c.startswith("tenure node --")).replace("db1:7300", "db2:7300"))
    program = block("$ cat orders/CLUSTER")
    files, words = program.split("$ ./program orders")[0], "./program orders"
    os.makedirs(os.path.join(inside.directory, "orders"))
    with open(os.path.join(inside.directory, "orders", "CLUSTER"), "w", encoding="utf-8") as file:
        file.write(files.replace("$ cat orders/CLUSTER\n", "").replace("= ca.crt", "= ../ca.crt").replace(
            "= alice.", "= ../alice."))
    assert inside.sh(words + " 7") == "was 0 now 7\n"
    # By a URI, and settings that a variable names.
    inside.sh("sed '/^servers\\|^store/d; s#= ../#= #' orders/CLUSTER > settings")
    assert inside.sh("TENURE_CLUSTER=settings ./program tenure://db1,db2/orders 8") == "was 7 now 8\n"


def bad_day(inside):
    # Each night; then a change that is regretted.
    inside.follow(block("pg_basebackup -d"))
    inside.sh("chown -R postgres /backup")
    time.sleep(1.5)
    moment = inside.sh("date -u '+%F %T.%N+00'").strip()
    time.sleep(1.5)
    assert inside.sh("./program orders 666") == "was 8 now 666\n"
    inside.sh(f"psql -X -q -h {inside.directory}/db1 -U postgres -c 'SELECT pg_switch_wal()'")
    time.sleep(2)
    restore = re.sub(r"2\d{3}-\d\d-\d\d 14:00:00\+00", moment, block("recovery.signal"))
    inside.follow(restore, user="postgres")
    inside.servers.append("/backup/restored")
    os.makedirs(os.path.join(inside.directory, "yesterday"))
    with open(os.path.join(inside.directory, "orders", "CLUSTER"), encoding="utf-8") as file:
        text = re.sub(r"servers = .*", "servers = db1:7400", file.read())
    with open(os.path.join(inside.directory, "yesterday", "CLUSTER"), "w", encoding="utf-8") as file:
        file.write(text)
    inside.sh("mkdir orders-yesterday && "
              "sed 's/store = orders/store = orders-yesterday/' orders/CLUSTER > orders-yesterday/CLUSTER")
    inside.follow(block("tenure db export --all yesterday"))
    assert inside.sh("./program orders-yesterday 9") == "was 8 now 9\n"
    # A copy in a directory.
    inside.follow(block("tenure db import --all local-copy"))
    assert inside.sh("./program local-copy 5") == "was 666 now 5\n"


def grow(inside):
    inside.follow(block("DNS:db4"))
    inside.start_pair("db4", "db5", certificate="node2")
    inside.follow(block("CREATE ROLE tenure").replace("-h db1", "-h db4"))
    inside.follow(block("GROUP2="))
    os.makedirs(os.path.join(inside.directory, "parts"))
    inside.sh("sed 's/store = orders/store = parts/; s/servers = .*/servers = db4:7300/' "
              "orders/CLUSTER > parts/CLUSTER")
    assert inside.sh("./program parts 3") == "was 0 now 3\n"


PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Transaction;
<*FATAL ANY*>
TYPE Number = REF RECORD value := 0 END;
VAR
  db := Open(Params.Get(1));
  t := NEW(Transaction.T);
  number: Number;

""" + programs.OPEN_OR_CREATE + r"""
BEGIN
  t.begin();
  number := db.getRoot();
  IF number = NIL THEN number := NEW(Number);  db.setRoot(number) END;
  IO.Put("was " & Fmt.Int(number.value));
  number.value := Scan.Int(Params.Get(2));
  IO.Put(" now " & Fmt.Int(number.value) & "\n");
  t.commit();
END Main.
"""


@unittest.skipUnless(os.geteuid() == 0, "only the administrator may make the namespaces")
class ClusterDocumentTest(unittest.TestCase):
    def test_each_command_can_be_run(self):
        directory = tempfile.mkdtemp(prefix="tenure-document-")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        os.chmod(directory, 0o755)
        programs.build_program(directory, PROGRAM)
        if not os.path.exists("/backup"):
            os.makedirs("/backup")
            self.addCleanup(os.rmdir, "/backup")
        ran = subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc",
                              sys.executable, os.path.abspath(__file__)], env=dict(os.environ, **{INSIDE: directory}),
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        self.assertEqual((ran.returncode, ran.stdout.splitlines()[-1]), (0, "all commands were run"), ran.stdout)


if __name__ == "__main__":
    if INSIDE in os.environ:
        run_inside(os.environ[INSIDE])
    else:
        unittest.main()
