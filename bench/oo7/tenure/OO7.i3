(* The objects of OO7, a design database (White & DeWitt 1995, 5.1; Hosking & Chen 1999, 5.1): modules
   with an assembly hierarchy over composite parts, each of them with a document and a graph of atomic
   parts; and indexes over all of them.

   bench/oo7/cpp has the same objects in C++; keep the two in step. *)
INTERFACE OO7;

IMPORT IntRefBPlusTree, TextRefBPlusTree;

CONST
  CompositeParts = 500;      (* number in a module, before any are inserted *)
  Connections = 3;           (* connections from an atomic part *)
  AssemblyLevels = 7;
  SubAssemblies = 3;         (* children of a complex assembly *)
  AssemblyParts = 3;         (* composite parts of a base assembly *)
  BaseAssemblies = 729;      (* number in a module: SubAssemblies to the power AssemblyLevels - 1 *)
  DocumentSize = 2000;       (* characters *)
  FirstDate = 1000;          (* build dates, before any are incremented *)
  LastDate = 1999;

TYPE
  Int32 = [-16_7FFFFFFF - 1..16_7FFFFFFF];
  ShortText = ARRAY [0..9] OF CHAR;

  (* The parameters of a size (White & DeWitt 1995, table 1). *)
  Configuration = RECORD
    modules: CARDINAL := 1;
    atomicParts: CARDINAL := 20;         (* of a composite part *)
    manualSize: CARDINAL := 100 * 1000;  (* characters *)
  END;

  AtomicPart = REF RECORD
    id: Int32;  (* less than atomicParts * nextComposite of the library *)
    buildDate: Int32;
    x, y: Int32;
    docId: Int32;
    type: ShortText;
    to: ARRAY [0..Connections - 1] OF Connection;
    from: Connection;  (* the first connection that leads here *)
    partOf: CompositePart;
  END;

  Connection = REF RECORD
    length: Int32;
    type: ShortText;
    from, to: AtomicPart;
    nextFrom: Connection;  (* the next connection that leads to the same part *)
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
    parts: REF ARRAY OF AtomicPart;
    users: Use;
  END;

  (* One place in which a base assembly uses a composite part. *)
  Use = REF RECORD
    assembly: BaseAssembly;
    next: Use;
  END;

  (* A composite part that was put into a base assembly later. *)
  Component = REF RECORD
    part: CompositePart;
    next: Component;
  END;

  (* The work of a traversal of the assembly hierarchy. *)
  Kind = {
    T1,   (* visit all atomic parts that the root part reaches *)
    T6,   (* visit the root part only *)
    T2A,  (* as T1, and increment x and y of the root part *)
    T2B,  (* as T1, and increment x and y of all parts *)
    T2C,  (* as T1, and increment x and y of all parts four times *)
    T3A,  (* as T2A with the build date, which is indexed *)
    T3B,
    T3C,
    T4,   (* count the letter I in the documents *)
    T5    (* replace "I am" by "This is" in the documents, or back *)
  };

  Assembly = OBJECT
    id: Int32;
    buildDate: Int32;
    parent: ComplexAssembly;
  METHODS
    (* Traverses the assembly's subtree. Returns the number of atomic parts visited, of updates
       if kind updates, or of letters found. *)
    traverse(kind: Kind): INTEGER;
  END;

  ComplexAssembly <: PublicComplexAssembly;
  PublicComplexAssembly = Assembly OBJECT
    sub: ARRAY [0..SubAssemblies - 1] OF Assembly;
  END;

  BaseAssembly <: PublicBaseAssembly;
  PublicBaseAssembly = Assembly OBJECT
    parts: ARRAY [0..AssemblyParts - 1] OF CompositePart;
    more: Component := NIL;
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
    parts: REF ARRAY OF CompositePart;
    bases: REF ARRAY OF BaseAssembly;

    (* The values that a check expects: the sums over all atomic parts when they were made, and
       the number of updates committed since. *)
    sumX, sumY: INTEGER;
    updates: INTEGER;
  END;

  Library = REF RECORD
    configuration: Configuration;
    nextComposite: Int32;  (* the id of the next composite part *)
    modules: REF ARRAY OF Module;
    byId: IntRefBPlusTree.T;     (* atomic parts *)
    byDate: IntRefBPlusTree.T;   (* atomic parts, by DateKey *)
    byTitle: TextRefBPlusTree.T; (* documents *)
  END;

(* The key of an atomic part in byDate. *)
PROCEDURE DateKey(date, id: INTEGER): INTEGER;

(* Must be called before the traversals of a library, and again when it has grown. *)
PROCEDURE Prepare(library: Library);

(* A traversal of the assembly hierarchy: T1 to T6. *)
PROCEDURE Traverse(m: Module; kind: Kind): INTEGER;

(* T7: from a random atomic part up to the root of the hierarchy, along all paths; returns the
   number of assemblies met. *)
PROCEDURE TraverseUp(library: Library; m: Module): INTEGER;

(* T8: the number of occurrences of c in the manual. *)
PROCEDURE CountInManual(m: Module; c: CHAR): INTEGER;

(* T9: 1 if the first and the last character of the manual are the same, 0 otherwise. *)
PROCEDURE CompareManualEnds(m: Module): INTEGER;

(* The sums of x and of y over all atomic parts. *)
PROCEDURE Sum(m: Module; VAR x, y: INTEGER);

END OO7.
