"""A root directory of its own with a release of Debian, made by debootstrap; needs the rights of the administrator.

`check package` installs Tenure in one, `check systems` builds and tests it in one for each release, and a container
image is made from one.
"""

import os
import shutil
import subprocess
from typing import Dict, List, Optional, Sequence

# What a login of the administrator has; nothing of the environment of this machine but what is asked for.
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
               "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}

SCRIPTS = "/usr/share/debootstrap/scripts"

# /proc, /sys and /dev in namespaces of its own, so that they and all processes go away with the command.
_ENTER = """
mount -t proc proc "$0/proc" &&
mount --rbind /sys "$0/sys" && mount --make-rslave "$0/sys" &&
mount --rbind /dev "$0/dev" && mount --make-rslave "$0/dev" &&
exec chroot "$0" "$@"
"""


def why_not() -> Optional[str]:
    """Why no root can be made here; None if it can."""
    if os.geteuid() != 0:
        return "only the administrator can make a root"
    missing = [name for name in ("debootstrap", "unshare", "chroot") if not shutil.which(name)]
    return f"there is no {', '.join(missing)}" if missing else None


def mirrors() -> List[str]:
    """The sites of Debian's releases that this machine's package manager uses; the first is the best for debootstrap."""
    said = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)\t$(ORIGIN)\t$(LABEL)"], text=True,
                          stdout=subprocess.PIPE, check=False).stdout
    rows = [line.split("\t") for line in said.splitlines()]
    return list(dict.fromkeys(site for site, origin, label in rows if (origin, label) == ("Debian", "Debian")))


def mirror_and_script(release: str) -> List[str]:
    """What debootstrap is told behind the root's place. One that is older than the release has no script for it; that of
    the newest release does."""
    mirror = mirrors()[:1]
    if not mirror or os.path.exists(os.path.join(SCRIPTS, release)):
        return mirror
    return [*mirror, os.path.join(SCRIPTS, "sid")]


class Root:
    def __init__(self, place: str):
        self.place = os.path.abspath(place)

    def path(self, name: str) -> str:
        return os.path.join(self.place, name.lstrip("/"))

    def make(self, release: str, include: Sequence[str] = ()) -> None:
        """Raises subprocess.CalledProcessError, whose output says what went wrong. A root that is there is taken as it
        is."""
        if os.path.exists(self.path("etc/debian_version")):
            return
        os.makedirs(os.path.dirname(self.place), exist_ok=True)
        half = self.place + ".half"
        shutil.rmtree(half, ignore_errors=True)
        options = ["--include=" + ",".join(include)] if include else []
        subprocess.run(["debootstrap", "--variant=minbase", *options, release, half, *mirror_and_script(release)],
                       check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        os.rename(half, self.place)

    def use_network(self) -> None:
        """Names of hosts, and the proxies of this machine's package manager, hold there, too."""
        for name in ("etc/resolv.conf", "etc/hosts"):
            if os.path.exists("/" + name):
                shutil.copy("/" + name, self.path(name))
        said = subprocess.run(["apt-config", "dump"], text=True, stdout=subprocess.PIPE, check=False).stdout
        proxies = [line for line in said.splitlines() if line.startswith("Acquire::") and "proxy" in line.lower()]
        with open(self.path("etc/apt/apt.conf.d/90machine"), "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in proxies))

    def run(self, *command: str, check: bool = True, environment: Optional[Dict[str, str]] = None,
            output: Optional[str] = None) -> subprocess.CompletedProcess:
        """`output`: a file for what is printed; otherwise it is in `stdout` of the answer. AssertionError if the
        command fails and `check`."""
        file = open(output, "a", encoding="utf-8") if output else None
        try:
            ran = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER, self.place,
                                  *command], text=True, errors="replace", stdin=subprocess.DEVNULL,
                                 stdout=file or subprocess.PIPE, stderr=subprocess.STDOUT,
                                 env={**ENVIRONMENT, **(environment or {})}, check=False)
        finally:
            if file:
                file.close()
        if check and ran.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: status {ran.returncode}\n{ran.stdout or output}")
        return ran
