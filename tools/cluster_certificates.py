"""Certificates for programs and nodes of a cluster that lives for a day."""

import os
import subprocess
from typing import Dict, Optional, Sequence

_CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


class Certificates:
    """A CA in a directory, and what it signs."""

    def __init__(self, directory: str, name: str = "ca"):
        self.directory = directory
        self.ca = self._file(name + ".crt")
        self._key = self._file(name + ".key")
        self._run("req", "-x509", *_CURVE, "-days", "2", "-subj", f"/CN={name}", "-keyout", self._key,
                  "-out", self.ca)

    def _file(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def _run(self, *words: str) -> None:
        subprocess.run(["openssl", *words], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, cwd=self.directory)

    def issue(self, name: str, expired: bool = False, subject: Optional[str] = None,
              addresses: Sequence[str] = ("127.0.0.1",), begins: str = "20200101000000Z") -> Dict[str, str]:
        """Files ca, certificate and key for the subject, who may be at the addresses."""
        key, request, made = (self._file(name + end) for end in (".key", ".csr", ".crt"))
        self._run("req", "-new", *_CURVE, "-subj", f"/CN={name}" if subject is None else subject,
                  "-keyout", key, "-out", request)
        with open(self._file("ca.cnf"), "w", encoding="utf-8") as file:
            file.write("[ca]\ndefault_ca = d\n[d]\ndatabase = index.txt\nserial = serial\nnew_certs_dir = .\n"
                       "default_md = sha256\npolicy = p\nx509_extensions = e\nunique_subject = no\n"
                       "[p]\ncommonName = optional\n[e]\nbasicConstraints = CA:FALSE\n"
                       f"subjectAltName = DNS:localhost,{','.join('IP:' + address for address in addresses)}\n")
        open(self._file("index.txt"), "w", encoding="utf-8").close()
        dates = ["-startdate", begins, "-enddate", "20200102000000Z" if expired else "20491231000000Z"]
        self._run("ca", "-batch", "-notext", "-rand_serial", "-config", "ca.cnf", "-cert", self.ca, "-keyfile",
                  self._key, "-in", request, "-out", made, *dates)
        return {"ca": self.ca, "certificate": made, "key": key}
