(* A library as text, the same for equal graphs: lab/oo7/export.h writes the same lines for the systems of
   the laboratory. *)
INTERFACE OO7Export;

IMPORT OO7, Thread, Wr;

(* A line for each object but connections and uses, which stand with their parts. *)
PROCEDURE Export(library: OO7.Library; wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted};

END OO7Export.
