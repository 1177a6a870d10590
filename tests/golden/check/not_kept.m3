(* golden: check *)
(* A warning names the parts that a database cannot keep, if the static type of a root shows them
   (language.md 27.3). *)
UNSAFE MODULE Main;

IMPORT Database, Rd, Thread, WeakRef;

<*FATAL ANY*>

TYPE
  Part = RECORD n: INTEGER; weak: WeakRef.T END;
  Marked = <*TRANSIENT*> RECORD weak: WeakRef.T END;
  Weak = WeakRef.T;
  Handle = <*TRANSIENT*> ROOT OBJECT weak: WeakRef.T END;
  Node = OBJECT
    next: Node;
    weak: Weak;
    parts: REF ARRAY OF ARRAY [0 .. 3] OF Part;
    lock: MUTEX;
    <*TRANSIENT*> cache: WeakRef.T;
    <*TRANSIENT*> closed: MUTEX;
    marked: Marked;
    handle: Handle;
    any: REFANY;
    text: TEXT;
    run: PROCEDURE ();
    leaf: Leaf;
  END;
  Leaf = Node OBJECT in: ARRAY BOOLEAN OF Rd.T; at: ADDRESS; raw: UNTRACED REF Part END;
  Clean = REF RECORD next: Clean; names: REF ARRAY OF TEXT END;

VAR
  db := Database.Open("s");
  any: REFANY := NEW(Node);
  clean := NEW(Clean);
  forked: Thread.T := NIL;
  handle := NEW(Handle);
  node := NEW(Node);

BEGIN
  db.setRoot(any);
  db.setRoot(clean);
  db.setRoot(NIL);
  db.setRoot("text");
  db.bind("forked", forked);
  (* expect-warning above: objects of type Thread.T are never saved: the root is NIL when it is read again; keep what is saved in an object with another supertype; a MUTEX may be a <*TRANSIENT*> field of it (27.3) *)
  db.setRoot(handle);
  (* expect-warning above: objects of type Main.Handle are never saved: the root is NIL when it is read again; keep what is saved in an object with another supertype; a MUTEX may be a <*TRANSIENT*> field of it (27.3) *)
  db.setRoot(object := node);
  (* expect-warning above: Main.Node.weak is not kept in the database: it is of type WeakRef.T, and NIL when it is read again (27.3) *)
  (* expect-warning above: Main.Node.lock is not kept in the database: it is of type MUTEX, and NIL when it is read again (27.3) *)
  (* expect-warning above: (REF ARRAY OF ARRAY [0..3] OF Main.Part)^[][].weak is not kept in the database: it is of type WeakRef.T, and NIL when it is read again (27.3) *)
  (* expect-warning above: Main.Leaf.in[] is not kept in the database: it is of type Rd.T, and NIL when it is read again (27.3) *)
  (* expect-warning above: Main.Leaf.at is not kept in the database: it is of type ADDRESS, and NIL when it is read again (27.3) *)
  (* expect-warning above: Main.Leaf.raw is not kept in the database: it is of type UNTRACED REF Main.Part, and NIL when it is read again (27.3) *)
  db.bind("again", node);
  db.setRoot(NEW(REF WeakRef.T));
  (* expect-warning above: (REF WeakRef.T)^ is not kept in the database: it is of type WeakRef.T, and NIL when it is read again (27.3) *)
  db.setRoot(NEW(Leaf)); <*NOWARN*>
END Main.
