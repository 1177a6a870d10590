(* The objects and operations of OO1, the engineering database benchmark (Hosking & Moss 1993, 5): parts,
   each with three connections to other parts, nearly all of them to near ones.

   bench/oo1/cpp has the same in C++; keep the two in step. *)
INTERFACE OO1;

IMPORT IntRefBPlusTree;

CONST
  Parts = 20000;
  Connections = 3;      (* from a part *)
  Lookups = 1000;       (* of one operation *)
  Hops = 7;             (* depth of a traversal: 3,280 parts, some of them more than once *)
  Insertions = 100;     (* of one operation *)

TYPE
  Int32 = [-16_7FFFFFFF - 1..16_7FFFFFFF];
  ShortText = ARRAY [0..9] OF CHAR;

  Part = REF RECORD
    id: Int32;  (* from 0 *)
    x, y: Int32;
    buildDate: Int32;
    type: ShortText;
    to: ARRAY [0..Connections - 1] OF Connection;
    from: Connection;  (* the first connection that leads here *)
  END;

  Connection = REF RECORD
    length: Int32;
    type: ShortText;
    from, to: Part;
    nextFrom: Connection;  (* the next connection that leads to the same part *)
  END;

  Database = REF RECORD
    parts: INTEGER;  (* number of parts *)
    byId: IntRefBPlusTree.T;
  END;

(* The whole database, the same in every run. *)
PROCEDURE Build(): Database;

(* Each operation starts the random numbers with the seed and returns the sum of the values it
   read, which is the same for all programs. *)
PROCEDURE Lookup(db: Database; seed: CARDINAL): INTEGER;

PROCEDURE Traverse(db: Database; seed: CARDINAL): INTEGER;

(* Makes new parts with their connections and enters them in the index. *)
PROCEDURE Insert(db: Database; seed: CARDINAL): INTEGER;

END OO1.
