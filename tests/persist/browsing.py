"""What the tests of `tenure db browse` share: a running browse, and a client that asks as the page does."""

import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.parse

from programs import TENURE, ProgramTestCase


class Browse:
    """`tenure db browse` of a store, ended by end()."""

    def __init__(self, store, *flags, environment=None):
        self.process = subprocess.Popen([TENURE, "db", "browse", store, *flags], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment)
        self.said = ""
        self.address = None
        for line in self.process.stdout:
            self.said += line
            if line.startswith("http://"):
                self.address = line.strip()
                break
        if self.address is None:
            raise AssertionError(self.said + self.process.communicate()[1])
        self.errors = []
        self.reader = threading.Thread(target=lambda: self.errors.extend(self.process.stderr))
        self.reader.start()
        parts = urllib.parse.urlsplit(self.address)
        self.port = parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]
        self.cookie = f"tenure-{self.port}={self.token}"

    def request(self, path, method="GET", body=None, headers=None, cookie=True):
        """The status, the headers and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Cookie": self.cookie} if cookie else {}
        sent.update(headers or {})
        connection.request(method, path, body=body, headers=sent)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def ask(self, name, status=200, **parameters):
        got, _, content = self.request(f"/api/{name}?{urllib.parse.urlencode(parameters)}")
        assert got == status, (name, parameters, got, content[:2000])
        return json.loads(content)

    def post(self, name, body, status=200, **headers):
        sent = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.port}",
                "X-Tenure-Token": self.ask("state")["write_token"]}
        sent.update({key.replace("_", "-"): value for key, value in headers.items()})
        sent = {key: value for key, value in sent.items() if value is not None}
        got, _, content = self.request(f"/api/{name}", "POST", json.dumps(body), sent)
        assert got == status, (name, body, got, content[:2000])
        return json.loads(content)

    def scanned(self, since=0, timeout=120):
        """Waits for a scan that ended after the time `since`; its state."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            scan = self.ask("state")["scan"]
            if not scan["running"] and scan.get("done", {"at": 0})["at"] > since:
                return scan["done"]
            time.sleep(0.02)
        raise AssertionError(f"the scan does not end: {scan}")

    def ref(self, path):
        return self.ask("object", path=path)["object"]["ref"]

    def end(self, how=signal.SIGTERM):
        """The exit status, and the text of the standard error."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(60)
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, "".join(self.errors)


def field(answer, name):
    """The cell of a field in an answer about an object."""
    return next(cell for cell in answer["object"]["fields"] if cell["name"] == name)


def page_of(reference):
    return int(re.match(r"\d+", reference)[0])


def store_files(store):
    return sorted(os.listdir(store))


class BrowsedStoreTestCase(ProgramTestCase):
    """The tests of a class browse one store, which the class's program makes."""

    arguments = ()  # of the program, behind the store
    flags = ()      # of browse

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = os.path.join(cls.directory, "store")
        subprocess.run([cls.program, cls.store, *cls.arguments], check=True)
        cls.browse = Browse(cls.store, *cls.flags)

    @classmethod
    def tearDownClass(cls):
        cls.browse.end()
        super().tearDownClass()
