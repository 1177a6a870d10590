"""Texts, Hex, Base64 and Url against Python's own operations, on random values."""

import base64
import binascii
import re
import urllib.parse

import witness
from witness import Witness

COUNT = 200_000 if witness.LONG else 4_000


class TextsTest(Witness):
    def text(self, most: int = 12, letters: bytes = b"ab,; \n\r\tA") -> bytes:
        return bytes(self.random.choice(letters) for _ in range(self.random.randrange(most)))

    def test_split(self):
        questions, expected = [], []
        for _ in range(COUNT):
            t, separator, most = self.text(20), self.text(3) or b",", self.random.randrange(1, 6)
            questions.append(("texts.split", t, separator, most))
            expected.append(t.split(separator, most - 1))
        self.compare(questions, expected)

    def test_words_lines_and_trims(self):
        for operation, of in (("texts.words", lambda t: t.split()),
                              ("texts.lines", lines_of),
                              ("texts.trims", lambda t: [t.strip(), t.lstrip(), t.rstrip(), t.lower(), t.upper()])):
            texts = [self.text(20) for _ in range(COUNT)]
            self.compare([(operation, t) for t in texts], [of(t) for t in texts])

    def test_find(self):
        questions, expected = [], []
        for _ in range(COUNT):
            t, part = self.text(16, b"ab"), self.text(4, b"ab")
            questions.append(("texts.find", t, part))
            expected.append([b"%d" % t.find(part), b"%d" % t.rfind(part), b"%d" % (part in t),
                             b"%d" % t.startswith(part), b"%d" % t.endswith(part), t.removeprefix(part),
                             t.removesuffix(part), t.partition(part)[0] if part else b"",
                             t.partition(part)[2] if part else t])
        self.compare(questions, expected)

    def test_replace_and_pad(self):
        questions, expected = [], []
        for _ in range(COUNT):
            t, old, new, most = self.text(16, b"ab"), self.text(3, b"ab") or b"a", self.text(4), self.random.randrange(4)
            questions.append(("texts.replace", t, old, new, most))
            expected.append([t.replace(old, new, most), t.replace(old, new), b"%d" % t.count(old)])
            questions.append(("texts.pad", t, most * 5))
            room = max(0, most * 5 - len(t))
            expected.append([t.rjust(most * 5, b"."), t.ljust(most * 5, b"."),
                             b"." * (room // 2) + t + b"." * (room - room // 2), t * (most * 5)])
        self.compare(questions, expected)


def lines_of(t: bytes) -> list:
    """The lines, where only a newline ends one; a carriage return in front of it is part of the end."""
    pieces = t.split(b"\n")
    last = pieces.pop()
    return [piece[:-1] if piece.endswith(b"\r") else piece for piece in pieces] + ([last] if last else [])


class CodingsTest(Witness):
    def data(self, most: int = 40) -> bytes:
        return self.random.randbytes(self.random.randrange(most))

    def mutated(self, t: bytes, letters: bytes) -> bytes:
        """With up to two characters replaced, removed or put in."""
        for _ in range(self.random.randrange(3)):
            at = self.random.randrange(len(t) + 1)
            t = t[:at] + bytes(self.random.sample(letters, self.random.randrange(2))) + t[at + self.random.randrange(2):]
        return t

    def test_hexadecimal_digits(self):
        texts = [self.mutated(self.data().hex().encode(), b"0fFg \xff") for _ in range(COUNT)]
        self.compare([("codings.hex", t) for t in texts],
                     [[bytes.fromhex(t.decode())] if re.fullmatch(rb"([0-9a-fA-F]{2})*", t) else ValueError
                      for t in texts])

    def test_encode_base64(self):
        questions, expected = [], []
        for _ in range(COUNT):
            data, url, padded, line = self.data(), self.random.randrange(2), self.random.randrange(2), \
                self.random.choice([0, 0, 1, 5, 76])
            coded = base64.urlsafe_b64encode(data) if url else base64.b64encode(data)
            coded = coded if padded else coded.rstrip(b"=")
            questions.append(("codings.encode64", data, url, padded, line))
            expected.append([b"\n".join(coded[i:i + line] for i in range(0, len(coded), line)) if line else coded])
        self.compare(questions, expected)

    def test_decode_base64(self):
        questions, expected = [], []
        for _ in range(COUNT):
            url, padded = self.random.randrange(2), self.random.randrange(2)
            t = self.mutated(base64.b64encode(self.data(), b"-_" if url else b"+/"), b"AQgw=+/-_\n\xff")
            t = t if padded else t.rstrip(b"=")
            questions.append(("codings.decode64", t, url, padded))
            expected.append(decoded_base64(t, url, padded))
        self.compare(questions, expected)

    def test_percent_coding(self):
        texts = [self.data() for _ in range(COUNT)]
        self.compare([("codings.quote", t) for t in texts], [[urllib.parse.quote(t, safe="").encode()] for t in texts])
        texts = [self.mutated(urllib.parse.quote(self.data()).encode(), b"%0fg+") for _ in range(COUNT)]
        self.compare([("codings.unquote", t) for t in texts],
                     [[urllib.parse.unquote_to_bytes(t), urllib.parse.unquote_to_bytes(t.replace(b"+", b" "))]
                      if well_coded(t) else ValueError for t in texts])

    def test_query_strings(self):
        texts = [self.mutated(urllib.parse.urlencode([(self.data(5), self.data(5)) for _ in range(3)]).encode(),
                              b"%&=+a") for _ in range(COUNT)]
        expected = []
        for t in texts:
            pairs = urllib.parse.parse_qsl(t.decode("latin-1"), keep_blank_values=True, encoding="latin-1")
            expected.append([part.encode("latin-1") for pair in pairs for part in pair]
                            + [urllib.parse.urlencode(pairs, encoding="latin-1").encode()]
                            if well_coded(t) else ValueError)
        self.compare([("codings.query", t) for t in texts], expected)

    def url(self) -> str:
        def some(*parts: str) -> str:
            return self.random.choice(parts)
        return (some("", "", "http:", "ftp:", "a+b:") + some("", "//h", "//u@h.org:80", "//[::1]:8", "//", "//u:p@h:")
                + some("", "/", "/a", "/a/b/", "/a/../b", "/./x/..", "/%20") + some("", "?", "?q=1", "?a?b/")
                + some("", "#", "#f", "#/?"))

    def test_parts_of_urls(self):
        texts = [self.mutated(self.url().encode(), b"/?#:@[]%2 \xc3") for _ in range(COUNT)]
        for t, answer in zip(texts, self.ask([("codings.url", t) for t in texts])):
            if isinstance(answer, witness.Failed):
                self.assertFalse(is_url(t), f"seed {self.seed}: {t} {answer}")
                continue
            self.assertTrue(is_url(t), f"seed {self.seed}: {t}")
            scheme, user, host, port, path, query, fragment, again = answer
            # The expression of RFC 3986, appendix B.
            parts = re.fullmatch(rb"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", t)
            authority = None if host is None else (b"" if user is None else user + b"@") + host + (
                b"" if port is None else b":" + port)
            self.assertEqual((scheme, authority, path, query, fragment), parts.groups(), t)
            self.assertEqual(again, t)

    def test_references_as_the_rfc_has_them(self):
        self.compare([("codings.resolve", b"http://a/b/c/d;p?q", reference) for reference, _ in REFERENCES],
                     [[meaning] for _, meaning in REFERENCES])

    def test_references(self):
        questions = [("codings.resolve", b"http://h/x/y?z", self.url().encode()) for _ in range(COUNT)]
        expected = []
        for _, base, reference in questions:
            scheme, _, path, *_ = urllib.parse.urlsplit(reference.decode())
            if scheme not in ("", "http", "ftp") or reference.startswith(b"http:") or b"//" in reference:
                expected.append(None)  # here Python keeps to older rules, or drops empty parts
            else:
                expected.append(urllib.parse.urljoin(base, reference))
        pairs = [(question, value) for question, value in zip(questions, expected)
                 if value and not re.search(rb"[?#]($|#)", question[2]) and b".." not in question[2]]
        self.assertGreater(len(pairs), 50)
        self.compare([question for question, _ in pairs], [[value] for _, value in pairs])


def decoded_base64(t: bytes, url: int, padded: int):
    whole = t if padded or b"=" in t else t + b"=" * (-len(t) % 4)
    if not re.fullmatch(rb"[A-Za-z0-9_=-]*" if url else rb"[A-Za-z0-9+/=]*", t) or len(t.rstrip(b"=")) % 4 == 1:
        return ValueError
    try:
        data = base64.b64decode(whole, b"-_" if url else b"+/", validate=True)
    except binascii.Error:
        return ValueError
    # Neither bits behind the last byte nor = that Encode does not write.
    return [data] if base64.b64encode(data, b"-_" if url else b"+/") == whole else ValueError


def well_coded(t: bytes) -> bool:
    return not re.search(rb"%(?![0-9a-fA-F]{2})", t)


def is_url(t: bytes) -> bool:
    """The grammar of RFC 3986 as an expression, with any characters of hosts between brackets."""
    code = rb"%[0-9a-fA-F]{2}"
    name = rb"(?:[A-Za-z0-9._~!$&'()*+,;=-]|" + code + rb")"
    path = rb"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|" + code + rb")"
    authority = rb"//(?:(?:" + name + rb"|:)*@)?(?:\[(?:" + name + rb"|:)*\]|" + name + rb"*)(?::[0-9]*)?(?=[/?#]|$)"
    query = rb"(?:" + path + rb"|\?)*"
    # A path without a host does not begin with two slashes, and without a scheme has no colon in its first part.
    return bool(re.fullmatch(rb"(?:[A-Za-z][A-Za-z0-9+.-]*:|(?![^/?#]*:))(?:" + authority + rb"|(?!//))" + path
                             + rb"*(?:\?" + query + rb")?(?:#" + query + rb")?", t))


# RFC 3986, 5.4.1 and 5.4.2.
REFERENCES = [
    (b"g:h", b"g:h"), (b"g", b"http://a/b/c/g"), (b"./g", b"http://a/b/c/g"), (b"g/", b"http://a/b/c/g/"),
    (b"/g", b"http://a/g"), (b"//g", b"http://g"), (b"?y", b"http://a/b/c/d;p?y"), (b"g?y", b"http://a/b/c/g?y"),
    (b"#s", b"http://a/b/c/d;p?q#s"), (b"g#s", b"http://a/b/c/g#s"), (b"g?y#s", b"http://a/b/c/g?y#s"),
    (b";x", b"http://a/b/c/;x"), (b"g;x", b"http://a/b/c/g;x"), (b"g;x?y#s", b"http://a/b/c/g;x?y#s"),
    (b"", b"http://a/b/c/d;p?q"), (b".", b"http://a/b/c/"), (b"./", b"http://a/b/c/"), (b"..", b"http://a/b/"),
    (b"../", b"http://a/b/"), (b"../g", b"http://a/b/g"), (b"../..", b"http://a/"), (b"../../", b"http://a/"),
    (b"../../g", b"http://a/g"), (b"../../../g", b"http://a/g"), (b"../../../../g", b"http://a/g"),
    (b"/./g", b"http://a/g"), (b"/../g", b"http://a/g"), (b"g.", b"http://a/b/c/g."), (b".g", b"http://a/b/c/.g"),
    (b"g..", b"http://a/b/c/g.."), (b"..g", b"http://a/b/c/..g"), (b"./../g", b"http://a/b/g"),
    (b"./g/.", b"http://a/b/c/g/"), (b"g/./h", b"http://a/b/c/g/h"), (b"g/../h", b"http://a/b/c/h"),
    (b"g;x=1/./y", b"http://a/b/c/g;x=1/y"), (b"g;x=1/../y", b"http://a/b/c/y"),
    (b"g?y/./x", b"http://a/b/c/g?y/./x"), (b"g?y/../x", b"http://a/b/c/g?y/../x"),
    (b"g#s/./x", b"http://a/b/c/g#s/./x"), (b"g#s/../x", b"http://a/b/c/g#s/../x"), (b"http:g", b"http:g"),
]
