(* Pseudo-random numbers. *)
INTERFACE Random;

TYPE
  T = OBJECT METHODS
    (* Uniform in [min..max]; a checked run-time error if min > max. *)
    integer(min := FIRST(INTEGER); max := LAST(INTEGER)): INTEGER;

    (* Uniform in [min..max), for min < max. A checked run-time error if one of them is an
       infinity or a NaN. *)
    real(min := 0.0e+0; max := 1.0e+0): REAL;
    longreal(min := 0.0d+0; max := 1.0d+0): LONGREAL;
    extended(min := 0.0x+0; max := 1.0x+0): EXTENDED;

    boolean(): BOOLEAN;
  END;

  Default <: T OBJECT METHODS
    (* If fixed, the numbers are the same in every run. *)
    init(fixed := FALSE): Default;
  END;

END Random.
