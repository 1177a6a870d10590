(* The two directions of the plane. *)
INTERFACE Axis;

TYPE
  T = {Hor, Ver};

CONST
  Other = ARRAY T OF T{T.Ver, T.Hor};

END Axis.
