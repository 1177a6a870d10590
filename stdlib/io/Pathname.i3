(* The syntax of file names; nothing here looks at the file system. An arc may be empty: "a//b"
   has three arcs, "a/" has two, and its last arc is "". "" and "/" have no arcs. *)
INTERFACE Pathname;

IMPORT TextSeq;

TYPE
  T = TEXT;

  (* Element 0 is the root's name, "/", or NIL if the name is relative; the others are the arcs. *)
  Arcs = TextSeq.T;

EXCEPTION
  Invalid;  (* not a valid name or list of arcs *)

VAR (*CONST*)
  Parent: TEXT;   (* ".." *)
  Current: TEXT;  (* "." *)

(* Valid: whether pn is a name; Decompose: its arcs; Compose: the name with these arcs;
   Absolute: whether pn begins at the root. Compose(Decompose(pn)) is pn for every valid pn.
   Decompose raises Invalid if pn is not valid. Compose raises Invalid if no name has these
   arcs: an arc is NIL or contains a slash or a zero character, element 0 is missing or
   another root, or the name is relative and an empty arc comes before others. *)
PROCEDURE Valid(pn: T): BOOLEAN;
PROCEDURE Decompose(pn: T): Arcs RAISES {Invalid};
PROCEDURE Compose(a: Arcs): T RAISES {Invalid};
PROCEDURE Absolute(pn: T): BOOLEAN;

(* Prefix: all but the last arc. Last: the last arc, which is "" if pn ends in a slash. *)
PROCEDURE Prefix(pn: T): T;
PROCEDURE Last(pn: T): T;

(* Base: pn without the extension of its last arc. LastBase: the last arc without its extension.
   LastExt: this extension without its dot, "" if there is none. ReplaceExt: pn with another
   extension. *)
PROCEDURE Base(pn: T): T;
PROCEDURE LastBase(pn: T): T;
PROCEDURE LastExt(pn: T): TEXT;
PROCEDURE ReplaceExt(pn: T; ext: TEXT): T;

(* pn/base.ext, without the parts that are NIL; a pn that ends in a slash gets no second slash.
   base must be relative if pn is not NIL. *)
PROCEDURE Join(pn, base: T; ext: TEXT := NIL): T;

END Pathname.
