(* The calling thread's floating-point state, for FloatMode. Rounding modes are ORD of a
   FloatMode.RoundingMode, the first four; flags are words with bit ORD(f) for a flag f. *)
UNSAFE INTERFACE RTFloat;

<*EXTERNAL "tn_float_set_rounding"*> PROCEDURE SetRounding(mode: INTEGER);
<*EXTERNAL "tn_float_get_rounding"*> PROCEDURE GetRounding(): INTEGER;
<*EXTERNAL "tn_float_set_flags"*> PROCEDURE SetFlags(flags: INTEGER);
<*EXTERNAL "tn_float_get_flags"*> PROCEDURE GetFlags(): INTEGER;

(* Flags that FloatMode does not show; kept for each thread. *)
<*EXTERNAL "tn_float_set_ignored"*> PROCEDURE SetIgnored(flags: INTEGER);
<*EXTERNAL "tn_float_get_ignored"*> PROCEDURE GetIgnored(): INTEGER;

(* x times 2 to the power of n; square roots. Rounded as the mode says. *)
<*EXTERNAL "tn_float_scalb"*> PROCEDURE Scalb(x: LONGREAL; n: INTEGER): LONGREAL;
<*EXTERNAL "tn_float32_scalb"*> PROCEDURE ScalbReal(x: REAL; n: INTEGER): REAL;
<*EXTERNAL "sqrt"*> PROCEDURE Sqrt(x: LONGREAL): LONGREAL;
<*EXTERNAL "sqrtf"*> PROCEDURE SqrtReal(x: REAL): REAL;

END RTFloat.
