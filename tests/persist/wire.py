"""The protocol of the page server (docs/page_server.md), spoken by tests that are no honest program."""

import os
import socket
import struct
import sys

import programs

sys.path.insert(0, os.path.join(programs.ROOT, "tests", "fuzz"))
from store_fuzz import crc32c  # noqa: E402

MAGIC, VERSION, PAGE = 0x544E5053, 9, 8192
HELLO, OPEN, ROOT, READ, WANT_WRITE, ALLOCATE, COMMIT, TYPES, ADD_TYPE, UUID, IMPORTS, EXPORTS = \
    1, 2, 7, 9, 11, 12, 14, 16, 17, 18, 19, 20
CALLBACK, PONG = 101, 102


class Refused(Exception):
    """The server's answer is a failure."""


class Answer:
    def __init__(self, body):
        self.body, self.at = body, 0

    def get(self, form):
        value, = struct.unpack_from("<" + form, self.body, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def take(self, count):
        self.at += count
        return self.body[self.at - count:self.at]

    def text(self):
        return self.take(self.get("I"))


def page_checksum(page, run, contents):
    body = struct.pack("<Q3I", page, *run)
    for begin in range(0, PAGE, PAGE // 4):
        body += struct.pack("<I", crc32c(contents[begin:begin + PAGE // 4]))
    return crc32c(body + bytes(4))


class Client:
    """One connection, which sends one request after the other and answers no question."""

    def __init__(self, store):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(os.path.join(store, "SOCKET"))
        self.number = 0
        self.ask(HELLO, struct.pack("<I", VERSION) + bytes(16))

    def close(self):
        self.socket.close()

    def receive(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise ConnectionError("the server has closed the connection")
            data += more
        return data

    def ask(self, kind, body=b""):
        self.number += 1
        self.socket.sendall(struct.pack("<IIIHHQ", MAGIC, len(body), crc32c(body), kind, 0, self.number) + body)
        while True:
            _, length, _, kind, _, number = struct.unpack("<IIIHHQ", self.receive(24))
            answer = Answer(self.receive(length))
            if number == self.number and kind == 100:
                break
        code = answer.get("B")
        answer.get("q")
        text = answer.text().decode()
        if code != 0:
            raise Refused(text)
        return answer

    def open(self, name):
        answer = self.ask(OPEN, struct.pack("<I", len(name)) + name.encode() + bytes([0]) + bytes(16 + 16 + 8))
        return answer.get("I"), answer.get("Q"), answer.take(16)  # number, last page, uuid

    def types(self):
        answer, found = self.ask(TYPES), {}
        for _ in range(answer.get("I")):
            index = answer.get("I")
            found[index] = answer.text().decode()
        return found

    def read(self, database, page):
        """Version, run and contents; nothing if there is no such page."""
        answer = self.ask(READ, struct.pack("<IQBIQ", database, 1, 0, 1, page))
        answer.get("Q")
        code = answer.get("B")
        answer.get("q")
        answer.text()
        if code != 0:
            return None
        version, _ = answer.get("Q"), answer.get("I")
        run = tuple(answer.get("I") for _ in range(3))
        return version, run, bytearray(answer.take(PAGE))

    def commit(self, database, writes, root=None):
        """`writes`: (page, expected version, run, contents, regions), the regions as (offset, bytes). Raises
        Refused."""
        pages = [page for page, *_ in writes] + ([0] if root is not None else [])
        if pages:
            self.ask(WANT_WRITE, struct.pack("<IQBI", database, 1, 0, len(pages)) + struct.pack(f"<{len(pages)}Q", *pages))
        body = os.urandom(16) + struct.pack("<QI", 0, 1)
        body += struct.pack("<IBQI", database, root is not None, root or 0, len(writes))
        for page, version, run, contents, regions in writes:
            body += struct.pack("<QQI3IB", page, version, page_checksum(page, run, contents), *run, 0)
            body += b"\0" if regions else b"\1" + bytes(contents)
            body += struct.pack("<I", len(regions))
            for offset, data in regions:
                body += struct.pack("<II", offset, len(data)) + data
        body += struct.pack("<QIQI", 0, 0, 0, 0) + struct.pack("<I", 0)
        return self.ask(COMMIT, body)
