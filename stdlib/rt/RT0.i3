(* The names of the run time's own structures that programs use; what is behind an address is the
   run time's business. *)
INTERFACE RT0;

TYPE
  Typecode = [0..16_FFFFF];
  TypeDefn = ADDRESS;      (* the descriptor of a type *)
  ExceptionPtr = ADDRESS;  (* the descriptor of an exception *)

END RT0.
