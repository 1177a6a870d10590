"""The library's interfaces over libraries of C, compared with Python's own implementations: programs of the folder
c_libraries answer lines of questions. And what these interfaces do many times must not make a process grow."""

import contextlib
import datetime
import functools
import gzip
import hashlib
import hmac
import http.server
import io
import math
import os
import random
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unicodedata
import unittest
import zlib
import zoneinfo
from typing import List

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")
PROGRAMS = os.path.join(ROOT, "tests", "stdlib", "c_libraries")
SEED = 20261130
MOST_GROWTH_KB = 64 * 1024  # what is left to clean-ups may wait for them, but a leak would be more

DIRECTORY = tempfile.mkdtemp(prefix="tenure-witness-")
unittest.addModuleCleanup(shutil.rmtree, DIRECTORY)


@functools.lru_cache(maxsize=None)
def program(name: str) -> str:
    package = os.path.join(DIRECTORY, name)
    os.mkdir(package)
    for source in (name + ".m3", "Witness.i3", "Witness.m3"):
        shutil.copy(os.path.join(PROGRAMS, source), package)
    made = os.path.join(package, "program")
    ran = subprocess.run([TENURE, "build", package, "-o", made], text=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
    if ran.returncode != 0 or ran.stdout:
        raise AssertionError(ran.stdout)
    return made


def answers(name: str, questions: List[str]) -> List[str]:
    ran = subprocess.run([program(name)], input="".join(question + "\n" for question in questions), text=True,
                         stdout=subprocess.PIPE, timeout=300, check=True)
    return ran.stdout.splitlines()


def hexed(data: bytes) -> str:
    return data.hex() or "-"


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class WitnessTest(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)

    def compare(self, name: str, expected: List[tuple]) -> None:
        """`expected`: questions with their answers."""
        found = answers(name, [question for question, _ in expected])
        self.assertEqual(len(found), len(expected))
        for (question, answer), got in zip(expected, found):
            self.assertEqual(got, answer, f"{question[:300]} (seed {SEED})")

    def number(self, most_bits: int = 600) -> int:
        bits = self.random.choice((0, 1, 8, 63, 64, 65, 128, most_bits))
        value = self.random.getrandbits(bits) if self.random.random() < 0.8 else (1 << bits) - self.random.randrange(2)
        return value if self.random.random() < 0.6 else -value

    def sometimes_long(self, most: int) -> bytes:
        return self.random.randbytes(self.random.choice((0, 1, 55, 56, 63, 64, 65, 111, 127, 128, 129, 200, most)))


class HashTest(WitnessTest):
    KINDS = ("sha1", "sha224", "sha256", "sha384", "sha512", "sha512_256", "sha3_224", "sha3_256", "sha3_384",
             "sha3_512", "blake2b", "blake2s")

    def test_digests(self):
        expected = []
        for kind, name in enumerate(self.KINDS):
            for _ in range(30):
                data = self.sometimes_long(200000)
                expected.append((f"hash {kind} {hexed(data)}", hashlib.new(name, data).hexdigest()))
        self.compare("HashWitness", expected)

    def test_message_authentication_codes(self):
        expected = []
        for kind, name in enumerate(self.KINDS):
            for _ in range(30):
                key, data = self.sometimes_long(300), self.sometimes_long(3000)
                expected.append((f"hmac {kind} {hexed(key)} {hexed(data)}", hmac.new(key, data, name).hexdigest()))
        self.compare("HashWitness", expected)

    def test_keys_of_passwords(self):
        expected = []
        for _ in range(10):
            password, salt = self.sometimes_long(300), self.sometimes_long(300)
            kind, size, count = self.random.randrange(12), self.random.randrange(1, 100), self.random.randrange(1, 50)
            key = hashlib.pbkdf2_hmac(self.KINDS[kind], password, salt, count, size)
            expected.append((f"pbkdf2 {kind} {hexed(password)} {hexed(salt)} {size} {count}", key.hex()))
            n, r, p = 1 << self.random.randrange(1, 8), self.random.randrange(1, 5), self.random.randrange(1, 4)
            key = hashlib.scrypt(password, salt=salt, n=n, r=r, p=p, dklen=size)
            expected.append((f"scrypt {hexed(password)} {hexed(salt)} {size} {n} {r} {p}", key.hex()))
        expected += [("scrypt 61 62 32 3 1 1", "error"), ("pbkdf2 1 61 62 32 0", "error")]
        self.compare("HashWitness", expected)


class UnicodeTest(WitnessTest):
    """Compares only code points that Python's version of Unicode assigns: what holds of these does not change, but for
    a few categories and widths."""
    FORMS = ("NFC", "NFD", "NFKC", "NFKD")
    CATEGORIES = ("Cn Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs "
                  "Co").split()

    @staticmethod
    def assigned() -> List[str]:
        return [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]

    def texts(self) -> List[str]:
        """Each code point that is changed by a form or by folding, and random texts, many of them with marks."""
        assigned = self.assigned()
        changed = [c for c in assigned if unicodedata.normalize("NFKD", c) != c or c.casefold() != c]
        marks = [c for c in assigned if unicodedata.combining(c)]
        random_texts = ["".join(self.random.choice(self.random.choice((assigned, changed, marks)))
                                for _ in range(self.random.randrange(20))) for _ in range(5000)]
        return changed + random_texts

    def test_normal_forms(self):
        self.compare("UnicodeWitness", [(f"{number} {hexed(text.encode())}",
                                         hexed(unicodedata.normalize(form, text).encode()))
                                        for text in self.texts() for number, form in enumerate(self.FORMS)])

    def test_folding(self):
        self.compare("UnicodeWitness", [(f"fold {hexed(text.encode())}", hexed(text.casefold().encode()))
                                        for text in self.texts()])

    def test_code_points(self):
        assigned = self.assigned()
        found = answers("UnicodeWitness", [f"code {ord(c)}" for c in assigned])
        others = {"category": 0, "upper": 0, "lower": 0, "title": 0, "width": 0}
        for c, answer in zip(assigned, found):
            category, upper, lower, title, width = map(int, answer.split())
            others["category"] += self.CATEGORIES[category] != unicodedata.category(c)
            for name, got, expected in (("upper", upper, c.upper()), ("lower", lower, c.lower()),
                                        ("title", title, c.title())):
                # A mapping to several code points is none that a code point has.
                others[name] += len(expected) == 1 and chr(got) != expected
            if unicodedata.category(c) not in ("Mn", "Me", "Cf", "Cc", "Zl", "Zp"):
                others["width"] += (width == 2) != (unicodedata.east_asian_width(c) in "WF")
        self.assertGreater(len(assigned), 100000)
        for name, count in others.items():
            self.assertLess(count, 100, f"{name}: {others}")

    def test_what_is_valid(self):
        expected = []
        for _ in range(5000):
            text = bytearray("".join(self.random.choice("a\xe9\u20ac\U0001d11e") for _ in range(5)).encode())
            for _ in range(self.random.randrange(3)):
                text[self.random.randrange(len(text))] = self.random.choice((0x80, 0xBF, 0xC0, 0xED, 0xF4, 0xF5, 0x41))
            try:
                text.decode()
                first = -1
            except UnicodeDecodeError as error:
                first = error.start
            expected.append((f"valid {hexed(text)}", str(first)))
        self.compare("UnicodeWitness", expected)


class BigIntTest(WitnessTest):
    def test_arithmetic(self):
        expected = []
        for _ in range(400):
            a, b = self.number(), self.number()
            expected += [(f"add {a} {b}", a + b), (f"sub {a} {b}", a - b), (f"mul {a} {b}", a * b),
                         (f"div {a} {b}", a // b if b else "error"), (f"mod {a} {b}", a % b if b else "error"),
                         (f"gcd {a} {b}", math.gcd(a, b)), (f"and {a} {b}", a & b), (f"or {a} {b}", a | b),
                         (f"xor {a} {b}", a ^ b), (f"compare {a} {b}", (a > b) - (a < b)), (f"compare {a} {a}", 0),
                         (f"not {a}", ~a), (f"neg {a}", -a), (f"abs {a}", f"{abs(a)} {(a > 0) - (a < 0)}"),
                         (f"bits {a}", a.bit_length()), (f"sqrt {a}", math.isqrt(a) if a >= 0 else "error"),
                         (f"int {a}", a if -2**63 <= a < 2**63 else "error")]
            shift, exponent = self.random.randrange(-700, 700), self.random.randrange(20)
            expected += [(f"shift {a} {shift}", a << shift if shift >= 0 else a >> -shift),
                         (f"bit {a} {abs(shift)}", a >> abs(shift) & 1), (f"power {a} {exponent}", a ** exponent),
                         (f"real {a}", self.toward_zero(a))]
        self.compare("BigIntWitness", [(question, str(answer)) for question, answer in expected])

    @staticmethod
    def toward_zero(a: int) -> int:
        extra = max(0, a.bit_length() - 53)
        return (abs(a) >> extra << extra) * (1 if a >= 0 else -1)

    def test_numbers_modulo(self):
        expected = []
        for _ in range(200):
            a, exponent, modulus = self.number(), self.number(80), abs(self.number()) or 7
            try:
                inverse = pow(a, -1, modulus)
            except ValueError:
                inverse = "error"
            if modulus == 1:
                continue
            expected.append((f"inverse {a} {modulus}", str(inverse)))
            power = "error" if exponent < 0 and inverse == "error" else pow(a, exponent, modulus)
            expected.append((f"powmod {a} {exponent} {modulus}", str(power)))
        expected += [("powmod 2 3 0", "error"), ("inverse 2 0", "error")]
        self.compare("BigIntWitness", expected)

    def test_texts(self):
        digits, expected = "0123456789abcdefghijklmnopqrstuvwxyz", []
        for _ in range(300):
            base = self.random.randrange(2, 37)
            text = "".join(self.random.choice(digits[:base]) for _ in range(self.random.randrange(1, 200)))
            sign = self.random.choice(("", "-", "+"))
            value = int(sign + text, base)
            kept = ("-" if value < 0 else "") + (text.lstrip("0") or "0")
            expected.append((f"text {sign}{text if base % 2 else text.upper()} {base}", f"{value} {kept}"))
        expected += [(f"text {wrong} 10", "error") for wrong in ("-", "+", "1a", "1.5", "--1", "1-", "0x1", "1_0")]
        self.compare("BigIntWitness", expected)

    def test_primes(self):
        small = [n for n in range(2, 2000) if all(n % d for d in range(2, math.isqrt(n) + 1))]
        expected = [(f"prime {n}", str(int(n in small))) for n in range(-3, 1000)]
        expected += [(f"nextprime {n}", str(min(p for p in small if p > n))) for n in range(-2, 1900, 13)]
        expected += [(f"prime {2**127 - 1}", "1"), (f"prime {2**128 + 1}", "0")]
        self.compare("BigIntWitness", expected)

    def test_results_that_are_too_large_are_errors(self):
        self.compare("BigIntWitness", [(question, "error") for question in (
            f"power 3 {2**62}", f"power 2 {2**40}", f"shift 1 {2**62}", f"shift -1 {2**33}")])
        self.compare("BigIntWitness", [(f"power 1 {2**62}", "1"), (f"power -1 {2**62 + 1}", "-1"),
                                       (f"power 0 {2**62}", "0"), (f"shift 0 {2**62}", "0"), (f"shift -5 -{2**62}", "-1")])


@unittest.skipUnless(os.path.isdir("/usr/share/zoneinfo"), "needs tzdata")
class TimeZoneTest(WitnessTest):
    UTC = datetime.timezone.utc
    RULES = ("EST5EDT,M3.2.0,M11.1.0", "AAA-1:30BBB,J60/2,J300/-3", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
             "IST-1GMT0,M10.5.0,M3.5.0/1")

    def seconds(self, zone: zoneinfo.ZoneInfo) -> List[int]:
        """Random ones, and those around changes of the offset."""
        found = [self.random.randrange(-5 * 10**9, 8 * 10**9) for _ in range(5)]
        for year in self.random.sample(range(1850, 2200), 12):
            for half in (1, 7):
                low = int(datetime.datetime(year, half, 1, tzinfo=self.UTC).timestamp())
                high = low + 200 * 86400
                if self.offset(low, zone) == self.offset(high, zone):
                    continue
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (middle, high) if self.offset(middle, zone) == self.offset(low, zone) else (low, middle)
                found += [low, high]
        return found

    def date(self, second: int, zone) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(second, zone)

    def offset(self, second: int, zone) -> datetime.timedelta:
        return self.date(second, zone).utcoffset()

    def zones(self):
        names = sorted(name for name in zoneinfo.available_timezones() if name not in ("localtime", "Factory"))
        self.assertGreater(len(names), 300)
        rules = [(rule, self.of_rule(rule)) for rule in self.RULES]
        return [(name, zoneinfo.ZoneInfo(name)) for name in names] + rules

    @staticmethod
    def of_rule(rule: str):
        """Python reads rules only at the end of a file."""
        header = b"TZif2" + bytes(15) + b"".join(n.to_bytes(4, "big") for n in (0, 0, 0, 0, 1, 4))
        part = header + bytes(6) + b"UTC\0"
        return zoneinfo.ZoneInfo.from_file(io.BytesIO(part + part + b"\n" + rule.encode() + b"\n"))

    def test_dates(self):
        expected = []
        for name, zone in self.zones():
            for second in self.seconds(zone):
                date = self.date(second, zone)
                expected.append((f"date {name} {second}",
                                 f"{date:%Y-%m-%d %H:%M:%S} {round(date.utcoffset().total_seconds())} {int(bool(date.dst()))} "
                                 f"{date.tzname()}"))
        self.compare("TimeZoneWitness", expected)

    def test_times(self):
        expected = []
        for name, zone in self.zones():
            for second in self.seconds(zone):
                date = self.date(second, zone).replace(tzinfo=None)
                date += datetime.timedelta(seconds=self.random.choice((0, -1800, 1800)))
                for fold in (0, 1):
                    time = date.replace(tzinfo=zone, fold=fold).timestamp()
                    expected.append((f"time {name} {fold} {date:%Y %m %d %H %M %S}", str(round(time))))
        self.compare("TimeZoneWitness", expected)

    def test_errors(self):
        self.compare("TimeZoneWitness", [(f"date {zone} 0", "error") for zone in (
            "Nowhere", "../zoneinfo/UTC", "/etc/localtime", ".", "Europe", "zone.tab", "X,Y", "EST5EDT,M3.2",
            "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0,")])


class StreamsTest(WitnessTest):
    def run_program(self, name: str, mode: str, data: bytes, piece: int = 1000, status: int = 0):
        ran = subprocess.run([program("StreamsWitness"), name, mode, str(piece)], input=data, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=120, check=False)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return ran.stderr.decode().strip() if status else ran.stdout

    @staticmethod
    def zstd(*options: str, data: bytes) -> bytes:
        return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE, timeout=60,
                              check=True).stdout

    def texts(self) -> List[bytes]:
        words = [self.random.randbytes(self.random.randrange(1, 9)) for _ in range(100)]
        return [b"", b"x", self.random.randbytes(100000), b"\0" * 1000000,
                b"".join(self.random.choice(words) for _ in range(100000))]

    FORMATS = {"zlib": (zlib.compress, zlib.decompress), "gzip": (gzip.compress, gzip.decompress),
               "raw": (lambda data: zlib.compress(data)[2:-4], lambda data: zlib.decompress(data, -15))}

    def formats(self):
        if shutil.which("zstd"):
            self.FORMATS["zstd"] = (lambda data: self.zstd(data=data), lambda data: self.zstd("-d", data=data))
        return self.FORMATS.items()

    def test_what_python_and_zstd_write_is_read_and_the_other_way_round(self):
        for name, (compress, expand) in self.formats():
            for text in self.texts():
                piece = self.random.choice((1, 7, 1000, 50000)) if len(text) < 200000 else 50001
                with self.subTest(format=name, length=len(text), piece=piece):
                    self.assertEqual(self.run_program(name, "expand", compress(text), piece), text)
                    self.assertEqual(expand(self.run_program(name, "compress", text, piece)), text)

    def test_members_and_frames_that_follow_each_other(self):
        for name, (compress, _) in self.formats():
            if name in ("gzip", "zstd"):
                data = compress(b"one ") + compress(b"") + compress(b"two")
                self.assertEqual(self.run_program(name, "expand", data), b"one two")
        self.assertEqual(self.run_program("zlib", "expand", zlib.compress(b"one") + b"rest"), b"one")

    def test_damage_is_a_failure(self):
        text = self.random.randbytes(50000)
        for name, (compress, _) in self.formats():
            data = compress(text)
            for length in (0, 1, 5, len(data) // 2, len(data) - 1):
                with self.subTest(format=name, length=length):
                    self.assertEqual(self.run_program(name, "expand", data[:length], status=2),
                                     "the compressed data are not complete")
        for name, place, said in (("zlib", 0, "incorrect header check"), ("zlib", -1, "incorrect data check"),
                                  ("gzip", 0, "incorrect header check"), ("gzip", -1, "incorrect length check"),
                                  ("gzip", -5, "incorrect data check"), ("zstd", 0, "Unknown frame descriptor"),
                                  ("zstd", -1, "Restored data doesn't match checksum")):
            if name in dict(self.formats()):
                data = bytearray(dict(self.formats())[name][0](text))
                data[place] ^= 0xFF
                self.assertEqual(self.run_program(name, "expand", bytes(data), status=2), said)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers by what was asked."""

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        said = f"{self.command} {self.path} {self.headers.get('X-Mine', '')} {self.headers.get('Content-Type', '')} "
        text = said.encode() + body
        if self.path == "/slow":
            time.sleep(2)
        if self.path == "/large":
            text = bytes(1000000)
        if self.path == "/gzip":
            text = gzip.compress(text)
        self.send_response({"/away": 302, "/forever": 302, "/missing": 404}.get(self.path, 200))
        if self.path == "/gzip":
            self.send_header("Content-Encoding", "gzip")
        if self.path in ("/away", "/forever", "/file"):
            self.send_header("Location", {"/away": "/there", "/file": "file:///etc/passwd"}.get(self.path, self.path))
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(text) + (10 if self.path == "/short" else 0)))
        self.end_headers()
        if self.command != "HEAD":
            with contextlib.suppress(ConnectionError):  # the client has read enough
                self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = answer

    def log_message(self, *arguments) -> None:
        pass


class HttpTest(WitnessTest):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def question(self, method: str, path: str, body: bytes = b"", options: str = "") -> str:
        return f"{method} {self.base}{path} {hexed(body)} {hexed(options.encode())}"

    def right(self, status: int, text: bytes, path: str) -> str:
        return f"{status} {hexed(text)} {self.base}{path} text/plain"

    def test_requests(self):
        form = "application/x-www-form-urlencoded"
        body = self.random.randbytes(100000)
        self.compare("HttpWitness", [
            (self.question("GET", "/a?b=c"), self.right(200, b"GET /a?b=c   ", "/a?b=c")),
            (self.question("GET", "/", options="X-Mine: 7"), self.right(200, b"GET / 7  ", "/")),
            (self.question("GET", "/missing"), self.right(404, b"GET /missing   ", "/missing")),
            (self.question("GET", "/away"), self.right(200, b"GET /there   ", "/there")),
            (self.question("GET", "/away", options="redirections=0"), self.right(302, b"GET /away   ", "/away")),
            (self.question("GET", "/gzip"), self.right(200, b"GET /gzip   ", "/gzip")),
            (self.question("HEAD", "/"), self.right(200, b"", "/")),
            (self.question("DELETE", "/x"), self.right(200, b"DELETE /x   ", "/x")),
            (self.question("POST", "/p", body), self.right(200, f"POST /p  {form} ".encode() + body, "/p")),
            (self.question("PUT", "/p", body, "Content-Type: x/y"), self.right(200, b"PUT /p  x/y " + body, "/p"))])

    def test_errors(self):
        questions = {self.question("GET", "/slow", options="seconds=0.2"): "timed out",
                     self.question("GET", "/large", options="most=1000"): "more than 1000 characters",
                     self.question("GET", "/short"): "remaining", self.question("GET", "/forever"): "redirects",
                     self.question("GET", "/", options="A: b\nC: d"): "more than one line",
                     "GET file:///etc/passwd - -": "not supported", "GET http://127.0.0.1:1/ - -": "connect"}
        for (question, words), answer in zip(questions.items(), answers("HttpWitness", list(questions))):
            self.assertTrue(answer.startswith("error "), f"{question}: {answer}")
            self.assertIn(words, bytes.fromhex(answer.split()[1]).decode(), question)


@unittest.skipUnless(shutil.which("openssl"), "needs the command openssl, which makes certificates")
class TlsTest(WitnessTest):
    """Clients and servers of Python's ssl, with a certificate of their own."""

    def setUp(self):
        super().setUp()
        self.make_certificate("DNS:localhost,IP:127.0.0.1")

    def make_certificate(self, names: str) -> None:
        folder = tempfile.mkdtemp(dir=DIRECTORY)
        self.certificate, self.key = os.path.join(folder, "c.pem"), os.path.join(folder, "k.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=nobody",
                        "-addext", "subjectAltName=" + names, "-keyout", self.key, "-out", self.certificate],
                       check=True, capture_output=True, timeout=60)

    def run_client(self, host: str, length: int, authorities: str = "", cut: bool = False) -> str:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        listener = socket.create_server(("127.0.0.1", 0))

        def serve() -> None:
            with contextlib.suppress(OSError), listener, context.wrap_socket(listener.accept()[0], server_side=True) as one:
                data = b""
                while len(data) < length:
                    data += one.recv(100000)
                one.sendall(data)
                if not cut:
                    one.unwrap()

        thread = threading.Thread(target=serve)
        thread.start()
        ran = subprocess.run([program("TlsWitness"), "client", f"{host}:{listener.getsockname()[1]}",
                              authorities or self.certificate, str(length)], text=True, stdout=subprocess.PIPE, timeout=60,
                             check=True)
        thread.join(60)
        return ran.stdout.strip()

    def test_a_client(self):
        for host in ("localhost", "127.0.0.1"):
            for length in (1, 1 << 20):
                self.assertEqual(self.run_client(host, length), f"{length} TRUE")

    def test_a_certificate_that_is_not_trusted_or_not_the_hosts(self):
        trusted = self.certificate
        self.make_certificate("DNS:localhost")
        self.assertEqual(self.run_client("localhost", 1, authorities=trusted),
                         "error the handshake of TLS failed: self-signed certificate")
        self.assertEqual(self.run_client("127.0.0.1", 1), "error the handshake of TLS failed: IP address mismatch")
        self.make_certificate("DNS:example.org")
        self.assertEqual(self.run_client("localhost", 1), "error the handshake of TLS failed: hostname mismatch")

    def test_a_connection_that_is_cut(self):
        self.assertIn("failure ", self.run_client("localhost", 10, cut=True))

    def test_a_server(self):
        line = self.random.randbytes(200000).replace(b"\n", b"").replace(b"\r", b"") + b"\n"
        with subprocess.Popen([program("TlsWitness"), "server", self.certificate, self.key], text=True,
                              stdout=subprocess.PIPE) as server:
            port = int(server.stdout.readline().rsplit(":", 1)[1])
            context = ssl.create_default_context(cafile=self.certificate)
            with context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=30),
                                     server_hostname="localhost") as client:
                for _ in range(3):
                    client.sendall(line)
                    got = b""
                    while len(got) < len(line):
                        got += client.recv(100000)
                    self.assertEqual(got, line)
                client.unwrap()
            self.assertEqual(server.stdout.readline(), "done\n")


class MemoryTest(WitnessTest):
    def test_no_process_grows(self):
        ran = subprocess.run([program("Memory")], text=True, stdout=subprocess.PIPE, timeout=600, check=True)
        grown = dict(line.rsplit(": ", 1) for line in ran.stdout.splitlines())
        self.assertGreater(len(grown), 10)
        for name, kilobytes in grown.items():
            self.assertLess(int(kilobytes), MOST_GROWTH_KB, f"{name}\n{ran.stdout}")


if __name__ == "__main__":
    unittest.main()
