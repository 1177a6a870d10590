import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
import unittest

import container_image


class ImageTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def root(self, name, when, names):
        for file in names:
            path = self.path(f"{name}/{file}")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as content:
                content.write(file)
            os.utime(path, (when, when))
        os.symlink("tenure", self.path(f"{name}/usr/bin/link"))
        for folder, folders, files in os.walk(self.path(name)):
            for each in folders + files:
                os.utime(os.path.join(folder, each), (when, when), follow_symlinks=False)
        return self.path(name)

    FILES = ["usr/bin/tenure", "etc/hosts", "etc/machine-id", "var/log/apt/history.log", "var/cache/ldconfig/aux-cache",
             "var/lib/dpkg/status", "proc/1/stat", "tmp/left"]

    def pack(self, name, when, files):
        made = self.path(name + ".tar")
        container_image.pack(self.root(name, when, files), made, "0.2.0", "0123456789ab", 1000)
        return made

    def test_the_same_files_make_the_same_bytes(self):
        packed = []
        for name, when, files in (("one", 2000, self.FILES), ("two", 3000, list(reversed(self.FILES)))):
            with open(self.pack(name, when, files), "rb") as file:
                packed.append(file.read())
        self.assertEqual(hashlib.sha256(packed[0]).hexdigest(), hashlib.sha256(packed[1]).hexdigest())

    def test_the_day_on_which_it_is_made_is_not_seen(self):
        for day in (20000, 20001):
            place = self.root(str(day), 500, ["etc/shadow", "usr/bin/tenure"])
            with open(os.path.join(place, "etc/shadow"), "w", encoding="utf-8") as file:
                file.write(f"root:*:{day}:0:99999:7:::\nuser:!::0:99999:7:::\n")
            container_image.date_passwords(place, 3 * 86400 + 5)
            with open(os.path.join(place, "etc/shadow"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "root:*:3:0:99999:7:::\nuser:!::0:99999:7:::\n")

    def test_the_archive_is_one_that_engines_read(self):
        with tarfile.open(self.pack("one", 500, self.FILES)) as archive:
            content = {entry.name: archive.extractfile(entry).read() for entry in archive}
        self.assertEqual(json.loads(content["oci-layout"]), {"imageLayoutVersion": "1.0.0"})

        def blob(reference):
            found = content["blobs/" + reference["digest"].replace(":", "/")]
            self.assertEqual(len(found), reference["size"])
            self.assertEqual("sha256:" + hashlib.sha256(found).hexdigest(), reference["digest"])
            return found

        (listed,) = json.loads(content["index.json"])["manifests"]
        self.assertEqual(listed["annotations"]["org.opencontainers.image.ref.name"], "tenure:0.2.0")
        manifest = json.loads(blob(listed))
        config = json.loads(blob(manifest["config"]))
        self.assertEqual(config["config"]["Entrypoint"], ["tenure"])
        self.assertEqual(config["config"]["User"], "user")
        (layer,) = [blob(each) for each in manifest["layers"]]
        unpacked = container_image.gzip.decompress(layer)
        self.assertEqual(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(unpacked).hexdigest()])
        with tarfile.open(fileobj=io.BytesIO(unpacked)) as files:
            entries = {entry.name: entry for entry in files}
        # What differs each time, and what belongs to the kernel, is left out; the folders stay.
        self.assertEqual(sorted(name for name, entry in entries.items() if not entry.isdir()),
                         ["usr/bin/link", "usr/bin/tenure", "var/lib/dpkg/status"])
        for name in ("proc", "tmp", "var/log", "var/cache"):
            self.assertTrue(entries[name].isdir(), name)
        self.assertEqual(entries["usr/bin/tenure"].mtime, 500)


if __name__ == "__main__":
    unittest.main()
