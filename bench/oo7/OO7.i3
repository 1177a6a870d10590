(* The objects of OO7, a design database, in its small configuration (Hosking & Chen 1999, table 1;
   White & DeWitt 1995, 5.1): a module with an assembly hierarchy over composite parts, each of them
   with a document and a graph of atomic parts.

   bench/oo7_cpp.cc is the same program in C++; what is here and there must stay alike. *)
INTERFACE OO7;

CONST
  CompositeParts = 500;      (* of the module *)
  AtomicParts = 20;          (* of a composite part *)
  Connections = 3;           (* from an atomic part *)
  AssemblyLevels = 7;
  SubAssemblies = 3;         (* of a complex assembly *)
  AssemblyParts = 3;         (* composite parts of a base assembly *)
  DocumentSize = 2000;       (* characters *)
  ManualSize = 100 * 1000;

  TotalAtomicParts = CompositeParts * AtomicParts;

TYPE
  Int32 = [-16_7FFFFFFF - 1..16_7FFFFFFF];
  ShortText = ARRAY [0..9] OF CHAR;

  AtomicPart = REF RECORD
    id: Int32;  (* 0 .. TotalAtomicParts - 1 *)
    buildDate: Int32;
    x, y: Int32;
    docId: Int32;
    type: ShortText;
    to: ARRAY [0..Connections - 1] OF Connection;
    from: Connection;  (* the first that leads here *)
    partOf: CompositePart;
  END;

  Connection = REF RECORD
    length: Int32;
    type: ShortText;
    from, to: AtomicPart;
    nextFrom: Connection;  (* the next that leads to the same part *)
  END;

  Document = REF RECORD
    id: Int32;
    title: TEXT;
    text: TEXT;
    part: CompositePart;
  END;

  CompositePart = REF RECORD
    id: Int32;
    buildDate: Int32;
    type: ShortText;
    document: Document;
    root: AtomicPart;
    parts: ARRAY [0..AtomicParts - 1] OF AtomicPart;
    users: Use;
  END;

  (* One place in which a base assembly uses a composite part. *)
  Use = REF RECORD
    assembly: BaseAssembly;
    next: Use;
  END;

  (* What a traversal does with atomic parts and what it has seen of them. *)
  Kind = {
    T1,   (* visit all parts that the root part reaches *)
    T6,   (* visit the root part only *)
    T2A,  (* as T1, and update the root part *)
    T2B,  (* as T1, and update all parts *)
    T2C   (* as T1, and update all parts four times *)
  };

  Assembly = OBJECT
    id: Int32;
    buildDate: Int32;
    parent: ComplexAssembly;
  METHODS
    (* Traverses what is below; how many atomic parts were visited, or updated if kind updates. *)
    traverse(kind: Kind): INTEGER;
  END;

  ComplexAssembly <: PublicComplexAssembly;
  PublicComplexAssembly = Assembly OBJECT
    sub: ARRAY [0..SubAssemblies - 1] OF Assembly;
  END;

  BaseAssembly <: PublicBaseAssembly;
  PublicBaseAssembly = Assembly OBJECT
    parts: ARRAY [0..AssemblyParts - 1] OF CompositePart;
  END;

  Manual = REF RECORD
    id: Int32;
    title: TEXT;
    text: REF ARRAY OF CHAR;
  END;

  Module = REF RECORD
    id: Int32;
    buildDate: Int32;
    manual: Manual;
    designRoot: ComplexAssembly;
    parts: ARRAY [0..CompositeParts - 1] OF CompositePart;

    (* What Check expects: the sums over all atomic parts after Build, and how many updates have
       been committed since. *)
    sumX, sumY: INTEGER;
    updates: INTEGER;
  END;

(* The whole database, the same in every run. *)
PROCEDURE Build(): Module;

(* A traversal of the assembly hierarchy. *)
PROCEDURE Traverse(m: Module; kind: Kind): INTEGER;

(* T8: how often c occurs in the manual. *)
PROCEDURE CountInManual(m: Module; c: CHAR): INTEGER;

(* T9: 1 if the first and the last character of the manual are the same, 0 otherwise. *)
PROCEDURE CompareManualEnds(m: Module): INTEGER;

(* The sums of x and of y over all atomic parts. *)
PROCEDURE Sum(m: Module; VAR x, y: INTEGER);

END OO7.
