(* Top-level procedures by code addresses. *)
UNSAFE INTERFACE RTProcedureSRC;

IMPORT RTProcedure;

TYPE
  Name = UNTRACED REF CHAR;  (* a text of C, which stays *)

(* How many top-level procedures the program has. *)
PROCEDURE NumProcedures(): CARDINAL;

(* The top-level procedure that contains the code at address pc, as far as is known: the one that
   begins last before it. name is "Module.Proc", file the path of its source. All three are NIL if
   pc is not an address in code of Modula-3. *)
PROCEDURE FromPC(pc: ADDRESS; VAR p: RTProcedure.Proc; VAR file, name: Name);

END RTProcedureSRC.
