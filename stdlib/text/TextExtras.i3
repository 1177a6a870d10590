(* More operations on texts. An index parameter says where to begin, and is set to where the search
   ended. Case matters only to the letters of ASCII. *)
INTERFACE TextExtras;

IMPORT ASCII;

TYPE
  T = TEXT;

(* Ignoring case. *)
PROCEDURE CIEqual(t, u: T): BOOLEAN;
PROCEDURE CICompare(t, u: T): INTEGER;
PROCEDURE CIHash(t: T): INTEGER;

(* Negative, zero or positive. *)
PROCEDURE Compare(t, u: T): INTEGER;

(* Whether there is such a character, or such a text, at or after index, which becomes its position;
   if there is none, index becomes the length of t. *)
PROCEDURE FindChar(t: T; ch: CHAR; VAR index: CARDINAL): BOOLEAN;
PROCEDURE FindCharSet(t: T; READONLY charSet: ASCII.Set; VAR index: CARDINAL): BOOLEAN;
PROCEDURE FindSub(t, sub: T; VAR index: CARDINAL): BOOLEAN;

(* The characters fx .. tx - 1. *)
PROCEDURE Extract(t: T; fx, tx: CARDINAL): T;

(* One text of all, for Join up to the first that is NIL. *)
PROCEDURE Join(t1, t2, t3, t4, t5: T := NIL): T;
PROCEDURE JoinN(READONLY texts: ARRAY OF TEXT): T;

(* Whether t is as the pattern says: * stands for any characters, ? for any one, \x for x itself. *)
PROCEDURE PatternMatch(t, pattern: TEXT): BOOLEAN;

END TextExtras.
