(* golden: persist *)
(* The C library's random numbers belong to the program: making, opening and changing a store
   neither seeds them nor takes any. *)
UNSAFE MODULE Main;

IMPORT CRandom, Database, IO, Transaction;

<*FATAL ANY*>

VAR
  seeded, after_store, of_rand: INTEGER;
  tr := NEW(Transaction.T);
  db: Database.T;

BEGIN
  CRandom.srandom(1);
  EVAL CRandom.random();
  seeded := CRandom.random();

  CRandom.srandom(1);
  EVAL CRandom.random();
  TRY db := Database.Open("random") EXCEPT
  | Database.DatabaseNotFound => Database.Create("random"); db := Database.Open("random");
  END;
  tr.begin();
  db.setRoot(NEW(REF INTEGER));
  tr.commit();
  db.close();
  after_store := CRandom.random();
  IO.Put(ARRAY BOOLEAN OF TEXT{"another number\n", "the same\n"}[seeded = after_store]);

  CRandom.srand(1);
  of_rand := CRandom.rand();
  CRandom.srandom(1);
  IO.Put(ARRAY BOOLEAN OF TEXT{"another number\n", "the same\n"}[of_rand = CRandom.random()]);
END Main.

(* unit: CRandom.i3 *)
INTERFACE CRandom;
IMPORT Ctypes;
<*EXTERNAL*> PROCEDURE random(): Ctypes.long_int;
<*EXTERNAL*> PROCEDURE srandom(seed: Ctypes.unsigned_int);
<*EXTERNAL*> PROCEDURE rand(): Ctypes.int;
<*EXTERNAL*> PROCEDURE srand(seed: Ctypes.unsigned_int);
END CRandom.

(* expect: the same *)
(* expect: the same *)
