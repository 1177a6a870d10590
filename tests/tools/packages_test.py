"""Packages and their build files, as `tenure` builds them."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")


def prints(text: str, imports: str = "") -> str:
    more = f", {imports}" if imports else ""
    return f"MODULE Main;\nIMPORT IO{more};\nBEGIN\n  {text}\nEND Main.\n"


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class PackagesTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-packages-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def write(self, name: str, text: str) -> None:
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="latin-1") as file:
            file.write(text)

    def tenure(self, *arguments: str, environment=None) -> subprocess.CompletedProcess:
        return subprocess.run([TENURE, *arguments], cwd=self.directory, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=dict(os.environ, **(environment or {})))

    def runs(self, package: str, output: str, *arguments: str, **options) -> None:
        ran = self.tenure("run", package, *arguments, **options)
        self.assertEqual((ran.returncode, ran.stdout), (0, output), ran.stderr)

    def fails(self, package: str, text: str, **options) -> None:
        ran = self.tenure("build", package, **options)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn(text, ran.stderr)

    def files(self):
        return {os.path.relpath(os.path.join(folder, name), self.directory)
                for folder, _, names in os.walk(self.directory) for name in names}

    def make_library(self, where: str = "lib") -> None:
        self.write(f"{where}/src/m3makefile", '''
            import("libm3")
            Module("Greeting")
            interface("Words")
            Generic_module("Box")
            include_dir("deep")
            c_source("twice")
            template("lib")
            Library("lib")
            ''')
        self.write(f"{where}/src/lib.tmpl", '''
            readonly proc _box(name, element, visibility) is
              build_generic_intf(name & "Box", "Box", [element], visibility)
              build_generic_impl(name & "Box", "Box", [element])
            end
            readonly proc Box(name, element) is _box(name, element, VISIBLE) end
            readonly proc box(name, element) is _box(name, element, HIDDEN) end
            ''')
        self.write(f"{where}/src/Greeting.i3", '''INTERFACE Greeting;
            PROCEDURE Say();
            <*EXTERNAL "twice"*> PROCEDURE Twice(n: INTEGER): INTEGER;
            END Greeting.''')
        self.write(f"{where}/src/Greeting.m3", '''MODULE Greeting;
            IMPORT IO, Words;
            PROCEDURE Say() = BEGIN IO.Put(Words.Hello & "\\n") END Say;
            BEGIN END Greeting.''')
        self.write(f"{where}/src/Words.i3", 'INTERFACE Words; CONST Hello = "hello"; END Words.')
        self.write(f"{where}/src/Box.ig", '''GENERIC INTERFACE Box(E);
            TYPE T = REF RECORD value: E.T END;
            PROCEDURE New(value: E.T): T;
            END Box.''')
        self.write(f"{where}/src/Box.mg", '''GENERIC MODULE Box(E);
            PROCEDURE New(value: E.T): T = BEGIN RETURN NEW(T, value := value) END New;
            BEGIN END Box.''')
        self.write(f"{where}/src/twice.c", "long twice(long n) { return 2 * n; }\n")
        self.write(f"{where}/src/deep/m3makefile", 'interface("Deep")\n')
        self.write(f"{where}/src/deep/Deep.i3", "INTERFACE Deep; CONST N = 5; END Deep.")

    def make_program(self, build_file: str = '') -> None:
        self.write("app/src/m3makefile", build_file or '''import("lib") import ("m3core")
            box("Int", "Integer") implementation("Main") program("app")''')
        self.write("app/src/Main.m3", prints(
            'Greeting.Say(); IO.PutInt(IntBox.New(Greeting.Twice(Deep.N)).value); IO.Put("\\n");',
            "Greeting, IntBox, Deep"))

    def test_a_program_with_a_library_beside_it(self):
        self.make_library()
        self.make_program()
        before = self.files()
        self.runs("app", "hello\n10\n")
        self.assertTrue(all(name.startswith("app/.tenure/") for name in self.files() - before))
        self.assertIn("app/.tenure/bin/app", self.files())

    def test_o_writes_the_program_elsewhere(self):
        self.make_library()
        self.make_program()
        before = self.files()
        self.assertEqual(self.tenure("build", "app", "-o", "there").returncode, 0)
        made = self.files() - before
        self.assertIn("there", made)
        self.assertTrue(all(name == "there" or name.startswith("app/.tenure/") for name in made))

    def test_packages_along_the_path(self):
        self.make_library("elsewhere/lib")
        self.make_program()
        self.fails("app", "there is no package 'lib': looked for ")
        self.runs("app", "hello\n10\n",
                  environment={"TENURE_PATH": os.path.join(self.directory, "elsewhere")})

    def test_override_says_where_a_package_is(self):
        self.make_library("elsewhere/lib")
        self.make_program('override("lib", "../../elsewhere") import("lib") box("Int", "Integer") '
                          'implementation("Main") program("app")')
        self.runs("app", "hello\n10\n")

    def test_the_directory_of_the_sources_may_be_given(self):
        self.make_library()
        self.make_program()
        self.runs("app/src", "hello\n10\n")

    def test_a_library_alone(self):
        self.make_library()
        self.assertEqual(self.tenure("build", "lib").returncode, 0)
        ran = self.tenure("run", "lib")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("the package makes no program", ran.stderr)

    def test_an_error_in_the_library_is_reported_once(self):
        self.make_library()
        self.make_program()
        self.write("lib/src/m3makefile", 'import("libm3")\n\nfrobnicate("x")\n')
        ran = self.tenure("build", "app")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("lib/src/m3makefile:3:1: error[M1001]: unknown Quake procedure 'frobnicate'",
                      ran.stderr)
        self.assertEqual(ran.stderr.count("error["), 1, ran.stderr)

    def test_missing_files_and_packages_that_import_each_other(self):
        self.write("app/m3makefile", 'module("Nope")')
        self.fails("app", "there is no file 'app/Nope.i3'")
        self.write("app/m3makefile", 'import("lib")')
        self.write("lib/m3makefile", 'import("app")')
        self.fails("app", "packages import each other: app imports lib")

    def test_a_package_without_build_file_has_the_sources_of_src_as_well(self):
        self.write("app/Main.m3", prints("IO.PutInt(N.Value);", "N"))
        self.write("app/src/N.i3", "INTERFACE N; CONST Value = 7; END N.")
        self.runs("app", "7")

    def test_container_templates_make_instances(self):
        self.write("app/m3makefile", '''generic_module("List") list("Long", "LongInt")
            interface("LongInt") implementation("Main") program("app")''')
        self.write("app/LongInt.i3", "INTERFACE LongInt; TYPE T = LONGINT; END LongInt.")
        self.write("app/List.ig", '''GENERIC INTERFACE List(Elem);
            TYPE T = REF RECORD head: Elem.T; tail: T END; PROCEDURE Cons(h: Elem.T; t: T): T;
            END List.''')
        self.write("app/List.mg", '''GENERIC MODULE List(Elem);
            PROCEDURE Cons(h: Elem.T; t: T): T = BEGIN RETURN NEW(T, head := h, tail := t) END Cons;
            BEGIN END List.''')
        self.write("app/Main.m3", prints(
            "IO.PutInt(VAL(LongList.Cons(3L, NIL).head, INTEGER));", "LongList"))
        self.runs("app", "3")
        self.assertIn("app/.tenure/derived/app/LongList.i3", self.files())

    def test_generated_units(self):
        self.write("app/m3makefile", '''> "Made.i3" in write("INTERFACE Made; CONST N = 4; END Made.") end
            derived_interface("Made", HIDDEN) implementation("Main") program("app")''')
        self.write("app/Main.m3", prints("IO.PutInt(Made.N);", "Made"))
        self.runs("app", "4")

    def test_changed_c_sources_are_compiled_again(self):
        self.make_library()
        self.make_program()
        self.runs("app", "hello\n10\n")
        self.write("lib/src/twice.c", "long twice(long n) { return 3 * n; }\n")
        os.utime(os.path.join(self.directory, "lib/src/twice.c"), (2e9, 2e9))
        self.runs("app", "hello\n15\n")

    def test_tests_of_a_package(self):
        self.make_library()
        self.write("lib/tests/Good.m3", '''MODULE Good EXPORTS Main; IMPORT Greeting, Helper;
            BEGIN <*ASSERT Greeting.Twice(Helper.N) = 6*> END Good.''')
        self.write("lib/tests/Helper.i3", "INTERFACE Helper; CONST N = 3; END Helper.")
        self.write("lib/tests/Bad.m3", '''MODULE Bad EXPORTS Main; IMPORT Greeting;
            BEGIN <*ASSERT Greeting.Twice(1) = 3*> END Bad.''')
        self.write("lib/tests/package/m3makefile",
                   'import("lib") implementation("Main") program("x")')
        self.write("lib/tests/package/Main.m3", prints("Greeting.Say();", "Greeting"))
        ran = self.tenure("test", "lib")
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stdout.splitlines(), [
            "FAILED  lib/tests/Bad.m3: it ended with status 4", "ok      lib/tests/Good.m3", "hello",
            "ok      lib/tests/package", "2 passed, 1 failed"])
        os.remove(os.path.join(self.directory, "lib/tests/Bad.m3"))
        self.assertEqual(self.tenure("test", "lib").returncode, 0)


if __name__ == "__main__":
    unittest.main()
