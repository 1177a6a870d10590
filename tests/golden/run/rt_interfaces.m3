(* golden: run, with lib/Check *)
(* The run-time interfaces: types, allocation, weak references, the heap, RTIO and the others. *)
UNSAFE MODULE Main;

IMPORT Check, Ctypes, Env, Fmt, M3toC, Params, RT0, RTAllocator, Process, RTArgs, RTCollector,
  RTCollectorSRC, RTError, RTException, RTHeapRep, RTHeapStats, RTIO, RTLinker, RTMisc, RTParams,
  RTProcess, RTType, RTTypeSRC, RuntimeError, Text, Thread, WeakRef, Wr, Stdio;

<*FATAL ANY*>

TYPE
  Base = OBJECT
      n := 7;
      next: Base := NIL;
    METHODS
      get(): INTEGER := Get;
    END;
  Derived = Base OBJECT
      t := "initial";
    END;
  Matrix = REF ARRAY OF ARRAY OF INTEGER;
  Cell = REF RECORD x: INTEGER := 3; c: CHAR := 'c' END;
  Raw = UNTRACED ROOT OBJECT m := 9 END;

PROCEDURE Get(b: Base): INTEGER =
  BEGIN
    RETURN b.n;
  END Get;

PROCEDURE Types() =
  VAR base := TYPECODE(Base);  derived := TYPECODE(Derived);
  BEGIN
    Check.That(RTType.IsSubtype(derived, base), "IsSubtype");
    Check.That(NOT RTType.IsSubtype(base, derived), "IsSubtype the other way");
    Check.That(RTType.IsSubtype(base, TYPECODE(ROOT)), "IsSubtype of ROOT");
    Check.That(RTType.IsSubtype(TYPECODE(NULL), base), "NULL");
    Check.Int(RTType.Supertype(derived), base, "Supertype");
    Check.Int(RTType.Supertype(base), TYPECODE(ROOT), "Supertype");
    Check.Int(RTType.Supertype(TYPECODE(ROOT)), RTType.NoSuchType, "Supertype of ROOT");
    Check.Int(RTType.Supertype(TYPECODE(Cell)), RTType.NoSuchType, "Supertype of a REF");
    Check.That(RTType.IsTraced(base) AND NOT RTType.IsTraced(TYPECODE(Raw)), "IsTraced");
    Check.Int(RTType.GetNDimensions(TYPECODE(Matrix)), 2, "GetNDimensions");
    Check.Int(RTType.GetNDimensions(base), 0, "GetNDimensions of an object");
    Check.That(RTType.MaxTypecode() >= MAX(base, derived), "MaxTypecode");
    Check.That(RTType.Get(base) # NIL AND RTType.Get(base) # RTType.Get(derived), "Get");
    Check.That(RTType.Get(LAST(RT0.Typecode)) = NIL, "Get of no type");
    Check.Text(RTTypeSRC.TypeName(NEW(Derived)), "Main.Derived", "TypeName");
    Check.Text(RTTypeSRC.TypecodeName(base), "Main.Base", "TypecodeName");
    Check.Text(RTTypeSRC.TypecodeName(LAST(RT0.Typecode)), "", "name of no type");
    Check.That(RuntimeError.Self() # NIL, "RuntimeError.Self");
    Check.Text(RuntimeError.Tag(RuntimeError.T.NarrowFailed), "object is not of the required type", "Tag");
  END Types;

PROCEDURE Allocation() =
  VAR d: Derived;  m: Matrix;  c: Cell;  r: Raw;  wrong := 0;
  BEGIN
    d := RTAllocator.NewTraced(TYPECODE(Derived));
    Check.Int(d.get(), 7, "initial value");
    Check.Text(d.t, "initial", "initial value");
    c := RTAllocator.NewTraced(TYPECODE(Cell));
    Check.That(c.x = 3 AND c.c = 'c', "initial values of a record");
    m := RTAllocator.NewTracedArray(TYPECODE(Matrix), ARRAY OF INTEGER{3, 5});
    Check.Int(NUMBER(m^) * 10 + NUMBER(m[0]), 35, "shape");
    m[2, 4] := 11;
    r := RTAllocator.NewUntracedObject(TYPECODE(Raw));
    Check.Int(r.m, 9, "initial value of an untraced object");
    DISPOSE(r);
    d.n := 1;
    d.next := d;
    WITH copy = NARROW(RTAllocator.Clone(d), Derived) DO
      Check.That(copy # d AND copy.n = 1 AND copy.next = d AND Text.Equal(copy.t, d.t), "Clone");
    END;
    WITH copy = NARROW(RTAllocator.Clone(m), Matrix) DO
      Check.That(copy # m AND copy[2, 4] = 11 AND NUMBER(copy[1]) = 5, "Clone of an array");
    END;
    Check.That(RTAllocator.Clone(NIL) = NIL, "Clone of NIL");
    TRY EVAL RTAllocator.NewTraced(TYPECODE(Matrix)); EXCEPT RuntimeError.E => INC(wrong) END;
    TRY EVAL RTAllocator.NewTraced(TYPECODE(Raw)); EXCEPT RuntimeError.E => INC(wrong) END;
    TRY EVAL RTAllocator.NewUntracedObject(TYPECODE(Base)); EXCEPT RuntimeError.E => INC(wrong) END;
    TRY
      EVAL RTAllocator.NewTracedArray(TYPECODE(Matrix), ARRAY OF INTEGER{3});
    EXCEPT
    | RuntimeError.E => INC(wrong);
    END;
    TRY
      EVAL RTAllocator.NewTracedArray(TYPECODE(Matrix), ARRAY OF INTEGER{1000000000, 1000000000});
    EXCEPT
    | RTAllocator.OutOfMemory => INC(wrong, 10);
    END;
    Check.Int(wrong, 14, "errors");
  END Allocation;

VAR
  cleaned := 0;
  last: WeakRef.T;
  rescued: Base;

PROCEDURE Clean(READONLY w: WeakRef.T; r: REFANY) =
  BEGIN
    INC(cleaned, NARROW(r, Base).n);
    last := w;
    IF NARROW(r, Base).n = 100 THEN rescued := r END;
  END Clean;

PROCEDURE FinallyClean(r: REFANY) =
  BEGIN
    INC(cleaned, 1000 * NARROW(r, Base).n);
  END FinallyClean;

(* Interfaces that keep a procedure refuse a local one, which ends with its frame. *)
PROCEDURE LocalProcedures() =
  VAR refused := 0;
  PROCEDURE Local() = BEGIN INC(refused, 100) END Local;
  PROCEDURE LocalClean(<*UNUSED*> READONLY w: WeakRef.T; <*UNUSED*> r: REFANY) =
    BEGIN
      Local();
    END LocalClean;
  PROCEDURE LocalFinally(<*UNUSED*> r: REFANY) = BEGIN Local() END LocalFinally;
  BEGIN
    TRY EVAL WeakRef.FromRef(NEW(Base), LocalClean) EXCEPT RuntimeError.E => INC(refused) END;
    TRY
      RTHeapRep.RegisterFinalCleanup(NEW(Base), LocalFinally);
    EXCEPT
    | RuntimeError.E => INC(refused);
    END;
    TRY Process.RegisterExitor(Local) EXCEPT RuntimeError.E => INC(refused) END;
    TRY RTProcess.RegisterExitor(Local) EXCEPT RuntimeError.E => INC(refused) END;
    TRY
      EVAL RTProcess.RegisterForkHandlers(NIL, Local, NIL);
    EXCEPT
    | RuntimeError.E => INC(refused);
    END;
    Check.Int(refused, 5, "local procedures");
  END LocalProcedures;

(* In a procedure of its own, so that no frame refers to the objects afterwards. *)
PROCEDURE MakeWeak(VAR plain, clean, rescue, kept: WeakRef.T; keep: Base) =
  BEGIN
    plain := WeakRef.FromRef(NEW(Base));
    clean := WeakRef.FromRef(NEW(Base, n := 10), Clean);
    rescue := WeakRef.FromRef(NEW(Base, n := 100), Clean);
    kept := WeakRef.FromRef(keep, Clean);
    RTHeapRep.RegisterFinalCleanup(NEW(Base, n := 5), FinallyClean);
  END MakeWeak;

(* Overwrites stale words of earlier calls on the stack. *)
PROCEDURE Scrub(depth: INTEGER): INTEGER =
  VAR a: ARRAY [0..255] OF INTEGER;
  BEGIN
    FOR i := 0 TO LAST(a) DO a[i] := depth END;
    IF depth > 0 THEN RETURN Scrub(depth - 1) + a[depth] END;
    RETURN 0;
  END Scrub;

PROCEDURE WeakRefs() =
  VAR plain, clean, rescue, kept: WeakRef.T;  keep := NEW(Base, n := 10000);
  BEGIN
    MakeWeak(plain, clean, rescue, kept, keep);
    Check.That(WeakRef.ToRef(kept) = keep, "ToRef");
    Check.That(plain # clean AND clean = clean, "equality of weak references");
    FOR i := 1 TO 50 DO
      EVAL Scrub(20);
      RTCollector.Collect();
      IF cleaned = 5110 AND WeakRef.ToRef(plain) = NIL THEN EXIT END;
      Thread.Pause(0.01d0);
    END;
    Check.Int(cleaned, 5110, "clean-ups");
    Check.That(last = clean OR last = rescue, "their weak references");
    Check.That(WeakRef.ToRef(plain) = NIL, "ToRef of what is gone");
    Check.That(WeakRef.ToRef(clean) = NIL, "ToRef of what was cleaned");
    Check.Int(rescued.n, 100, "rescued");
    Check.That(WeakRef.ToRef(kept) = keep, "ToRef of what is still there");
    TRY
      EVAL WeakRef.FromRef(NIL);
      Check.That(FALSE, "FromRef(NIL)");
    EXCEPT
    | RuntimeError.E => Check.That(TRUE, "");
    END;
  END WeakRefs;

TYPE
  Visitor = RTHeapRep.RefVisitor OBJECT
      cells, matrices, bytes, visits := 0;
      limit := LAST(INTEGER);
    OVERRIDES
      visit := Visit;
    END;

PROCEDURE Visit(v: Visitor; tc: RT0.Typecode; r: REFANY; size: CARDINAL): BOOLEAN =
  BEGIN
    INC(v.visits);
    IF tc = TYPECODE(Cell) AND NARROW(r, Cell).x = 12345 THEN INC(v.cells) END;
    IF tc = TYPECODE(Matrix) AND NUMBER(NARROW(r, Matrix)^) = 200 THEN
      INC(v.matrices);
      v.bytes := size;
    END;
    RETURN v.visits < v.limit;
  END Visit;

PROCEDURE Heap() =
  VAR cells: ARRAY [0..9] OF Cell;  big := NEW(Matrix, 200, 100);  v := NEW(Visitor);
  BEGIN
    FOR i := 0 TO 9 DO cells[i] := NEW(Cell, x := 12345) END;
    RTHeapRep.VisitAllRefs(v);
    Check.Int(v.cells, 10, "cells visited");
    Check.Int(v.matrices, 1, "a large object visited");
    Check.That(v.bytes >= 160000 AND v.bytes < 161000, "its size");
    v.visits := 0;
    v.limit := 3;
    RTHeapRep.VisitAllRefs(v);
    Check.Int(v.visits, 3, "a walk that is ended");
    big[0, 0] := 7;  (* the length of a new array is known without it *)
    Check.Int(big[0, 0] * NUMBER(big^), 1400, "kept");
    Check.Int(cells[9].x, 12345, "kept");
    RTCollector.DisableMotion();
    WITH before = LOOPHOLE(cells[0], ADDRESS) DO
      RTCollector.Collect();
      Check.That(before = LOOPHOLE(cells[0], ADDRESS), "DisableMotion");
    END;
    RTCollector.EnableMotion();
    RTCollector.Disable();
    RTCollector.Enable();
    RTCollectorSRC.StartCollection();
    RTCollectorSRC.FinishCollection();
    RTCollectorSRC.FinishCollection();
    RTCollectorSRC.StartBackgroundCollection();
    RTCollectorSRC.StartForegroundCollection();
    RTCollectorSRC.DisableVM();
    Check.That(RTCollectorSRC.gcRatio = 1.0 AND RTCollectorSRC.incremental
                 AND RTCollectorSRC.generational, "RTCollectorSRC");
  END Heap;

PROCEDURE Bytes() =
  VAR a, b := ARRAY [0..7] OF CHAR{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
  BEGIN
    RTMisc.Copy(ADR(a[0]), ADR(a[1]), 7);
    Check.Text(Text.FromChars(a), "aabcdefg", "Copy");
    RTMisc.Zero(ADR(b[2]), 3);
    Check.Text(Text.FromChars(b), "ab\000\000\000fgh", "Zero");
    Check.Int(RTMisc.Upper(17, 8), 24, "Upper");
    Check.Int(RTMisc.Upper(16, 8), 16, "Upper");
    Check.Int(LOOPHOLE(RTMisc.Align(LOOPHOLE(1001, ADDRESS), 16), INTEGER), 1008, "Align");
  END Bytes;

PROCEDURE CommandLine() =
  TYPE Strings = UNTRACED REF ARRAY [0..99] OF Ctypes.char_star;
  VAR argv: Strings := RTLinker.argv;
  BEGIN
    Check.Int(RTArgs.ArgC(), Params.Count, "ArgC");
    Check.Text(RTArgs.GetArg(1), "first", "GetArg");
    Check.Int(RTArgs.EnvC(), Env.Count, "EnvC");
    Check.That(Text.FindChar(RTArgs.GetEnv(0), '=') > 0, "GetEnv");
    Check.Int(RTLinker.argc, Params.Count, "argc");
    Check.Text(M3toC.CopyStoT(argv[1]), "first", "argv");
    Check.That(argv[RTLinker.argc] = NIL AND RTLinker.envp # NIL, "the end of argv");
    RTParams.Init();
    Check.Text(M3toC.CopyStoT(RTParams.RawValue("some")), "value", "RawValue");
    Check.That(RTParams.RawValue("none") = NIL, "RawValue of none");
    Check.Text(RTIO.FmtHex(255), "0xff", "FmtHex");
    Check.Text(RTIO.FmtAddr(LOOPHOLE(4096, ADDRESS)), "0x1000", "FmtAddr");
    Check.Text(RTIO.FmtRef(NIL), "0x0", "FmtRef");
    TRY EVAL RTArgs.GetArg(99) EXCEPT RuntimeError.E => RTIO.PutText("no argument 99\n") END;
    TRY EVAL RTArgs.GetEnv(99999) EXCEPT RuntimeError.E => RTIO.PutText("nor variable\n") END;
  END CommandLine;

PROCEDURE Output() =
  VAR a := ARRAY [0..3] OF CHAR{'a', '\377', 'c', '\000'};
  BEGIN
    RTIO.PutChar('[');
    RTIO.PutChars(ADR(a), 1);
    RTIO.PutString(ADR(a[2]));
    RTIO.PutText("text" & Text.FromWideChar(W'\x0416'));
    RTIO.PutInt(-12, 5);
    RTIO.PutInt(FIRST(INTEGER));
    RTIO.PutHex(255, 6);
    RTIO.PutHex(-1);
    RTIO.PutAddr(NIL, 4);
    RTIO.PutRef(NIL);
    RTIO.PutLong(77L);
    RTIO.PutLongHex(77L);
    RTIO.PutBytes(ADR(a), 2);
    RTIO.PutChar(']');
    RTIO.PutChar('\n');
    FOR i := 0 TO 7 DO
      WITH x = ARRAY [0..7] OF LONGREAL{0.0d0, 1.0d0, -2.5d0, 100000.0d0, 1234567.0d0, 0.0001d0,
                                        0.00001234d0, 1.0d300}[i] DO
        RTIO.PutG(x);
        RTIO.PutChar(' ');
        IF x < 1.0d10 THEN RTIO.PutF(x); RTIO.PutChar(' ') END;
        RTIO.PutE(x);
        RTIO.PutChar('\n');
      END;
    END;
    RTIO.Flush();
    RTException.DumpStack();
    RTError.ReportPC(16, "report", NIL, "ed");
    RTHeapStats.ReportReachable();
  END Output;

PROCEDURE Prepare() = BEGIN RTIO.PutText("prepare\n") END Prepare;
PROCEDURE Parent() = BEGIN RTIO.PutText("parent\n") END Parent;
PROCEDURE Exitor() = BEGIN Wr.PutText(Stdio.stdout, "exitor\n") END Exitor;

BEGIN
  Types();
  LocalProcedures();
  Allocation();
  WeakRefs();
  Heap();
  Bytes();
  CommandLine();
  Output();
  Check.Int(RTProcess.RegisterForkHandlers(Prepare, Parent, NIL), 0, "RegisterForkHandlers");
  WITH child = RTProcess.Fork() DO
    IF child = 0 THEN RTProcess.Exit(0) END;
    Check.That(child > 0, "Fork");
  END;
  RTIO.Flush();
  RTProcess.RegisterExitor(Exitor);
  Check.Text(Fmt.Int(RTParams.NumParameters), Fmt.Int(RTParams.NumParameters), "parameters");
  Check.Done();
  RTProcess.InvokeExitors();
  RTError.Msg("file", 12, "the ", "end");
END Main.
(* args: first @M3some=value *)
(* expect: all checks hold *)
(* expect: exitor *)
(* expect-status: 4 *)
(* expect-stderr: no argument 99 *)
(* expect-stderr: nor variable *)
(* expect-stderr: [actext?  -12-9223372036854775808  0xff0xffffffffffffffff 0x00x0770x4d61ff] *)
(* expect-stderr: -2.5 -2.500000 -2.500000e+00 *)
(* expect-stderr: 1.23457e+06 1234567.000000 1.234567e+06 *)
(* expect-stderr: 0.0001 0.000100 1.000000e-04 *)
(* expect-stderr: 1.234e-05 0.000012 1.234000e-05 *)
(* expect-stderr: 1e+300 1.000000e+300 *)
(* expect-stderr: in Main.Output *)
(* expect-stderr: *** reported (pc = 0x10) *)
(* expect-stderr:    objects        bytes  type *)
(* expect-stderr:   Thread.T *)
(* expect-stderr:   (all) *)
(* expect-stderr: prepare *)
(* expect-stderr: parent *)
(* expect-stderr: *** the end (file:12) *)
