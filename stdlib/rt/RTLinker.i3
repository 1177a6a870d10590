(* The arguments and the environment with which the program was started. *)
UNSAFE INTERFACE RTLinker;

VAR (*CONST*)
  argc: INTEGER;
  argv: ADDRESS;  (* to argc C strings, and NIL after them *)
  envp: ADDRESS;  (* to the strings NAME=VALUE, and NIL after them *)

END RTLinker.
