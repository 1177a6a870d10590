(* golden: persist, with lib/Store, @M3mappings=64 *)
(* Pages here and there are read and changed, in any order, by a process that may protect few runs of
   pages of one kind: frames, and pages of the heap where objects were made. *)
MODULE Main;

IMPORT IO, Random, Store, Transaction;

<*FATAL ANY*>

CONST
  Count = 2000;

TYPE
  (* One object fills a page. *)
  Big = REF RECORD n: INTEGER; others: ARRAY [0..980] OF INTEGER END;
  All = REF ARRAY OF Big;

VAR
  db := Store.Open();
  tr := NEW(Transaction.T);
  all: All;
  random := NEW(Random.Default).init(fixed := TRUE);

PROCEDURE Sum(step: INTEGER): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 0 TO Count - 1 BY step DO INC(sum, all[i].n + all[i].others[980]) END;
    RETURN sum;
  END Sum;

(* Adds to each third object, in an order that jumps. *)
PROCEDURE Change(add: INTEGER) =
  BEGIN
    FOR i := 0 TO Count - 1 DO
      WITH big = all[i * 697 MOD Count] DO
        IF big.n MOD 3 = 0 THEN INC(big.others[980], add) END;
      END;
    END;
  END Change;

BEGIN
  tr.begin();
  all := db.getRoot();
  IF all = NIL THEN
    all := NEW(All, Count);
    FOR i := 0 TO Count - 1 DO all[i] := NEW(Big, n := i) END;
    db.setRoot(all);
    tr.chain();
    (* In the heap, where they were made. *)
    Change(1);
    tr.checkpoint();
    Change(10);
    tr.abort();
    tr.begin();
  ELSE
    (* In their frames. *)
    FOR i := 1 TO 3000 DO
      WITH big = all[random.integer(0, Count - 1)] DO <*ASSERT big.others[0] = 0*> END;
    END;
    Change(1);
    tr.checkpoint();
    Change(10);
    VAR child := NEW(Transaction.T); BEGIN
      child.begin();
      Change(100);
      child.abort();
      child.begin();
      Change(1000);
      child.commit();
    END;
    tr.chain();
  END;
  IO.PutInt(Sum(1)); IO.Put(" "); IO.PutInt(Sum(2)); IO.Put("\n");
  tr.commit();
END Main.
(* expect: 1999667 999334 *)
(* restart *)
(* expect: 2674004 1337008 *)
