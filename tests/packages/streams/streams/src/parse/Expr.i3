INTERFACE Expr;
(* A little language with pickles. *)
IMPORT Rd, Wr, Thread, AtomList;
TYPE
  T <: ROOT;
  Error = OBJECT msg: TEXT; where: CARDINAL := LAST(CARDINAL) END;
EXCEPTION E(Error); Bad(AtomList.T);
PROCEDURE Parse(rd: Rd.T): T RAISES {E, Rd.Failure, Thread.Alerted};
PROCEDURE Eval(t: T): LONGREAL RAISES {Bad};
PROCEDURE Print(t: T; wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted};
END Expr.
