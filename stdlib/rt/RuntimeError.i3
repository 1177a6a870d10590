(* The exception that a checked run-time error raises. *)
INTERFACE RuntimeError;

IMPORT RT0;

TYPE
  (* The order is that of the run time's own table. *)
  T = {AssertFailed, ValueOutOfRange, SubscriptOutOfRange, IncompatibleArrayShape,
       BadMemoryReference, NarrowFailed, NoReturnValue, UnhandledCase, UnhandledTypecase,
       StackOverflow, OutOfMemory, UnalignedAddress, UnhandledException, BlockedException,
       IntegerOverflow, IntegerDivideByZero, FloatDivideByZero, FloatOverflow, FloatUnderflow,
       FloatInexact, FloatInvalid, DuplicateBrand, MissingType, SupertypeCycle,
       OpaqueTypeRedefined, InconsistentRevelation, UndefinedMethod, PrivilegedInstruction,
       SystemError, Unknown};

(* This exception is in every raises set. *)
<*IMPLICIT*> EXCEPTION E(T);

(* A readable text for the error: "value out of range". *)
PROCEDURE Tag(t: T): TEXT;

(* Raises E(t). *)
PROCEDURE Raise(t: T);

(* The descriptor of E. *)
PROCEDURE Self(): RT0.ExceptionPtr;

END RuntimeError.
