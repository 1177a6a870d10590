(* Tests and benchmarks. `tenure test` finds and runs the tests, `tenure bench` the benchmarks:

   | MODULE QueueTest;
   | IMPORT Queue, Test;
   |
   | PROCEDURE TestPush(t: Test.T) RAISES ANY =
   |   VAR q := NEW(Queue.T).init();
   |   BEGIN
   |     q.push(7);
   |     t.check(q.size() = 1);
   |   END TestPush;
   |
   | BEGIN END QueueTest.

   A test is a procedure at the top level of any module whose name is Test, or Test and then no
   small letter, and whose only formal is a T by value. A module in the folder `tests` of a package
   needs no interface and no Main: docs/testing.md. If the module also has SetUp(t: Test.T) or
   TakeDown(t: Test.T), these run before and after each of the module's tests; TakeDown runs also
   when the test has failed.

   `tenure test` runs each test in a process of its own. A test fails if a check fails, if an
   exception leaves it, or if its process ends.

   THREADS. Any thread of the test may call check, fail and log, with messages that are read after
   the call. Whatever ends the test (require, stop, skip) and the rest is for the test's own thread. *)
INTERFACE Test;

IMPORT Database, RuntimeError, TestSeen;

TYPE
  Proc = PROCEDURE (t: T) RAISES ANY;
  Row = PROCEDURE (t: T; row: CARDINAL) RAISES ANY;
  Body = PROCEDURE () RAISES ANY;
  Closure = <*TRANSIENT*> ROOT OBJECT METHODS apply() RAISES ANY END;

  (* One run of a test or subtest. *)
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* "QueueTest.TestPush"; of a subtest "QueueTest.TestPush/empty". *)
    name(): TEXT;

    (* Fails the test, which goes on, unless the condition is TRUE. The report shows the source
       of the condition, which the compiler passes, the values of the operands of its relations and
       of the arguments of its calls, and the message. *)
    check(condition: BOOLEAN; message: TEXT := NIL; source: TEXT := NIL);

    (* The same, but ends the test (a subtest: only the subtest). *)
    require(condition: BOOLEAN; message: TEXT := NIL; source: TEXT := NIL);

    (* Fails the test unless the two are equal; the report shows both. Of texts with several lines
       the report shows the first line that differs. NIL equals only NIL. *)
    equalInt(got, expected: INTEGER; message: TEXT := NIL);
    equalText(got, expected: TEXT; message: TEXT := NIL);

    (* Fails the test unless ABS(got - expected) <= tolerance. *)
    near(got, expected: LONGREAL; tolerance: LONGREAL := 1.0D-9; message: TEXT := NIL);

    (* Calls the body, and fails the test unless the body raises the exception "Interface.Name".
       Returns whether it did. *)
    raises(body: Body; exception: TEXT; message: TEXT := NIL): BOOLEAN;

    (* The same for a run-time error. *)
    fails(body: Body; error: RuntimeError.T; message: TEXT := NIL): BOOLEAN;

    (* Fails the test, which goes on. *)
    fail(message: TEXT);
    (* Fails the test and ends it. *)
    stop(message: TEXT);
    (* Ends the test, which counts as skipped unless it has failed already. *)
    skip(reason: TEXT := NIL);
    (* Adds a line to the report of the test, which is shown if the test fails. *)
    log(line: TEXT);
    hasFailed(): BOOLEAN;

    (* Runs a subtest. If it fails, so does this test, which goes on. Returns FALSE if the subtest
       has failed. A nested procedure may be a subtest. *)
    run(name: TEXT; p: Proc): BOOLEAN;

    (* Runs row(t, 0), ..., row(t, count - 1) as subtests with the names "0", "1", ...: one for
       each row of a table. *)
    each(count: CARDINAL; row: Row);

    (* An empty directory that is removed after the test; each (sub)test has its own. *)
    directory(): TEXT;

    (* A new database, open and empty, in a store below directory(); closed after the test. Each
       call makes another one. *)
    database(): Database.T;

    (* c.apply() runs after the test, before its directory is removed; the last one first. *)
    after(c: Closure);
  END;

  (* A benchmark is a procedure whose name begins with Bench, as Test above, with one formal of
     this type. It does its work n times:

     | PROCEDURE BenchPush(b: Test.Bench) =
     |   BEGIN FOR i := 1 TO b.n DO q.push(i) END END BenchPush;

     `tenure bench` calls the procedure several times, and finds an n for which a call takes long
     enough to be measured. *)
  Bench <: PublicBench;
  PublicBench = <*TRANSIENT*> ROOT OBJECT
    n: CARDINAL;
  METHODS
    (* Restarts the clock: what the call did before is not measured. *)
    reset();
    (* Stops the clock, and lets it go on. *)
    pause();
    continue();
    (* One iteration handles so many bytes: the report shows bytes for each second as well. *)
    setBytes(bytes: CARDINAL);
  END;

  BenchProc = PROCEDURE (b: Bench) RAISES ANY;

END Test.
