"""Threads that store while the protection of pages changes: a preloaded library lengthens the
moments around each change. No store in a transaction is lost, and no store of an aborted one
remains."""

import os
import shutil
import subprocess
import tempfile
import unittest

import programs

WIDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "protection_windows.c")
PATIENCE = 120.0

PROGRAM = r"""
UNSAFE MODULE Main;
IMPORT CProcess, Database, Fmt, IO, Params, Process, RTCollector, Scan, Text, Thread, Transaction;
<*FATAL ANY*>
CONST Words = 1000;  (* of an array: about a page *)
TYPE
  Node = REF RECORD v := 0 END;
  Words_ = REF ARRAY OF INTEGER;
  Root = REF RECORD node: Node; hot, other: Words_; many: REF ARRAY OF Words_ END;
  Step = {Nothing, Make, Made, Leave, Left};
  Maker = Thread.Closure OBJECT ends: BOOLEAN OVERRIDES apply := MakeNodes END;
  Storer = Thread.Closure OBJECT words: Words_; node: Node; stored := 0 OVERRIDES apply := Store END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  r: Root;
  mu := NEW(MUTEX);  step := Step.Nothing;  spun := 0;  made: Node;  sink: REFANY;
  stop := FALSE;  wrong := 0;

PROCEDURE Is(s: Step): BOOLEAN = BEGIN LOCK mu DO INC(spun); RETURN step = s END END Is;
PROCEDURE Set(s: Step) = BEGIN LOCK mu DO step := s END END Set;
(* Without a wait, so that a stop finds the thread in the middle of something. *)
PROCEDURE Await(s: Step) = BEGIN WHILE NOT Is(s) DO END END Await;

PROCEDURE Stopped(): BOOLEAN = BEGIN LOCK mu DO RETURN stop END END Stopped;

PROCEDURE Expect(found, expected: INTEGER; what: TEXT) =
  BEGIN
    IF found # expected THEN
      INC(wrong);
      IO.Put(what & ": " & Fmt.Int(found) & " instead of " & Fmt.Int(expected) & "\n");
    END;
  END Expect;

PROCEDURE Open() =
  BEGIN
    db := Database.Open(Params.Get(2));
    tr.begin();
    r := db.getRoot();
  END Open;

PROCEDURE OpenAgain() =
  BEGIN
    tr.commit();
    r := NIL;  made := NIL;
    db.close();
    Open();
  END OpenAgain;

(* ---- A thread's buffer is on the page of an object that another one makes persistent *)

PROCEDURE MakeNodes(m: Maker): REFANY =
  BEGIN
    REPEAT
      Await(Step.Make);
      made := NEW(Node);
      Set(Step.Made);
      Await(Step.Leave);
      (* Either way it leaves the page. *)
      IF NOT m.ends THEN sink := NEW(REF ARRAY OF CHAR, 9000); Set(Step.Left) END;
    UNTIL m.ends OR stop;
    RETURN NIL;
  END MakeNodes;

PROCEDURE Buffers(ends: BOOLEAN; rounds: INTEGER) =
  VAR maker: Thread.T := NIL;
  BEGIN
    FOR i := 1 TO rounds DO
      IF ends OR maker = NIL THEN maker := Thread.Fork(NEW(Maker, ends := ends)) END;
      Set(Step.Make);
      Await(Step.Made);
      r.node := made;
      tr.checkpoint();
      Set(Step.Leave);
      Thread.Pause(0.004d0);
      r.node.v := i;                       (* the transaction's only store *)
      IF i MOD 2 = 0 THEN
        tr.abort();
        tr.begin();
        Expect(r.node.v, 0, "aborted");
      ELSE
        OpenAgain();
        Expect(r.node.v, i, "committed");
      END;
      IF ends THEN EVAL Thread.Join(maker) ELSE Await(Step.Left) END;
    END;
  END Buffers;

(* ---- Dirty pages go to a file while others store to them *)

(* It reads no other page meanwhile, where it would wait for the lock. *)
PROCEDURE Store(s: Storer): REFANY =
  VAR words := s.words;  node := s.node;
  BEGIN
    TRY
      WHILE NOT Stopped() DO
        FOR i := 1 TO 1000 DO
          IF node # NIL THEN INC(node.v) ELSE INC(words[Words - 1]) END;
          INC(s.stored);
        END;
      END;
    EXCEPT
    | Transaction.Aborted, Transaction.TransactionNotInProgress =>
    END;
    RETURN NIL;
  END Store;

PROCEDURE Start(VAR s: Storer; words: Words_; node: Node := NIL): Thread.T =
  BEGIN
    s := NEW(Storer, words := words, node := node);
    RETURN Thread.Fork(s);
  END Start;

PROCEDURE Spill(rounds: INTEGER) =
  VAR a: Storer;  ta := Start(a, r.hot);
  BEGIN
    FOR i := 1 TO rounds DO
      FOR j := 0 TO LAST(r.many^) DO INC(r.many[j][i]) END;
    END;
    stop := TRUE;
    EVAL Thread.Join(ta);
    OpenAgain();
    Expect(r.hot[Words - 1], a.stored, "hot");
    FOR i := 1 TO rounds DO
      FOR j := 0 TO LAST(r.many^) DO Expect(r.many[j][i], 1, "many") END;
    END;
  END Spill;

(* ---- A trap finds that the transaction is over while others store *)

PROCEDURE Refused() =
  VAR a, b, c: Storer;  ta, tb, tc: Thread.T;  aborted := FALSE;
  BEGIN
    r.node := NEW(Node);
    sink := r.node;
    tr.commit();                           (* it is in the heap yet, the others are in frames *)
    tr.begin();
    ta := Start(a, r.hot);  tb := Start(b, NIL, r.node);  tc := Start(c, r.other);
    WHILE a.stored = 0 OR b.stored = 0 OR c.stored = 0 DO Thread.Pause(0.001d0) END;
    TRY
      FOR j := 0 TO LAST(r.many^) DO INC(r.many[j][1]) END;
    EXCEPT
    | Transaction.Aborted => aborted := TRUE;
    END;
    IF NOT aborted THEN Expect(0, 1, "refusals") END;
    stop := TRUE;
    EVAL Thread.Join(ta);  EVAL Thread.Join(tb);  EVAL Thread.Join(tc);
    tr.begin();
    Expect(r.node.v, 0, "displaced");
    Expect(r.hot[Words - 1], 0, "hot");
    Expect(r.other[Words - 1], 0, "other");
    FOR j := 0 TO LAST(r.many^) DO Expect(r.many[j][1], 0, "many") END;
  END Refused;

(* ---- The child of a fork collects its copy of the heap *)

PROCEDURE Child() =
  VAR status := 0;
  BEGIN
    r.node := NEW(Node);
    sink := r.node;
    tr.checkpoint();
    IF CProcess.fork() = 0 THEN
      FOR i := 1 TO 100 DO
        sink := NEW(REF ARRAY OF CHAR, 1000);
        RTCollector.Collect();
      END;
      CProcess.exit(7);
    END;
    FOR i := 1 TO 60 DO
      Thread.Pause(0.002d0);
      r.node.v := i;
      IF i MOD 2 = 0 THEN
        tr.abort();
        tr.begin();
        Expect(r.node.v, i - 1, "aborted");
      ELSE
        tr.checkpoint();
      END;
    END;
    EVAL CProcess.waitpid(-1, status, 0);
    Expect(status DIV 256, 7, "status");
    OpenAgain();
    Expect(r.node.v, 59, "committed");
  END Child;

PROCEDURE Make() =
  BEGIN
    Database.Create(Params.Get(2));
    db := Database.Open(Params.Get(2));
    tr.begin();
    r := NEW(Root, hot := NEW(Words_, Words), other := NEW(Words_, Words),
             many := NEW(REF ARRAY OF Words_, 50));
    FOR i := 0 TO LAST(r.many^) DO r.many[i] := NEW(Words_, Words) END;
    db.setRoot(r);
    OpenAgain();
  END Make;

PROCEDURE Mode(name: TEXT): BOOLEAN = BEGIN RETURN Text.Equal(Params.Get(1), name) END Mode;

BEGIN
  Make();
  WITH n = Scan.Int(Params.Get(3)) DO
    IF    Mode("buffers") THEN Buffers(FALSE, n);
    ELSIF Mode("ends")    THEN Buffers(TRUE, n);
    ELSIF Mode("spill")   THEN Spill(n);
    ELSIF Mode("refused") THEN Refused();
    ELSE                       Child();
    END;
  END;
  stop := TRUE;
  tr.commit();
  Process.Exit(ORD(wrong # 0));
END Main.
"""

C_PROCESS = """
UNSAFE INTERFACE CProcess;
<*EXTERNAL*> PROCEDURE fork(): INTEGER;
<*EXTERNAL*> PROCEDURE waitpid(pid: INTEGER; VAR status: INTEGER; options: INTEGER): INTEGER;
<*EXTERNAL "_exit"*> PROCEDURE exit(status: INTEGER);
END CProcess.
"""


class ProtectionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-protection-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        package = os.path.join(cls.directory, "source")
        os.mkdir(package)
        for name, text in (("Main.m3", PROGRAM), ("CProcess.i3", C_PROCESS)):
            with open(os.path.join(package, name), "w", encoding="utf-8") as file:
                file.write(text)
        cls.program = os.path.join(cls.directory, "program")
        subprocess.run([programs.TENURE, "build", package, "--faults", "-o", cls.program],
                       check=True, stdout=subprocess.DEVNULL)
        cls.widen = os.path.join(cls.directory, "widen.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", cls.widen, WIDEN], check=True)

    def run_program(self, mode, count, *flags, microseconds=2000):
        environment = dict(os.environ, LD_PRELOAD=self.widen, WIDEN_US=str(microseconds))
        for faults in ("uffd", "mprotect"):
            with self.subTest(faults=faults), tempfile.TemporaryDirectory() as directory:
                store = os.path.join(directory, "store")
                command = [self.program, mode, store, str(count), f"@M3faults={faults}", *flags]
                ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, timeout=PATIENCE, env=environment)
                if faults == "uffd" and "userfaultfd" in ran.stdout:
                    self.skipTest(ran.stdout)
                self.assertEqual((ran.returncode, ran.stdout), (0, ""))

    def test_a_thread_leaves_the_page_of_its_buffer(self):
        self.run_program("buffers", 16, microseconds=8000)

    def test_a_thread_ends_whose_buffer_is_on_the_page(self):
        self.run_program("ends", 16, microseconds=8000)

    def test_dirty_pages_go_to_a_file(self):
        self.run_program("spill", 3, "@M3dbcache=1536K")

    def test_a_refusal_while_others_store(self):
        self.run_program("refused", 0, "@M3dbfail=write-conflict:6")

    def test_the_child_of_a_fork_collects(self):
        self.run_program("child", 0, microseconds=0)


if __name__ == "__main__":
    unittest.main()
