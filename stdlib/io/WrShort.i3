(* The short ways of Wr for classes of writers in the library. *)
UNSAFE INTERFACE WrShort;

(* Says about a procedure that it is a putString which, if n < hi - cur, only copies the n characters to position cur of
   the buffer and increases cur by n. Wr copies them itself then. WrClass.PutStringDefault is known to be one. Called
   while the module that has the procedure is initialised. *)
PROCEDURE PutStringCopies(putString: ADDRESS);

END WrShort.
