(* The syntax of file names; nothing here looks at the file system. An arc may be empty: "a//b" has
   three, "a/" has two, the last of which is "". "" and "/" have none. *)
INTERFACE Pathname;

IMPORT TextSeq;

TYPE
  T = TEXT;

  (* Element 0 is the root's name, "/", or NIL if the name is relative; the others are the arcs. *)
  Arcs = TextSeq.T;

EXCEPTION
  Invalid;  (* no name, or no arcs, can look so *)

VAR (*CONST*)
  Parent: TEXT;   (* ".." *)
  Current: TEXT;  (* "." *)

(* Whether pn is a name at all; its arcs; the name that has these arcs; whether it begins at the root.
   Compose(Decompose(pn)) is pn for every valid pn. Decompose raises Invalid if pn is not valid, Compose
   if there is no such name: an arc is NIL or has a slash or a zero character in it, element 0 is missing
   or another root, or the name is relative and an empty arc comes before others. *)
PROCEDURE Valid(pn: T): BOOLEAN;
PROCEDURE Decompose(pn: T): Arcs RAISES {Invalid};
PROCEDURE Compose(a: Arcs): T RAISES {Invalid};
PROCEDURE Absolute(pn: T): BOOLEAN;

(* All but the last arc, and the last arc, which is "" if pn ends in a slash. *)
PROCEDURE Prefix(pn: T): T;
PROCEDURE Last(pn: T): T;

(* pn without the extension of its last arc; that arc without it; that extension without its dot, ""
   if there is none; pn with another one. *)
PROCEDURE Base(pn: T): T;
PROCEDURE LastBase(pn: T): T;
PROCEDURE LastExt(pn: T): TEXT;
PROCEDURE ReplaceExt(pn: T; ext: TEXT): T;

(* pn/base.ext, without what is NIL; a pn that ends in a slash gets no second one. base must be relative
   if pn is not NIL. *)
PROCEDURE Join(pn, base: T; ext: TEXT := NIL): T;

END Pathname.
