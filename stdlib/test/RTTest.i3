(* The run time's procedures for tests. *)
UNSAFE INTERFACE RTTest;

(* The code of the n-th top-level procedure of the program that has a signature like that of the
   procedure `like`: formals of the same modes and types, and the same result; its name,
   "Module.Proc". NIL behind the last. *)
<*EXTERNAL "tn_test_procedure"*> PROCEDURE Procedure(like: ADDRESS; n: INTEGER): ADDRESS;
<*EXTERNAL "tn_test_procedure_name"*> PROCEDURE ProcedureName(like: ADDRESS; n: INTEGER): TEXT;

(* "FILE:LINE" of the innermost caller that is in no module of the library for tests; empty if it
   is not known. *)
<*EXTERNAL "tn_test_place"*> PROCEDURE Place(): TEXT;

(* From now on each exception remembers where it was raised, for Describe. *)
<*EXTERNAL "tn_test_remember_raises"*> PROCEDURE RememberRaises();

(* An exception, from Compiler.ThisException: which 0 is its name, 1 a line that tells what it is,
   2 "FILE:LINE" of the raise, 3 the stack of the raise, a line for each frame. *)
<*EXTERNAL "tn_test_exception"*> PROCEDURE Describe(activation: ADDRESS; which: INTEGER): TEXT;

(* Appends the line to the file of results; -errno if that fails. *)
<*EXTERNAL "tn_test_write"*> PROCEDURE Write(READONLY path, line: ARRAY OF CHAR): INTEGER;

(* Makes a new directory in the directory; NIL if that is impossible. Removes one with all that is
   in it. *)
<*EXTERNAL "tn_test_make_directory"*> PROCEDURE MakeDirectory(READONLY in: ARRAY OF CHAR): TEXT;
<*EXTERNAL "tn_test_remove_directory"*> PROCEDURE RemoveDirectory(READONLY path: ARRAY OF CHAR);

END RTTest.
