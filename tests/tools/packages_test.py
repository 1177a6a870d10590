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
        self.write(f"{where}/src/deep/m3makefile", 'Interface("Deep")\n')
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
        self.assertIn("app/.tenure/derived/app/AMD64_LINUX/LongList.i3", self.files())

    def test_templates_of_transient_containers(self):
        self.write("app/m3makefile", '''
            TransientTable("IntText", "Integer", "Text") transientSorted_table("IntText", "Integer", "Text")
            transientSequence("Text", "Text") TransientPqueue("Int", "Integer")
            _transientList("Text", "Text", HIDDEN) implementation("Main") program("app")''')
        self.write("app/Main.m3", """MODULE Main;
            IMPORT IO, IntPQ, IntTextTbl, RootTransient, SortedIntTextTbl, TextList, TextSeq;
            VAR all := ARRAY [1..5] OF RootTransient.T{
              NEW(IntTextTbl.Default).init(), NEW(SortedIntTextTbl.Default).init(),
              NEW(TextSeq.T).init(), NEW(IntPQ.Default).init(), TextList.List1("a")};
            BEGIN
              EVAL NARROW(all[1], IntTextTbl.T).put(1, "a");
              IO.PutInt(NARROW(all[1], IntTextTbl.T).size());
            END Main.""")
        self.runs("app", "1")
        self.write("app/m3makefile", '''
            Table("IntText", "Integer", "Text") implementation("Main") program("app")''')
        self.write("app/Main.m3", prints("EVAL NEW(RootTransient.T); t := NEW(IntTextTbl.Default).init();",
                                         "IntTextTbl, RootTransient; VAR t: RootTransient.T"))
        self.fails("app", "not assignable")

    def test_generated_units(self):
        self.write("app/m3makefile", '''> "Made.i3" in write("INTERFACE Made; CONST N = 4; END Made.") end
            derived_interface("Made", HIDDEN) implementation("Main") program("app")''')
        self.write("app/Main.m3", prints("IO.PutInt(Made.N);", "Made"))
        self.runs("app", "4")

    def test_private_units_are_not_for_other_packages(self):
        self.make_library()
        self.make_program()
        self.write("app/src/Main.m3", prints("Greeting.Say(); IO.Put(Words.Hello);",
                                             "Greeting, Words"))
        self.fails("app", "app/src/Main.m3:2:22: error[M1001]: Words is private to package lib")
        self.write("app/src/m3makefile", """import("lib") build_generic_intf("W", "Box", ["Words"])
            implementation("Main") program("app")""")
        self.write("app/src/Main.m3", prints("", "W"))
        self.write("lib/src/Words.i3",
                   'INTERFACE Words; TYPE T = INTEGER; CONST Hello = "hello"; END Words.')
        self.fails("app", "W.i3:1:19: error[M1001]: Words is private to package lib")
        with open(os.path.join(self.directory, "lib/src/m3makefile"), "a") as file:
            file.write('Interface("Words")')
        self.runs("app", "")

    def make_twins(self, spelling: str) -> None:
        """Packages `one` and `two`, each with a unit Util of its own."""
        for name in ["one", "two"]:
            self.write(f"{name}/src/m3makefile", f'''
                {spelling}("Util") Module("{name.capitalize()}") library("{name}")''')
            self.write(f"{name}/src/Util.i3", f'''INTERFACE Util;
                TYPE T <: ROOT; Public = T OBJECT METHODS name(): TEXT END;
                EXCEPTION E(TEXT);
                VAR calls := 0;
                PROCEDURE New(): T;
                PROCEDURE Raise() RAISES {{E}};
                REVEAL T <: ROOT; END Util.''')
            self.write(f"{name}/src/Util.m3", f'''MODULE Util;
                REVEAL T = BRANDED OBJECT {name}: TEXT := "{name}" END;
                PROCEDURE New(): T = BEGIN INC(calls); RETURN NEW(T) END New;
                PROCEDURE Raise() RAISES {{E}} = BEGIN RAISE E("{name}") END Raise;
                BEGIN END Util.''')
            self.write(f"{name}/src/{name.capitalize()}.i3",
                       f"INTERFACE {name.capitalize()}; PROCEDURE Say(); END {name.capitalize()}.")
            self.write(f"{name}/src/{name.capitalize()}.m3", f'''MODULE {name.capitalize()};
                IMPORT IO, Util, Fmt;
                PROCEDURE Say() = VAR t := Util.New(); BEGIN
                  TRY Util.Raise(); EXCEPT Util.E(text) =>
                    IO.Put(text & Fmt.Int(Util.calls) & Fmt.Bool(ISTYPE(t, Util.T)) & "\\n") END;
                END Say;
                BEGIN END {name.capitalize()}.''')

    def test_private_units_of_one_name_in_several_packages(self):
        self.make_twins("module")
        self.write("app/src/m3makefile", '''import("one") import("two") module("Util")
            implementation("Main") program("app")''')
        self.write("app/src/Util.i3", "INTERFACE Util; PROCEDURE Mine(): TEXT; END Util.")
        self.write("app/src/Util.m3", "MODULE Util; "
                   'PROCEDURE Mine(): TEXT = BEGIN RETURN "mine\\n" END Mine; BEGIN END Util.')
        self.write("app/src/Main.m3", prints("One.Say(); Two.Say(); One.Say(); IO.Put(Util.Mine());",
                                             "One, Two, Util"))
        for option in ["-O0", "-O2"]:
            self.runs("app", "one1TRUE\ntwo1TRUE\none2TRUE\nmine\n", option)
        self.write("two/src/Util.m3", "MODULE Util; REVEAL T = BRANDED OBJECT END; "
                   "PROCEDURE New(): T = BEGIN RETURN NULL END New; "
                   "PROCEDURE Raise() = BEGIN END Raise; BEGIN END Util.")
        ran = self.tenure("build", "app")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("/two/src/Util.m3:1:", ran.stderr)

    def test_instances_of_one_name_in_several_packages(self):
        # One generic, one brand: both packages have TextIntTbl, and so has the library.
        for name in ["one", "two"]:
            self.write(f"{name}/m3makefile", f'''table("TextInt", "Text", "Integer")
                _sequence("Text", "Text", HIDDEN) Module("{name.capitalize()}") library("{name}")''')
            self.write(f"{name}/{name.capitalize()}.i3", f"INTERFACE {name.capitalize()}; "
                       f"PROCEDURE Size(): INTEGER; END {name.capitalize()}.")
            self.write(f"{name}/{name.capitalize()}.m3", f'''MODULE {name.capitalize()};
                IMPORT TextIntTbl, TextSeq;
                VAR t := NEW(TextIntTbl.Default).init(); s := NEW(TextSeq.T).init();
                PROCEDURE Size(): INTEGER =
                  BEGIN EVAL t.put("a", 1); s.addhi("b"); RETURN t.size() + s.size() END Size;
                BEGIN END {name.capitalize()}.''')
        self.write("app/m3makefile", '''import("one") import("two") import("bundleintf")
            pushd("..") popd() implementation("Main") program("app")''')
        self.write("app/Main.m3", prints(
            'VAR s := NEW(TextSeq.T).init(); t := NEW(TextIntTbl.Default).init(); '
            'BEGIN s.addhi(""); IO.PutInt(One.Size() + Two.Size() + s.size() + t.size()) END;',
            "One, Two, TextSeq, TextIntTbl"))
        self.runs("app", "5")

    def test_a_unit_named_as_one_of_the_library(self):
        self.make_library("other")
        self.write("other/src/m3makefile", 'module("Fmt") Module("Text2") library("other")')
        self.write("other/src/Fmt.i3", "INTERFACE Fmt; PROCEDURE Int(n: INTEGER): TEXT; END Fmt.")
        self.write("other/src/Fmt.m3", "MODULE Fmt; PROCEDURE Int(<*UNUSED*> n: INTEGER): TEXT = "
                   'BEGIN RETURN "a number" END Int; BEGIN END Fmt.')
        self.write("other/src/Text2.i3", "INTERFACE Text2; PROCEDURE Of(n: INTEGER): TEXT; END Text2.")
        self.write("other/src/Text2.m3", "MODULE Text2; IMPORT Fmt; PROCEDURE Of(n: INTEGER): TEXT "
                   "= BEGIN RETURN Fmt.Int(n) END Of; BEGIN END Text2.")
        self.write("app/m3makefile", 'import("other") implementation("Main") program("app")')
        self.write("app/Main.m3", prints('IO.Put(Text2.Of(1) & " " & Fmt.Int(1) & " "); IO.PutInt(1);',
                                         "Text2, Fmt"))
        self.runs("app", "a number 1 1")

    def test_a_module_named_as_one_of_the_library_that_exports_another_interface(self):
        for name in ["Stdio", "Text", "Thread", "Fmt"]:
            self.write(f"a{name}/{name}.m3", f"MODULE {name} EXPORTS Main; IMPORT IO; "
                       f'BEGIN IO.Put("hi\\n"); IO.PutInt(4); IO.Put("\\n") END {name}.')
            self.runs(f"a{name}/{name}.m3", "hi\n4\n")
        self.write("mine/Mine.i3", "INTERFACE Mine; PROCEDURE P(): TEXT; END Mine.")
        self.write("mine/Fmt.m3", "MODULE Fmt EXPORTS Mine; PROCEDURE P(): TEXT = "
                   'BEGIN RETURN "mine " END P; BEGIN END Fmt.')
        self.write("mine/Main.m3", prints("IO.Put(Mine.P() & Fmt.Int(3));", "Mine, Fmt"))
        self.runs("mine", "mine 3")
        # The same with a private module of an imported package.
        self.write("lib/m3makefile", 'module("Util") Module("Face") library("lib")')
        for name, text in [("Util", '"util"'), ("Face", "Util.P()")]:
            self.write(f"lib/{name}.i3", f"INTERFACE {name}; PROCEDURE P(): TEXT; END {name}.")
            self.write(f"lib/{name}.m3", f"MODULE {name}; IMPORT Util AS U; PROCEDURE P(): TEXT = "
                       f"BEGIN RETURN {text.replace('Util', 'U')} END P; BEGIN END {name}.")
        self.write("lib/Util.m3", "MODULE Util; PROCEDURE P(): TEXT = "
                   'BEGIN RETURN "util" END P; BEGIN END Util.')
        self.write("app/m3makefile", 'import("lib") implementation("Util") program("app")')
        self.write("app/Util.m3", "MODULE Util EXPORTS Main; IMPORT IO, Face; "
                   "BEGIN IO.Put(Face.P()) END Util.")
        self.runs("app", "util")

    def test_two_packages_of_one_name(self):
        # Each of two folders has a package `util`, and a package that imports the one beside it.
        for name in ["one", "two"]:
            unit = name.capitalize()
            self.write(f"{name}/util/m3makefile", 'Module("Util") library("util")')
            self.write(f"{name}/util/Util.i3",
                       "INTERFACE Util; TYPE T <: REFANY; PROCEDURE New(): T; "
                       "PROCEDURE Name(t: T): TEXT; END Util.")
            self.write(f"{name}/util/Util.m3", f"""MODULE Util;
                REVEAL T = BRANDED REF RECORD n: TEXT END; VAR made := 0;
                PROCEDURE New(): T = BEGIN INC(made); RETURN NEW(T, n := "{name}") END New;
                PROCEDURE Name(t: T): TEXT =
                  BEGIN IF made = 1 THEN RETURN t.n ELSE RETURN "shared" END END Name;
                BEGIN END Util.""")
            self.write(f"{name}/{name}/m3makefile",
                       f'import("util") Module("{unit}") library("{name}")')
            self.write(f"{name}/{name}/{unit}.i3",
                       f"INTERFACE {unit}; VAR ref: REFANY; PROCEDURE Say(); "
                       f"PROCEDURE IsMine(r: REFANY): BOOLEAN; END {unit}.")
            self.write(f"{name}/{name}/{unit}.m3", f"""MODULE {unit}; IMPORT IO, Util;
                PROCEDURE Say() = VAR t := Util.New(); BEGIN ref := t; IO.Put(Util.Name(t)) END Say;
                PROCEDURE IsMine(r: REFANY): BOOLEAN = BEGIN RETURN ISTYPE(r, Util.T) END IsMine;
                BEGIN END {unit}.""")
        self.write("app/m3makefile", 'override("one", "../one") override("two", "../two") '
                   'import("one") import("two") implementation("Main") program("app")')
        self.write("app/Main.m3", prints(
            "One.Say(); Two.Say(); IF One.IsMine(Two.ref) OR Two.IsMine(One.ref) OR NOT "
            'One.IsMine(One.ref) THEN IO.Put(" one type") END;', "One, Two"))
        for option in ["-O0", "-O2"]:
            self.runs("app", "onetwo", option)

    def test_a_library_leaves_types_to_be_revealed(self):
        self.write("lib/m3makefile", 'import("libm3") Module("Tok") Interface("TokRep") library("lib")')
        self.write("lib/Tok.i3", "INTERFACE Tok; TYPE Base = OBJECT n: INTEGER END; T <: Base; "
                   "PROCEDURE Make(): T; END Tok.")
        self.write("lib/TokRep.i3", "INTERFACE TokRep; IMPORT Tok; "
                   "TYPE Sub = Tok.T OBJECT k := 2 END; END TokRep.")
        self.write("lib/Tok.m3", "MODULE Tok; IMPORT TokRep; PROCEDURE Make(): T = VAR t: T; "
                   "BEGIN t := NEW(T); t.n := NEW(TokRep.Sub).k + 1; RETURN t END Make; "
                   "BEGIN END Tok.")
        made = self.tenure("build", "lib")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.write("app/m3makefile", 'import("lib") implementation("Main") program("app")')
        for more in ["m := 7", "a, b := 3; m := 9"]:
            self.write("app/Main.m3", "MODULE Main; IMPORT IO, Tok; "
                       f"REVEAL Tok.T = Tok.Base BRANDED OBJECT {more} END; "
                       "VAR t := Tok.Make(); BEGIN IO.PutInt(10 * t.n + t.m) END Main.")
            self.runs("app", "37" if more == "m := 7" else "39")
        self.write("app/Main.m3", prints("EVAL Tok.Make();", "Tok"))
        self.fails("app", "the program has no revelation of Tok.T")
        # Nor when only a type that extends the private one is used.
        self.write("lib/m3makefile", 'Interface("Tok") library("lib")')
        self.write("lib/Tok.i3", "INTERFACE Tok; TYPE T <: ROOT; Sub = T OBJECT k := 3 END; END Tok.")
        self.write("app/Main.m3", prints("IO.PutInt(NEW(Tok.Sub).k);", "Tok"))
        self.fails("app", "the program has no revelation of Tok.T")

    def test_a_unit_that_two_imported_packages_offer(self):
        self.make_twins("Module")
        self.write("app/src/m3makefile",
                   'import("one") import("two") implementation("Main") program("app")')
        self.write("app/src/Main.m3", prints("One.Say(); Two.Say();", "One, Two"))
        self.runs("app", "one1TRUE\ntwo1TRUE\n")
        self.write("app/src/Main.m3", prints("EVAL Util.New();", "Util"))
        self.fails("app", "Main.m3:2:12: error[M1001]: packages one and two both have a unit Util: ")

    def test_names_that_classic_build_files_use(self):
        self.write("app/src/m3makefile", """
            if equal(OS_TYPE, "POSIX") and equal(WORD_SIZE, "64BITS") Module("Posix") end
            if defined("PROFILING") or PROFILING error("profiling") end
            if not defined("DOC_INSTALL") m3_option("-O") m3_optimize("T") build_standalone() end
            M3_FRONT_FLAGS += "-x" write(M3_FRONT_FLAGS[0] & M3_SPLIT_NAMES, EOL)
            SYSTEM_LIBS{"MATHS"} = ["-lm"] import_sys_lib("MATHS") import_sys_lib("LIBC")
            exec("cp", "../src/Made.in", "Made.i3") derived_interface("Made", HIDDEN)
            if stale("Copied.i3", "Made.in") cp_if("Made.in", "Copied.txt") end
            implementation_at("Far", "../far") pgm_object("../lib/part") s_source("start")
            resource("Made.in") bundle("Resources") manPage("app", "1") gnuemacs("app")
            install_file("a", DOC_INSTALL, "") BindExport("app") hide_interface("Hidden")
            if TARGET contains "LINUX" implementation("Main") else implementation("Other") end
            proc whole(a) is foreach x in a write(x, CR) end return a[0] end
            write(whole(["one"]) & "-" & upper(sub("xyz", 1, 1)), EOL)
            program("app")""")
        self.write("app/src/Posix.i3", "INTERFACE Posix; CONST N = 1; END Posix.")
        self.write("app/src/Posix.m3", "MODULE Posix; BEGIN END Posix.")
        self.write("app/src/Hidden.i3", "INTERFACE Hidden; END Hidden.")
        self.write("app/src/Made.in", "INTERFACE Made; CONST N = 2; END Made.")
        self.write("app/far/Far.m3", "MODULE Far; BEGIN END Far.")
        self.write("app/src/Far.i3", 'INTERFACE Far; <*EXTERNAL "part"*> '
                   "PROCEDURE Part(): INTEGER; END Far.")
        self.write("app/src/start.s", ".globl start_value\n.data\nstart_value: .quad 5\n"
                   '.section .note.GNU-stack,"",@progbits\n')
        self.write("app/lib/part.c", "extern long start_value; long part(void) "
                   "{ return start_value; }")
        subprocess.run(["gcc", "-c", "part.c"], cwd=os.path.join(self.directory, "app/lib"),
                       check=True)
        self.write("app/src/Main.m3", prints(
            'IO.PutInt(Posix.N + Made.N + Far.Part()); IO.Put(Bundle.Get(Resources.Get(), "Made.in"));',
            "Posix, Made, Far, Resources, Bundle"))
        with open(os.path.join(self.directory, "app/src/m3makefile"), "a") as file:
            file.write('interface("Far")')
        ran = self.tenure("run", "app")
        self.assertEqual(ran.stdout, "-x\none\none-Y\n8INTERFACE Made; CONST N = 2; END Made.",
                         ran.stderr)

    def test_what_needs_a_generator_says_so(self):
        self.write("app/m3makefile", 'netobj("Server", "T")')
        self.fails("app", "app/m3makefile:1:1: error[M1001]: netobj needs the stub generator of "
                   "network objects (a package stubgen), which is not part of this system")
        self.write("app/m3makefile", 'x = "1"\nsharedobj("Server", "T")')
        self.fails("app", "app/m3makefile:2:1: error[M1001]: sharedobj needs the stub generator of "
                   "shared objects, which is not part of this system")

    def test_a_command_that_does_not_exist_is_named_with_its_place(self):
        self.write("app/src/m3makefile", 'x = "1"\nif equal(x, "1")\n  encode("a", "b")\nend')
        self.fails("app", "app/src/m3makefile:3:3: error[M1001]: unknown Quake procedure 'encode'")
        self.write("app/src/m3makefile", 'include_dir("more")')
        self.write("app/src/more/m3makefile", '\nprogram_name("a")')
        self.fails("app", "more/m3makefile:2:1: error[M1001]: unknown Quake procedure "
                   "'program_name'")

    def test_stubs_of_network_objects_are_made_by_the_package_stubgen(self):
        self.write("stubgen/src/m3makefile", 'implementation("Main") program("stubgen")')
        # Writes units that record its arguments, and whether the table has the interface.
        self.write("stubgen/src/Main.m3", """MODULE Main;
            IMPORT FileRd, FileWr, Fmt, Params, Rd, Text, Wr;
            <*FATAL ANY*>
            VAR wr: Wr.T; rd := FileRd.Open(Text.Sub(Params.Get(4), 2)); found := FALSE;
            PROCEDURE Open(suffix: TEXT) =
              VAR name := Params.Get(3);  dot := Text.FindChar(name, '.');
              BEGIN
                name := Text.Sub(name, 0, dot) & "_" & Text.Sub(name, dot + 1) & "_"
                          & Text.Sub(Params.Get(1), 1);
                wr := FileWr.Open(name & suffix);
                IF Text.Equal(suffix, ".i3") THEN Wr.PutText(wr, "INTERFACE " & name & ";")
                ELSE Wr.PutText(wr, "MODULE " & name & ";") END;
              END Open;
            BEGIN
              <*ASSERT Text.Equal(Params.Get(2), "-sno")*>
              WHILE NOT Rd.EOF(rd) DO
                IF Text.Equal(Rd.GetLine(rd), "Server.i3") THEN found := TRUE END;
              END;
              Open(".i3");
              Wr.PutText(wr, "PROCEDURE Found(): TEXT; END " & Text.Sub(Params.Get(3), 0, 6)
                               & "_T_" & Text.Sub(Params.Get(1), 1) & ".");
              Wr.Close(wr);
              Open(".m3");
              Wr.PutText(wr, "PROCEDURE Found(): TEXT = BEGIN RETURN \\"" & Fmt.Bool(found) & " "
                               & Params.Get(1) & "\\" END Found; BEGIN END Server_T_"
                               & Text.Sub(Params.Get(1), 1) & ".");
              Wr.Close(wr);
            END Main.""")
        self.write("app/src/m3makefile", 'interface("Server") netobj("Server", "T") '
                   'Netobjv2("Server", "T") implementation("Main") program("app")')
        self.write("app/src/Server.i3", "INTERFACE Server; TYPE T = ROOT; END Server.")
        self.write("app/src/Main.m3", prints(
            'IO.Put(Server_T_v1.Found() & Server_T_v2.Found())', "Server_T_v1, Server_T_v2"))
        ran = self.tenure("run", "app")
        self.assertEqual(ran.stdout, "TRUE -v1TRUE -v2", ran.stderr)
        self.write("app/src/m3makefile", 'netobj("Server")')
        self.fails("app", "netobj takes 2 arguments, not 1")

    def test_templates_are_run_once_also_those_of_packages_that_imported_ones_import(self):
        self.write("base/m3makefile", 'template("base") library("base")')
        self.write("base/base.tmpl", '''readonly VERSION = "3"
            readonly proc version(name) is
              > name & ".i3" in
                write("INTERFACE ", name, "; CONST N = ", VERSION, "; END ", name, ".") end
              derived_interface(name, HIDDEN)
            end''')
        self.write("middle/m3makefile",
                   'import("base") template("middle") version("V") library("middle")')
        self.write("middle/middle.tmpl", "readonly MIDDLE = VERSION")
        self.write("app/m3makefile", '''import("middle") import("base") import("middle")
            version("W" & MIDDLE) implementation("Main") program("app")''')
        self.write("app/Main.m3", prints("IO.PutInt(W3.N);", "W3"))
        self.runs("app", "3")

    def test_what_only_installs_or_documents_is_ignored_with_one_warning(self):
        self.write("app/m3makefile", '''installTree("a", "b") InstallTree("c") Man7("x") Man7("y")
            myEmacsThings() pkgExports("z") implementation("Main") program("app")''')
        self.write("app/Main.m3", prints('IO.Put("built\\n");'))
        ran = self.tenure("run", "app")
        self.assertEqual((ran.returncode, ran.stdout), (0, "built\n"), ran.stderr)
        self.assertEqual(ran.stderr.count("is not known and is ignored"), 5, ran.stderr)
        self.assertIn("app/m3makefile:1:40: warning[W1001]: Man7 is not known", ran.stderr)
        self.write("app/m3makefile", 'frobnicate("x")')
        self.fails("app", "unknown Quake procedure 'frobnicate': import the package whose template")

    def test_the_package_tcp_is_the_librarys_unless_there_is_one(self):
        self.write("app/m3makefile", 'import("tcp") implementation("Main") program("app")')
        self.write("app/Main.m3", prints("IO.PutInt(IP.NullPort);", "IP"))
        self.runs("app", "0")
        self.write("tcp/src/m3makefile", 'Interface("IP") library("tcp")')
        self.write("tcp/src/IP.i3", "INTERFACE IP; CONST NullPort = 7; END IP.")
        self.runs("app", "7")

    def records(self):
        return {name for name in self.files() if name.startswith("app/.tenure/records/")}

    def test_a_build_with_nothing_to_do_is_known_by_the_times(self):
        self.make_library()
        self.make_program("""if exists("more") implementation("More") end
            if equal($TENURE_TEST_N, "2") interface("Two") end
            import("lib") box("Int", "Integer") implementation("Main") program("app")""")
        self.write("app/src/More.m3", "MODULE More; IMPORT IO; BEGIN IO.Put(\"more\\n\"); END More.")
        self.write("app/src/More.i3", "INTERFACE More; END More.")
        self.runs("app", "hello\n10\n")
        self.runs("app", "hello\n10\n")  # the generated file is older than this build
        self.assertEqual(len(self.records()), 1)
        program = os.path.join(self.directory, "app/.tenure/bin/app")
        made = os.stat(program).st_ino
        self.runs("app", "hello\n10\n")
        self.assertEqual(os.stat(program).st_ino, made)
        for change, output in [
                (lambda: self.write("lib/src/twice.c", "long twice(long n) { return 3 * n; }"),
                 "hello\n15\n"),
                (lambda: self.write("lib/src/Words.i3",
                                    'INTERFACE Words; CONST Hello = "bye"; END Words.'),
                 "bye\n15\n"),
                (lambda: self.write("lib/src/deep/Deep.i3", "INTERFACE Deep; CONST N = 7; END Deep."),
                 "bye\n21\n")]:
            change()
            self.runs("app", output)
        self.fails("app", "Two.i3", environment={"TENURE_TEST_N": "2"})
        self.write("app/src/more", "")
        with open(os.path.join(self.directory, "app/src/m3makefile"), "a") as file:
            file.write(' if exists("more") interface("More") end')
        ran = self.tenure("run", "app")
        self.assertEqual(sorted(ran.stdout.split()), ["21", "bye", "more"], ran.stderr)

    def test_overrides_beside_the_build_file(self):
        self.make_library("elsewhere/lib")
        self.make_program()
        self.write("app/src/m3overrides", """override("lib", path() & "/../../elsewhere")
            include(ROOT & "/of/the/author/m3overrides")""")
        self.runs("app", "hello\n10\n")

    def test_builds_that_run_commands_are_made_again(self):
        self.write("app/m3makefile", """exec("@cp", path_of("n"), "Made.i3")
            derived_interface("Made", HIDDEN) implementation("Main") program("app")""")
        self.write("app/Main.m3", prints("IO.PutInt(Made.N);", "Made"))
        for n in (1, 2):
            self.write("app/n", f"INTERFACE Made; CONST N = {n}; END Made.")
            self.runs("app", str(n))

    def make_two_programs(self) -> None:
        self.write("app/m3makefile", '''module("Shared")
            implementation("First") program("one")
            include_dir("second") ''')
        self.write("app/second/m3makefile", 'implementation("Main") program("two")')
        self.write("app/Shared.i3", "INTERFACE Shared; PROCEDURE N(): INTEGER; END Shared.")
        self.write("app/Shared.m3", "MODULE Shared; PROCEDURE N(): INTEGER = BEGIN RETURN 4; END N;"
                   " BEGIN END Shared.")
        self.write("app/First.m3", prints("IO.PutInt(Shared.N());", "Shared").replace(
            "MODULE Main", "MODULE First EXPORTS Main").replace("END Main", "END First"))
        self.write("app/second/Main.m3", prints("IO.PutInt(10 * Shared.N());", "Shared"))

    def outputs(self, *programs: str):
        return [subprocess.run([os.path.join(self.directory, program)], stdout=subprocess.PIPE,
                               text=True, timeout=60).stdout for program in programs]

    def test_several_programs_in_one_package(self):
        self.make_two_programs()
        self.assertEqual(self.tenure("build", "app").returncode, 0)
        self.assertEqual(self.outputs("app/.tenure/bin/one", "app/.tenure/bin/two"), ["4", "40"])
        built = self.tenure("build", "app", "-v")
        self.assertNotIn("compile", built.stderr)
        self.runs("app", "4")
        # Of several programs, -o takes the one with the name of the output file.
        self.assertEqual(self.tenure("build", "app", "-o", "two").returncode, 0)
        self.assertEqual(self.outputs("two", "app/.tenure/bin/one"), ["40", "4"])
        self.write("app/second/Main.m3", prints("IO.PutInt(wrong);"))
        self.fails("app", "app/second/Main.m3:4:")

    def test_programs_named_after_all_units(self):
        self.make_two_programs()
        self.write("app/m3makefile", '''module("Shared") implementation("Two")
            implementation("First") program("first") program("two") ''')
        self.write("app/Two.m3", "MODULE Two EXPORTS Main; IMPORT IO; BEGIN IO.Put(\"2\"); END Two.")
        self.assertEqual(self.tenure("build", "app").returncode, 0)
        self.assertEqual(self.outputs("app/.tenure/bin/first", "app/.tenure/bin/two"), ["4", "2"])
        self.write("app/m3makefile", 'implementation("Two") program("p") program("p")')
        self.fails("app", "the package makes a program p already")

    def test_the_program_of_an_imported_package_is_left_out(self):
        self.make_library()
        self.write("lib/src/Tool.m3", 'MODULE Tool EXPORTS Main; BEGIN END Tool.')
        with open(os.path.join(self.directory, "lib/src/m3makefile"), "a") as file:
            file.write('implementation("Tool") program("tool")')
        self.make_program()
        self.runs("app", "hello\n10\n")

    def test_c_code_calls_procedures_of_interfaces(self):
        """By Interface__Procedure, also when the optimiser sees no other caller."""
        self.write("lib/src/m3makefile", 'Module("Back") c_source("caller") Library("lib")')
        self.write("lib/src/Back.i3", """INTERFACE Back;
            PROCEDURE Add(a: INTEGER; VAR b: INTEGER): INTEGER;
            PROCEDURE Mine(): INTEGER;
            <*EXTERNAL*> PROCEDURE call_back(n: INTEGER): INTEGER;
            <*EXTERNAL "Back__Defined"*> PROCEDURE Defined(): INTEGER;
            END Back.""")
        self.write("lib/src/Back.m3", """MODULE Back;
            PROCEDURE Add(a: INTEGER; VAR b: INTEGER): INTEGER =
              BEGIN INC(b); RETURN a + b END Add;
            PROCEDURE Mine(): INTEGER = BEGIN RETURN 1 END Mine;
            BEGIN END Back.""")
        self.write("lib/src/caller.c", """
            long Back__Add(long a, long *b);
            long Back__Mine(void) { return 70; }
            long Back__Defined(void) { return 500; }
            long call_back(long n) { long b = 4; return Back__Add(n, &b) + b + Back__Mine(); }""")
        self.write("app/src/m3makefile", 'import("lib") implementation("Main") program("app")')
        self.write("app/src/Main.m3", """MODULE Main; IMPORT Back, IO;
            BEGIN IO.PutInt(Back.call_back(10) + Back.Mine() * 1000 + Back.Defined()) END Main.""")
        self.runs("app", "1590")
        ran = self.tenure("build", "app", "-O0", "-o", "unoptimised")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_c_code_calls_a_procedure_of_a_library_unit_that_nobody_imports(self):
        self.write("app/m3makefile", 'c_source("hash") implementation("Main") interface("Hash") '
                   'program("app")')
        self.write("app/Hash.i3", "INTERFACE Hash; <*EXTERNAL*> PROCEDURE hash(n: INTEGER): INTEGER; "
                   "END Hash.")
        self.write("app/Main.m3", prints("IO.PutInt(Hash.hash(13))", "Hash"))
        self.write("app/hash.c", '#include "m3core.h"\nCARDINAL RTProcedureSRC__NumProcedures(void);\n'
                   'INTEGER hash(INTEGER n) { return n + (RTProcedureSRC__NumProcedures() > 9); }\n')
        self.runs("app", "14")

    def test_systems_and_visibility_of_classic_build_files(self):
        self.write("app/src/m3makefile", '''
            if IsDarwin() or IsWindows() or IsWin32() or IsSolaris("AMD64_LINUX") error("system") end
            if not IsLinux() or not IsPosix() or not IsDarwin("ARM64_DARWIN") error("system") end
            if not IsWindows("NT386") or not IsNT("AMD64_NT") or IsUnix("AMD64_MINGW") error("NT") end
            > "Made.i3" in write("INTERFACE Made; CONST N = 7; END Made.") end
            derived_interface("Made", "hidden")
            generate_tfile()
            implementation("Main") program("app")''')
        self.write("app/src/Main.m3", prints("IO.PutInt(Made.N)", "Made"))
        self.runs("app", "7")
        tables = [os.path.join(folder, name) for folder, _, names in os.walk(self.directory)
                  for name in names if name == ".M3IMPTAB"]
        with open(tables[0]) as file:
            lines = file.read().split("\n")
        # Our own units stand before those of the library, each below the line of its directory.
        place = lines.index("Rd.i3")
        folder = next(line for line in reversed(lines[:place]) if line.startswith("@"))
        self.assertTrue(os.path.isfile(os.path.join(folder[1:], "Rd.i3")), folder)
        self.assertLess(lines.index("Made.i3"), place)
        self.assertIn("TextIntTbl.i3", lines)

    def make_tool(self) -> None:
        self.write("maketool/src/m3makefile", """
            import("libm3") implementation("Main")
            template("maketool") program("maketool")""")
        self.write("maketool/src/maketool.tmpl", """
            proc Numbers(unit, n) is
              local source = unit & ".i3"
              local tool = PKG_USE & SL & "maketool" & SL & TARGET & SL & "maketool"
              if stale(source, path() & SL & unit & ".num")
                exec("@" & tool, "-n", n, "-o", source, path() & SL & unit & ".num")
              end
              derived_interface(unit, VISIBLE)
            end""")
        self.write("maketool/src/Main.m3", """MODULE Main;
            IMPORT FileWr, Params, Wr, Text, FileRd, Rd;
            VAR out := FileWr.Open(Params.Get(4)); text := Rd.GetLine(FileRd.Open(Params.Get(5)));
            BEGIN
              <*ASSERT Text.Equal(Params.Get(1), "-n")*>
              Wr.PutText(out, "INTERFACE " & text & "; CONST N = " & Params.Get(2)
                         & "; END " & text & ".");
              Wr.Close(out);
            END Main.""")

    def test_a_program_of_another_package_generates_sources(self):
        self.make_tool()
        self.write("app/src/m3makefile", 'import("maketool") Numbers("Num", "42") '
                   'implementation("Main") program("app")')
        self.write("app/src/Num.num", "Num\n")
        self.write("app/src/Main.m3", prints("IO.PutInt(Num.N)", "Num"))
        before = self.files()
        self.runs("app", "42")
        self.assertEqual({file for file in self.files() - before
                          if not file.startswith("app/.tenure/")}, set())
        self.runs("app", "42")

    def test_a_tool_that_cannot_be_built_is_named(self):
        self.make_tool()
        self.write("maketool/src/Main.m3", "MODULE Main; BEGIN x := 1 END Main.")
        self.write("app/src/m3makefile", 'import("maketool")\nNumbers("Num", "42") '
                   'implementation("Main") program("app")')
        self.write("app/src/Num.num", "Num\n")
        self.write("app/src/Main.m3", prints("IO.PutInt(Num.N)", "Num"))
        ran = self.tenure("build", "app")
        self.assertNotEqual(ran.returncode, 0)
        self.assertRegex(ran.stderr, r"maketool\.tmpl:6:\d+: error\[\w+\]: there is no program")
        self.assertIn("Main.m3:1", ran.stderr)

    def test_changed_c_sources_are_compiled_again(self):
        self.make_library()
        self.make_program()
        self.runs("app", "hello\n10\n")
        self.write("lib/src/twice.c", "long twice(long n) { return 3 * n; }\n")
        os.utime(os.path.join(self.directory, "lib/src/twice.c"), (2e9, 2e9))
        self.runs("app", "hello\n15\n")

    def test_c_sources_are_compiled_again_for_what_they_include_and_for_older_times(self):
        self.write("app/src/m3makefile", """
            c_source("value") interface("A") implementation("Main") program("app")""")
        self.write("app/src/value.c", '#include "more files/more$ #1.inc"\n'
                                      'long value() { return MORE; }\n')
        more = "app/src/more files/more$ #1.inc"
        self.write(more, "#define MORE 1\n")
        self.write("app/src/A.i3",
                   "INTERFACE A; <*EXTERNAL*> PROCEDURE value(): INTEGER; END A.")
        self.write("app/src/Main.m3", prints("IO.PutInt(A.value());", "A"))
        self.runs("app", "1")
        self.write(more, "#define MORE 2\n")
        os.utime(os.path.join(self.directory, more), (1e9, 1e9))
        self.runs("app", "2")
        self.write("app/src/value.c", "long value() { return 3; }\n")
        os.utime(os.path.join(self.directory, "app/src/value.c"), (1e9, 1e9))
        self.runs("app", "3")

    def test_damaged_objects_are_made_again(self):
        self.write("app/src/m3makefile", """
            c_source("value") interface("A") implementation("Main") program("app")""")
        self.write("app/src/value.c", "long value() { return 3; }\n")
        self.write("app/src/A.i3",
                   "INTERFACE A; <*EXTERNAL*> PROCEDURE value(): INTEGER; END A.")
        self.write("app/src/Main.m3", prints("IO.PutInt(A.value());", "A"))
        self.runs("app", "3")
        state = os.path.join(self.directory, "app/.tenure")
        objects = [file for file in self.files() if file.endswith(".o")]
        self.assertEqual(len(objects), 4, objects)
        for length in (0, 100, -1):
            for name in objects:
                path = os.path.join(self.directory, name)
                os.truncate(path, length if length >= 0 else os.path.getsize(path) - 1)
            shutil.rmtree(os.path.join(state, "records"))
            self.runs("app", "3")

    def test_options_of_the_c_compiler(self):
        self.write("app/src/m3makefile", """
            SYSTEM_CC = SYSTEM_CC & " -DVALUE=7 -I" & path() & "/include"
            c_source("value") interface("A") implementation("Main") program("app")""")
        self.write("app/src/include/more.h", "#define MORE 1\n")
        self.write("app/src/value.c", '#include "more.h"\nlong value() { return VALUE + MORE; }\n')
        self.write("app/src/A.i3",
                   "INTERFACE A; <*EXTERNAL*> PROCEDURE value(): INTEGER; END A.")
        self.write("app/src/Main.m3", prints("IO.PutInt(A.value());", "A"))
        self.runs("app", "8")
        with open(os.path.join(self.directory, "app/src/m3makefile"), "a") as file:
            file.write(' SYSTEM_CC = "gcc -DVALUE=8 -I" & path_of("include")')
        self.runs("app", "9")

    def test_c_sources_of_one_name_in_two_folders(self):
        self.write("app/src/m3makefile", """
            Header("util") m3_optimize("T") hide_type("A", "T") hide_exception("A", "E")
            c_source("util") include_dir("sub") implementation("Main") interface("A")
            program("app")""")
        self.write("app/src/sub/m3makefile", 'c_source("util")')
        self.write("app/src/util.c", "long util_first(void) { return 5; }\n")
        self.write("app/src/sub/util.c", "long util_second(void) { return 6; }\n")
        self.write("app/src/A.i3", """INTERFACE A;
            <*EXTERNAL*> PROCEDURE util_first(): INTEGER;
            <*EXTERNAL*> PROCEDURE util_second(): INTEGER; END A.""")
        self.write("app/src/Main.m3", """MODULE Main; IMPORT A, IO;
            BEGIN IO.PutInt(A.util_first()); IO.PutInt(A.util_second()); IO.Put("\\n") END Main.""")
        self.runs("app", "56\n")

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
        os.mkdir(os.path.join(self.directory, "lib/tests/empty"))
        ran = self.tenure("test", "lib")
        self.assertEqual(ran.returncode, 3)
        self.assertEqual(ran.stdout.splitlines()[1:], [
            "FAILED  lib/tests/empty: it cannot be built", "hello", "ok      lib/tests/package",
            "2 passed, 1 failed"])

    def test_a_test_ends_with_tenure(self):
        self.write("lib/A.i3", "INTERFACE A; END A.")
        self.write("lib/tests/Waits.m3", """MODULE Waits EXPORTS Main; IMPORT IO, Thread, Wr, Stdio;
            BEGIN IO.Put("waits\\n"); Wr.Flush(Stdio.stdout); Thread.Pause(1000.0D0) END Waits.""")
        with subprocess.Popen([TENURE, "test", "-w", "lib"], cwd=self.directory,
                              stdout=subprocess.PIPE) as tenure:
            self.assertEqual(tenure.stdout.readline(), b"waits\n")
            tenure.kill()
            # The end of the pipe comes when no process has it open any more.
            self.assertEqual(tenure.stdout.read(), b"")


if __name__ == "__main__":
    unittest.main()
