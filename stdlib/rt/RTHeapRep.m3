UNSAFE MODULE RTHeapRep;

IMPORT RTTypes, WeakRefCleaner;
FROM RT0 IMPORT Typecode;

(* A cookie with its lowest bit set is a procedure with one parameter; WeakRefCleaner knows. *)
PROCEDURE RegisterFinalCleanup(r: REFANY; p: PROCEDURE (r: REFANY)) =
  VAR cleanUp := p;  (* a checked run-time error if it is local *)
  BEGIN
    WeakRefCleaner.Start();
    EVAL RTTypes.RegisterWeak(r, LOOPHOLE(cleanUp, INTEGER) + WeakRefCleaner.Final);
  END RegisterFinalCleanup;

TYPE
  Context = RECORD
    visitor: RefVisitor;
  END;

PROCEDURE Visit(context: ADDRESS; tc: INTEGER; ref: REFANY; bytes: INTEGER): INTEGER =
  BEGIN
    WITH visitor = LOOPHOLE(context, UNTRACED REF Context).visitor DO
      RETURN ORD(visitor.visit(tc, ref, bytes));
    END;
  END Visit;

PROCEDURE VisitAllRefs(proc: RefVisitor) =
  VAR context: Context;
  BEGIN
    context.visitor := proc;
    RTTypes.VisitObjects(Visit, ADR(context));
  END VisitAllRefs;

BEGIN
END RTHeapRep.
