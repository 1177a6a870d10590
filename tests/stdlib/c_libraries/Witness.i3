(* Programs that a test asks for results, to compare them with those of another implementation. *)
INTERFACE Witness;

TYPE
  Words = ARRAY OF TEXT;
  Answer = PROCEDURE (READONLY words: Words): TEXT RAISES ANY;

(* For each line of standard input, prints a line with the answer to its words, which blanks divide.
   An exception is answered by "error". *)
PROCEDURE Run(answer: Answer);

(* Bytes as hexadecimal digits, and back. "-" stands for no bytes. *)
PROCEDURE Bytes(hex: TEXT): TEXT;
PROCEDURE Hex(bytes: TEXT): TEXT;

END Witness.
