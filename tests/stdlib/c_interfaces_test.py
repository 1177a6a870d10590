"""The interfaces to C agree with the system's headers: constants, and the places of fields."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")

HEADERS = """arpa/inet.h dirent.h errno.h fcntl.h grp.h limits.h netdb.h netinet/in.h netinet/tcp.h poll.h
    pwd.h signal.h stdio.h sys/file.h sys/ioctl.h sys/ipc.h sys/mman.h sys/msg.h sys/resource.h
    sys/select.h sys/sem.h sys/shm.h sys/socket.h sys/stat.h sys/time.h sys/times.h sys/types.h sys/uio.h
    sys/un.h sys/utsname.h sys/wait.h termios.h time.h ucontext.h unistd.h""".split()

# Records that C fills through functions of ours, and padding that C does not name.
OWN_RECORDS = {("Ustat", "struct_stat"), ("Unix", "struct_flock")}
OWN_FIELDS = {"ss_padding", "ss_align", "tm_gmtoff", "tm_zone", "fpregs_memory", "shadow_stack"}
# Our limits, or a value whose sign C sees differently.
OWN_CONSTANTS = {("Uresource", "RLIM_INFINITY"), ("Uresource", "PRIO_MIN"), ("Uresource", "RLIM_NLIMITS"),
                 ("Utermio", "NCC"), ("Uerror", "Max"), ("Unix", "TIOCSIG")}


def read(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"\(\*.*?\*\)", "", file.read(), flags=re.S)


def interfaces():
    paths = sorted(glob.glob(os.path.join(ROOT, "stdlib", "c", "U*.i3")))
    return {os.path.basename(path)[:-3]: read(path) for path in paths}


def value(text):
    base, _, digits = text.partition("_")
    return int(digits, int(base)) if digits else int(text)


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class CInterfacesTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-c-")
        self.addCleanup(shutil.rmtree, self.directory)

    def output_of_c(self, statements):
        source = os.path.join(self.directory, "ask.c")
        with open(source, "w") as file:
            file.write("#define _GNU_SOURCE\n" + "".join(f"#include <{name}>\n" for name in HEADERS)
                       + "#include <stddef.h>\nint main(void) {\n" + "\n".join(statements)
                       + "\nreturn 0; }\n")
        program = os.path.join(self.directory, "ask")
        subprocess.run(["gcc", "-w", source, "-o", program], check=True)
        return subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout

    def test_constants(self):
        ours = {}
        for interface, text in interfaces().items():
            for name, number in re.findall(r"^  (\w+) = (-?\d\w*);$", text, re.M):
                if (interface, name) not in OWN_CONSTANTS:
                    ours[interface + "." + name] = (name, value(number))
        asked = [f'#ifdef {name}\nprintf("{full} %lld\\n", (long long)({name}));\n#endif'
                 for full, (name, _) in ours.items()]
        theirs = {full: int(number) for full, number in
                  (line.split() for line in self.output_of_c(asked).splitlines())}
        self.assertGreater(len(theirs), 450)
        wrong = [f"{full} = {ours[full][1]}, in C {number}" for full, number in theirs.items()
                 if ours[full][1] != number]
        self.assertEqual(wrong, [])

    def test_places_of_fields(self):
        asked, lines, imports = [], [], []
        for interface, text in interfaces().items():
            imports.append(interface)
            for record, body in re.findall(r"^  (struct_\w+) = RECORD$(.*?)^  END;$", text, re.S | re.M):
                if (interface, record) in OWN_RECORDS:
                    continue
                tag = "struct " + record[len("struct_"):]
                full = f"{interface}.{record}"
                asked.append(f'printf("{full} %zu\\n", sizeof({tag}));')
                lines.append(f'VAR r: {full}; BEGIN Put("{full}", BYTESIZE(r));')
                for field in re.findall(r"^    (\w+):", body, re.M):
                    if field in OWN_FIELDS:
                        continue
                    asked.append(f'printf("{full}.{field} %zu\\n", offsetof({tag}, {field}));')
                    lines.append(f'Put("{full}.{field}", ADR(r.{field}) - ADR(r));')
                lines.append("END;")
        with open(os.path.join(self.directory, "Main.m3"), "w") as file:
            file.write("UNSAFE MODULE Main;\nIMPORT IO;\n" + "".join(f"IMPORT {i};\n" for i in imports) +
                       'PROCEDURE Put(t: TEXT; n: INTEGER) =\n  BEGIN IO.Put(t & " "); IO.PutInt(n); '
                       'IO.Put("\\n") END Put;\nBEGIN\n' + "\n".join(lines) + "\nEND Main.\n")
        ran = subprocess.run([TENURE, "run", "-w", "-O0", self.directory], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertGreater(len(lines), 150)
        self.assertEqual(ran.stdout.splitlines(), self.output_of_c(asked).splitlines())


if __name__ == "__main__":
    unittest.main()
