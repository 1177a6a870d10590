"""Makes a container image of a Debian package, without a container engine: an archive in the layout of the OCI, which
`podman load`, `docker load` and `skopeo copy oci-archive:` read.

The image's one layer is a small Debian, made by debootstrap, with the package and what it depends on, and Git. The same
packages of the system make the same bytes. Needs the rights of the administrator.
"""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import tarfile
import time
from typing import Dict, List, Tuple

from debian_root import Root

CONFIG_TYPE, LAYER_TYPE, MANIFEST_TYPE = (f"application/vnd.oci.image.{kind}" for kind in (
    "config.v1+json", "layer.v1.tar+gzip", "manifest.v1+json"))
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# What an installation leaves behind that is of no use in an image, or differs each time.
_LEFT_OUT = ("var/cache", "var/lib/apt/lists", "var/log", "tmp", "run", "dev", "proc", "sys", "etc/apt/apt.conf.d/90machine",
             "etc/hosts", "etc/resolv.conf", "etc/machine-id", "etc/hostname", "var/lib/dbus/machine-id")
# Of these the folder itself stays, with nothing in it.
_EMPTY_FOLDERS = ("var/cache", "var/lib/apt/lists", "var/log", "tmp", "run", "dev", "proc", "sys")


def install_package(root: Root, package: str) -> None:
    """The package from this machine, what it depends on from the mirror, and a user who is not the administrator."""
    root.use_network()
    shutil.copyfile(package, root.path("tmp/tenure.deb"))
    root.run("apt-get", "update", "-q")
    root.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "/tmp/tenure.deb", "git", "ca-certificates")
    root.run("useradd", "--create-home", "--uid", "1000", "user")
    os.remove(root.path("tmp/tenure.deb"))
    os.makedirs(root.path("work"), exist_ok=True)
    os.chown(root.path("work"), 1000, 1000)


def date_passwords(place: str, when: int) -> None:
    """The day on which a password was changed last is that of the image, not of the machine that made it."""
    for name in ("etc/shadow", "etc/shadow-"):
        path = os.path.join(place, name)
        if os.path.exists(path):
            with open(path, "r+", encoding="utf-8") as file:
                text = re.sub(r"^([^:]*:[^:]*):\d+:", rf"\g<1>:{when // 86400}:", file.read(), flags=re.MULTILINE)
                file.seek(0)
                file.truncate()
                file.write(text)


def write_layer(place: str, when: int, output) -> None:
    """The files below `place` as a tar: names in order, no time later than `when`."""
    def dated(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.mtime = min(int(entry.mtime), when)
        entry.uname = entry.gname = ""  # numbers alone count in a container
        return entry

    with tarfile.open(fileobj=output, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for folder, folders, names in os.walk(place):
            inside = os.path.relpath(folder, place)
            folders.sort()
            for name in sorted([*folders, *names]):
                path = os.path.normpath(os.path.join(inside, name))
                if path in _LEFT_OUT and path not in _EMPTY_FOLDERS:
                    continue
                tar.add(os.path.join(folder, name), path, recursive=False, filter=dated)
            folders[:] = [name for name in folders if os.path.normpath(os.path.join(inside, name)) not in _LEFT_OUT]


class Archive:
    """An image in the OCI's layout: `blobs`, by their sums."""

    def __init__(self) -> None:
        self.files: Dict[str, bytes] = {}

    def blob(self, content: bytes, kind: str) -> Dict:
        name = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{name}"] = content
        return {"mediaType": kind, "digest": f"sha256:{name}", "size": len(content)}

    def json_blob(self, value: Dict, kind: str) -> Dict:
        return self.blob(json.dumps(value, sort_keys=True).encode(), kind)

    def write(self, path: str, when: int) -> None:
        with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
            for name in sorted(self.files):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime, entry.mode = len(self.files[name]), when, 0o644
                tar.addfile(entry, io.BytesIO(self.files[name]))


def pack(place: str, path: str, version: str, commit: str, when: int) -> None:
    """Writes the archive of the image whose files lie below `place`."""
    date_passwords(place, when)
    layer = io.BytesIO()
    write_layer(place, when, layer)
    unpacked = layer.getvalue()
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))
    archive = Archive()
    layers: List[Dict] = [archive.blob(gzip.compress(unpacked, 9, mtime=0), LAYER_TYPE)]
    labels = {"org.opencontainers.image.title": "Tenure", "org.opencontainers.image.version": version,
              "org.opencontainers.image.revision": commit, "org.opencontainers.image.licenses": "BSD-2-Clause"}
    config = archive.json_blob({
        "architecture": "amd64", "os": "linux", "created": created,
        "config": {"User": "user", "WorkingDir": "/work", "Entrypoint": ["tenure"], "Cmd": ["--help"], "Labels": labels,
                   "Env": [f"PATH={PATH}", "LC_ALL=C.UTF-8"]},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(unpacked).hexdigest()]},
        "history": [{"created": created, "created_by": "build.py release --image"}]}, CONFIG_TYPE)
    manifest = archive.json_blob({"schemaVersion": 2, "mediaType": MANIFEST_TYPE, "config": config, "layers": layers},
                                 MANIFEST_TYPE)
    manifest["annotations"] = {"org.opencontainers.image.ref.name": f"tenure:{version}"}
    archive.files["index.json"] = json.dumps({"schemaVersion": 2, "manifests": [manifest]}, sort_keys=True).encode()
    archive.files["oci-layout"] = b'{"imageLayoutVersion": "1.0.0"}'
    archive.write(path, when)


def make_image(package: str, release: str, path: str, facts: Tuple[str, str], when: int, folder: str) -> None:
    """`facts`: version and commit. The root is made in `folder`."""
    root = Root(os.path.join(folder, "image-root"))
    root.make(release)
    install_package(root, package)
    pack(root.place, path, *facts, when)
