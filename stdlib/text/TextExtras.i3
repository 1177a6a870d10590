(* More operations on texts. An index parameter gives the start of a search, and is set to its
   end. Only the letters of ASCII have upper and lower case. *)
INTERFACE TextExtras;

IMPORT ASCII;

TYPE
  T = TEXT;

(* Ignoring case. *)
PROCEDURE CIEqual(t, u: T): BOOLEAN;
PROCEDURE CICompare(t, u: T): INTEGER;
PROCEDURE CIHash(t: T): INTEGER;

(* The result is negative, zero or positive. *)
PROCEDURE Compare(t, u: T): INTEGER;

(* Whether t has such a character or text at or after index. If so, index is set to its position,
   else to the length of t. *)
PROCEDURE FindChar(t: T; ch: CHAR; VAR index: CARDINAL): BOOLEAN;
PROCEDURE FindCharSet(t: T; READONLY charSet: ASCII.Set; VAR index: CARDINAL): BOOLEAN;
PROCEDURE FindSub(t, sub: T; VAR index: CARDINAL): BOOLEAN;

(* The characters fx .. tx - 1. *)
PROCEDURE Extract(t: T; fx, tx: CARDINAL): T;

(* The arguments joined to one text; for Join, up to the first NIL. *)
PROCEDURE Join(t1, t2, t3, t4, t5: T := NIL): T;
PROCEDURE JoinN(READONLY texts: ARRAY OF TEXT): T;

(* Whether t matches the pattern: * stands for any characters, ? for any single character, \x for
   x itself. *)
PROCEDURE PatternMatch(t, pattern: TEXT): BOOLEAN;

END TextExtras.
