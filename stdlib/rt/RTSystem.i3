(* The run time's procedures for the library: process, time, numbers, collector, errors. A
   negative INTEGER result is -errno. *)
UNSAFE INTERFACE RTSystem;

(* Run-time errors. `code` is ORD of a RuntimeError.T. *)
<*EXTERNAL "tn_runtime_error_text"*> PROCEDURE ErrorText(code: INTEGER): TEXT;
<*EXTERNAL "tn_raise_runtime_error"*> PROCEDURE RaiseError(code: INTEGER);
(* As in RTReport. *)
<*EXTERNAL "tn_raise_subscript"*> PROCEDURE RaiseSubscript(i, n: INTEGER);
<*EXTERNAL "tn_explain_next"*> PROCEDURE ExplainNext(READONLY words: ARRAY OF CHAR);
<*EXTERNAL "tn_end_if_unread"*> PROCEDURE EndIfUnread();

(* The process. Actions registered with AtExit run when the program ends, in whatever way, the
   last registered first. *)
TYPE Action = PROCEDURE ();
<*EXTERNAL "tn_at_exit"*> PROCEDURE AtExit(p: Action);
<*EXTERNAL "tn_exit"*> PROCEDURE Exit(status: INTEGER);
(* For an action: reports the errno of a failed write to the standard output (0: not known), and
   changes an exit status of 0 to 1. *)
<*EXTERNAL "tn_output_is_lost"*> PROCEDURE OutputIsLost(errno: INTEGER);
<*EXTERNAL "tn_crash"*> PROCEDURE Crash(READONLY message: ARRAY OF CHAR);
<*EXTERNAL "tn_process_id"*> PROCEDURE ProcessId(): INTEGER;
<*EXTERNAL "tn_argument_count"*> PROCEDURE ArgumentCount(): INTEGER;
<*EXTERNAL "tn_argument"*> PROCEDURE Argument(n: INTEGER): TEXT;
<*EXTERNAL "tn_environment"*> PROCEDURE Environment(READONLY name: ARRAY OF CHAR): TEXT;
<*EXTERNAL "tn_environment_count"*> PROCEDURE EnvironmentCount(): INTEGER;
<*EXTERNAL "tn_environment_entry"*> PROCEDURE EnvironmentEntry(n: INTEGER): TEXT;
<*EXTERNAL "tn_parameter_count"*> PROCEDURE ParameterCount(): INTEGER;
<*EXTERNAL "tn_parameter"*> PROCEDURE Parameter(n: INTEGER): TEXT;

(* Children. Each list has its strings with a zero after each; a descriptor of -1 means no file. *)
<*EXTERNAL "tn_child_create"*>
PROCEDURE CreateChild(READONLY command, arguments: ARRAY OF CHAR; hasEnvironment: INTEGER;
                      READONLY environment, directory: ARRAY OF CHAR;
                      stdin, stdout, stderr: INTEGER): INTEGER;
<*EXTERNAL "tn_child_wait"*> PROCEDURE WaitForChild(id: INTEGER): INTEGER;

TYPE Handler = PROCEDURE ();
<*EXTERNAL "tn_register_fork_handlers"*>
PROCEDURE RegisterForkHandlers(prep, parent, child: Handler): INTEGER;
<*EXTERNAL "tn_fork"*> PROCEDURE Fork(): INTEGER;

(* The interrupt key: sets whether an interrupt is counted or ends the program; waits until more
   than `seen` interrupts have been counted, and returns their number. *)
<*EXTERNAL "tn_interrupt_catch"*> PROCEDURE CatchInterrupts(on: BOOLEAN);
<*EXTERNAL "tn_interrupt_await"*> PROCEDURE AwaitInterrupt(seen: INTEGER): INTEGER;

(* 0 host name, 1 processor, 2 system, 3 its version, 4 user, 5 home directory. *)
<*EXTERNAL "tn_system_fact"*> PROCEDURE Fact(which: INTEGER): TEXT;

(* Time. Pieces are year, month 0..11, day, hour, minute, second, offset (seconds, positive
   west), weekday (0 = Sunday); TimePieces returns the zone's name; TimeFromPieces returns a NaN
   for an invalid date. *)
<*EXTERNAL "tn_time_now"*> PROCEDURE TimeNow(): LONGREAL;
<*EXTERNAL "tn_time_grain"*> PROCEDURE TimeGrain(): LONGREAL;
<*EXTERNAL "tn_tick_now"*> PROCEDURE TickNow(): INTEGER;  (* nanoseconds *)
<*EXTERNAL "tn_time_pause"*> PROCEDURE Pause(seconds: LONGREAL);
<*EXTERNAL "tn_time_pieces"*>
PROCEDURE TimePieces(t: LONGREAL; utc: BOOLEAN; VAR p: ARRAY OF INTEGER): TEXT;
<*EXTERNAL "tn_time_from_pieces"*>
PROCEDURE TimeFromPieces(READONLY p: ARRAY OF INTEGER): LONGREAL;

(* Numbers. Finds the shortest digits that read back as the absolute value of x, which is d.ddd
   times ten to the power of exponent. Returns the number of digits, -1 for an infinity, -2 for a
   NaN. *)
<*EXTERNAL "tn_real_shortest"*>
PROCEDURE Shortest(x: LONGREAL; VAR digits: ARRAY OF CHAR; VAR exponent: INTEGER): INTEGER;
<*EXTERNAL "tn_real32_shortest"*>
PROCEDURE ShortestReal(x: REAL; VAR digits: ARRAY OF CHAR; VAR exponent: INTEGER): INTEGER;
(* The digits of the word n, after a minus sign if negative. *)
<*EXTERNAL "tn_integer_text"*>
PROCEDURE IntegerText(n, base: INTEGER; negative: BOOLEAN): TEXT;
(* Puts these characters into the array; returns their number, or -1 if the array is too short, which is not changed
   then. *)
<*EXTERNAL "tn_integer_chars"*>
PROCEDURE IntegerChars(n, base: INTEGER; negative: BOOLEAN; VAR a: ARRAY OF CHAR): INTEGER;
(* The text that Fmt makes of x with the shortest digits and no exponent; NIL if x needs an
   exponent or is not finite. *)
<*EXTERNAL "tn_real_text"*>
PROCEDURE RealText(x: LONGREAL): TEXT;
(* As C's %.nf, if that has at most `digits` digits, 15 of which a LONGREAL keeps and 6 a REAL: then these are also the
   shortest digits of x if there is room for those. NIL if there are more. *)
<*EXTERNAL "tn_real_fixed_text"*>
PROCEDURE FixedText(x: LONGREAL; decimals, digits: INTEGER): TEXT;
(* As C's %.nf and %.ne; returns the length, or -1 if the array is too short. *)
<*EXTERNAL "tn_real_fixed"*>
PROCEDURE Fixed(x: LONGREAL; decimals: INTEGER; VAR a: ARRAY OF CHAR): INTEGER;
<*EXTERNAL "tn_real_scientific"*>
PROCEDURE Scientific(x: LONGREAL; decimals: INTEGER; VAR a: ARRAY OF CHAR): INTEGER;
(* Reads [sign] digits [. digits] [exponent]; sets `used` to the number of characters read, 0 if
   there is no number. *)
<*EXTERNAL "tn_real_parse"*>
PROCEDURE Parse(READONLY a: ARRAY OF CHAR; VAR used: INTEGER): LONGREAL;
<*EXTERNAL "tn_real32_parse"*>
PROCEDURE ParseReal(READONLY a: ARRAY OF CHAR; VAR used: INTEGER): REAL;
<*EXTERNAL "tn_random_seed"*> PROCEDURE RandomSeed(): INTEGER;

(* The collector. Statistics: 0 minor collections, 1 major collections, 2 bytes live after the last
   major one, 3 bytes of heap, 4 bytes allocated, 5 microseconds of processor time of all pauses. *)
<*EXTERNAL "tn_gc_collect"*> PROCEDURE Collect();
<*EXTERNAL "tn_gc_collect_young"*> PROCEDURE CollectYoung();
<*EXTERNAL "tn_gc_disable"*> PROCEDURE DisableCollector();
<*EXTERNAL "tn_gc_enable"*> PROCEDURE EnableCollector();
<*EXTERNAL "tn_gc_statistic"*> PROCEDURE CollectorStatistic(which: INTEGER): INTEGER;

END RTSystem.
