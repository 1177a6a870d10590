(* The parts of lab/object_faults/parts.h as objects of Tenure, with the same random numbers: each
   operation meets the same parts as in the laboratory's systems (Hosking & Moss 1993, 5.1). *)
INTERFACE Parts;

IMPORT IntRefBPlusTree;

CONST
  Count = 20000;
  Connections = 3;
  Lookups = 1000;  (* of one operation *)
  Hops = 7;        (* depth of a traversal *)

TYPE
  Int32 = [-16_7FFFFFFF - 1 .. 16_7FFFFFFF];

  (* A part holds its connections; what is sent to a part is a method. *)
  Part = OBJECT
    id, x, y, build: Int32 := 0;
    type: TEXT := NIL;
    to: ARRAY [0 .. Connections - 1] OF Part;
    types: ARRAY [0 .. Connections - 1] OF TEXT;
    lengths: ARRAY [0 .. Connections - 1] OF Int32;
    sources: REF ARRAY OF Part := NIL;  (* the parts that lead here *)
  METHODS
    use() := Use;
    visit(hops: CARDINAL) := Visit;
  END;

  Library = REF RECORD byId: IntRefBPlusTree.T END;

(* All parts, the same in each run. *)
PROCEDURE Build(): Library;

(* The sum of x and y of all parts that the iteration meets; its random parts are those of the
   laboratory. *)
PROCEDURE Lookup(library: Library; iteration: CARDINAL): INTEGER;
PROCEDURE Traverse(library: Library; iteration: CARDINAL): INTEGER;

PROCEDURE Use(part: Part);
PROCEDURE Visit(part: Part; hops: CARDINAL);

END Parts.
