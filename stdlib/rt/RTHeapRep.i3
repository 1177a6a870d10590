(* The objects of the heap. *)
UNSAFE INTERFACE RTHeapRep;

FROM RT0 IMPORT Typecode;

(* p(r) is called some time after r has become unreachable, as a clean-up of WeakRef; then r is
   freed. p must be a top-level procedure. *)
PROCEDURE RegisterFinalCleanup(r: REFANY; p: PROCEDURE (r: REFANY));

TYPE
  RefVisitor = OBJECT METHODS
    (* r is of the type tc and takes size bytes; FALSE ends the walk. *)
    visit(tc: Typecode; r: REFANY; size: CARDINAL): BOOLEAN;
  END;

(* Collects, then visits each remaining object of the heap. No collection happens during the
   visit. *)
PROCEDURE VisitAllRefs(proc: RefVisitor);

END RTHeapRep.
