"""A client of a served store that knows the protocol, and stores references, headers and lengths that contradict
the types of objects: the server refuses these, and honest programs find all that they had."""

import os
import random
import shutil
import struct
import subprocess
import unittest

import programs
import wire
from store_fuzz import PROGRAM

ATTACKS = 120


class Layout:
    """What a type's description says of its objects."""

    def __init__(self, text):
        self.name, self.payload, self.open, self.slots, self.elements = "", None, None, [], []
        for line in text.splitlines():
            key, _, rest = line.partition(" ")
            if key == "name":
                self.name = rest
            elif key == "payload":
                self.payload = int(rest)
            elif key == "open":
                self.open = tuple(map(int, rest.split()))
            elif key in ("slots", "element-slots"):
                offset, count, stride, kind = map(int, rest.split())
                if kind == 0:
                    (self.slots if key == "slots" else self.elements).extend(
                        offset + i * stride for i in range(count))

    def head(self):
        return self.payload + (8 * self.open[0] if self.open else 0)

    def bytes_at(self, page, at):
        """Of the object whose header is there."""
        size = self.head()
        if self.open:
            count = 1
            for i in range(self.open[0]):
                count *= struct.unpack_from("<Q", page, at + 8 + self.payload + 8 * i)[0]
            size += count * self.open[1]
        return 8 + max(8, (size + 7) // 8 * 8)


class Page:
    def __init__(self, number, version, run, contents, types):
        self.number, self.version, self.run, self.contents = number, version, run, contents
        # (place of the header, type, length); places of references, and of headers and lengths of arrays
        self.objects, self.references, self.heads = [], [], []
        at = 0
        while at < wire.PAGE and run[0] == 0:
            header, = struct.unpack_from("<Q", contents, at)
            if header & 0xFFFFFFFF == 2:
                at += header >> 32
                continue
            layout = types[header >> 4]
            size = layout.bytes_at(contents, at)
            self.objects.append((at, header >> 4, size))
            self.heads += range(at, at + 8 + layout.head(), 8) if layout.open else [at]
            if layout.name.startswith("Text"):
                at += size  # whose references say how texts are joined
                continue
            self.references += [at + 8 + slot for slot in layout.slots]
            if layout.open and layout.elements:
                first = at + 8 + layout.head()
                self.references += [place + slot for place in range(first, at + size, layout.open[1])
                                    for slot in layout.elements if place + slot + 8 <= at + size]
            at += size


class HostileTypesTest(programs.ProgramTestCase):
    text = PROGRAM

    def setUp(self):
        self.store = os.path.join(self.directory, self.id().split(".")[-1])
        subprocess.run([self.program, self.store, "make"], check=True, timeout=120)
        self.before = self.reads()
        self.server = subprocess.Popen([programs.TENURE, "db", "serve", self.store], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.assertIn("serving", self.server.stdout.readline())

    def tearDown(self):
        shutil.rmtree(self.store, ignore_errors=True)

    def reads(self):
        ran = subprocess.run([self.program, self.store, "read"], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return ran.stdout

    def expect_sound(self):
        verified = subprocess.run([programs.TENURE, "db", "verify", self.store], capture_output=True, text=True,
                                  timeout=120, check=False)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.reads()

    def pages(self, client, database, last):
        types = {index: Layout(text) for index, text in client.types().items() if not text.startswith("procedure ")}
        found = [client.read(database, number) for number in range(1, last + 1)]
        return types, [Page(number, *page, types) for number, page in enumerate(found, 1) if page]

    def test_one_word_in_any_place(self):
        """Each attack changes a few words of a page; those that are taken leave all whole."""
        seed = int.from_bytes(os.urandom(4), "little")
        rng = random.Random(seed)
        refused, why = 0, set()
        with self.subTest(seed=seed):
            client = wire.Client(self.store)
            database, last, _ = client.open("main")
            types, pages = self.pages(client, database, last)
            small = [page for page in pages if page.objects]
            objects = [(page.number * wire.PAGE + at + 8, index) for page in small for at, index, _ in page.objects]
            for attack in range(ATTACKS):
                page = rng.choice(small)
                changed = bytearray(page.contents)
                kind = rng.randrange(6)
                if kind < 3 and page.references:  # a reference to any object
                    struct.pack_into("<Q", changed, rng.choice(page.references), rng.choice(objects)[0])
                elif kind == 3:  # another type
                    at, index, _ = rng.choice(page.objects)
                    struct.pack_into("<Q", changed, at, rng.choice([other for other in types if other != index]) << 4)
                elif kind == 4:  # a free place
                    at, _, size = rng.choice(page.objects)
                    changed[at:at + size] = struct.pack("<II", 2, size) + bytes(size - 8)
                else:  # anything
                    at = rng.choice(page.heads + page.references + [wire.PAGE - 8])
                    struct.pack_into("<Q", changed, at, rng.choice([rng.getrandbits(64), rng.randrange(1 << 16), 1, 9,
                                                                    rng.choice(objects)[0] + 8]))
                first = next((i for i in range(0, wire.PAGE, 8) if changed[i:i + 8] != page.contents[i:i + 8]), None)
                if first is None:
                    continue
                end = next(i for i in range(wire.PAGE, 0, -8) if changed[i - 8:i] != page.contents[i - 8:i])
                regions = [(first, bytes(changed[first:end]))] if rng.random() < 0.5 else []
                try:
                    client.commit(database, [(page.number, page.version, page.run, changed, regions)])
                except wire.Refused as answer:
                    refused += 1
                    why.add(str(answer).partition(":")[2].split(" that leads")[0][:24])
                else:
                    # What a field has is the client's. The next attack begins with the page as it was.
                    version, _, now = client.read(database, page.number)
                    self.assertEqual(now, changed)
                    if rng.random() < 0.1:
                        client.close()
                        self.expect_sound()
                        client = wire.Client(self.store)
                        client.open("main")
                    client.commit(database, [(page.number, version, page.run, page.contents, [])])
                    page.version, _, _ = client.read(database, page.number)
            client.close()
            self.assertGreater(refused, ATTACKS // 4)
            self.assertGreater(len(why), 3, why)
            self.expect_sound()
            self.assertEqual(self.reads(), self.before)

    def test_a_reference_to_an_object_of_another_type(self):
        client = wire.Client(self.store)
        database, last, _ = client.open("main")
        types, pages = self.pages(client, database, last)
        texts = [page.number * wire.PAGE + at + 8 for page in pages for at, index, _ in page.objects
                 if types[index].name.startswith("Text")]
        root = next(page for page in pages if any(types[index].name == "Main.Tree" for _, index, _ in page.objects))
        tree = next(at for at, index, _ in root.objects if types[index].name == "Main.Tree")
        slot = tree + 8 + types[[index for at, index, _ in root.objects if at == tree][0]].slots[0]
        changed = bytearray(root.contents)
        struct.pack_into("<Q", changed, slot, texts[0])
        for regions in ([], [(slot, bytes(changed[slot:slot + 8]))]):
            with self.assertRaisesRegex(wire.Refused, "a reference to a .* that leads to .*, an object of type Text"):
                client.commit(database, [(root.number, root.version, root.run, changed, regions)])
        # The session goes on, and so does the server.
        client.commit(database, [(root.number, root.version, root.run, root.contents, [])])
        client.close()
        self.expect_sound()
        self.assertEqual(self.reads(), self.before)


if __name__ == "__main__":
    unittest.main()
