<*PRAGMA SPEC, LL, LOOPINV, FOO, Z, M3EXPORTED*>
INTERFACE Spec;
(* nested (* comments (* three *) deep *) with "quotes and 'ticks *)
IMPORT Wr;
<* SPEC VAR x, y: INTEGER *>
<* SPEC INVARIANT (ALL i: INTEGER : 0 <= i => x > "a string *inside*") *>
TYPE
  T <: ROOT;
  <*LL.sup <= self*> Pub = T;
<* SPEC Abs(n) MODIFIES y REQUIRES n # FIRST(INTEGER) ENSURES RES >= 0 *>
PROCEDURE Abs(n: INTEGER): CARDINAL;
<*OBSOLETE*> PROCEDURE Old(<*UNUSED*> wr: Wr.T := NIL);
(* <* not a pragma *) 
<*FOO do not care (* comment in pragma *) <*Z nested*> *>
<*IMPLICIT*> EXCEPTION Imp(INTEGER);
PROCEDURE Raise();
<*M3EXPORTED*> VAR (* CONST *) v: INTEGER;
END Spec.
