(* golden: run, -w *)
(* An object type may have an opaque supertype, and be the bound or the supertype of another opaque type, in any order
   of the declarations and of their revelations. *)
MODULE Main;

IMPORT IO;

REVEAL Last = Third BRANDED "last" OBJECT last := 4 METHODS sum(): INTEGER := Sum END;
TYPE Last <: Third;
TYPE Third = Second OBJECT third := 3; home: Home END;
REVEAL Second = First BRANDED "second" OBJECT second := 2 END;
TYPE Second <: First;
TYPE First = Base OBJECT first := 1 END;
TYPE Base <: ROOT;
REVEAL Base = BRANDED "base" OBJECT peer: Last := NIL END;
(* A record with a reference to what has the record. *)
TYPE Home = RECORD owner: Third := NIL; days: ARRAY [Day.Mo .. Day.We] OF Last END;
TYPE Day = {Su, Mo, Tu, We};

(* Two bounds that need each other's revelations. *)
TYPE A <: ROOT; B <: ROOT; InA = A OBJECT b: InB END; InB = B OBJECT a: InA END;
TYPE OfA <: InA; OfB <: InB;
REVEAL A = BRANDED "A" OBJECT ofB: OfB END; B = BRANDED "B" OBJECT ofA: OfA END;
REVEAL OfA = InA BRANDED "OfA" OBJECT END; OfB = InB BRANDED "OfB" OBJECT END;

PROCEDURE Sum(l: Last): INTEGER =
  BEGIN
    RETURN l.first + l.second + l.third + l.last;
  END Sum;

VAR l := NEW(Last);  a := NEW(OfA);  b := NEW(OfB);

BEGIN
  l.peer := l;
  l.home.owner := l;
  l.home.days[Day.Tu] := l.peer;
  a.b := b;  b.a := a;  a.ofB := b;  b.ofA := a;
  IO.PutInt(l.sum()); IO.Put("\n");
  IF NARROW(l.home.owner, Last).home.days[Day.Tu].peer = l AND ISTYPE(l.peer, First) AND a.b.a = b.ofA THEN
    IO.Put("all checks hold\n");
  END;
END Main.
(* expect: 10 *)
(* expect: all checks hold *)
