(* Some of the C library PCRE2, for 8-bit code units. For programs there is Regex. *)
<*LIBRARY "pcre2-8", "libpcre2-dev"*>
UNSAFE INTERFACE LibPcre2;

FROM Ctypes IMPORT int, unsigned_int;

CONST
  (* Options of compile. *)
  CASELESS = 16_00000008;
  DOTALL = 16_00000020;
  EXTENDED_ = 16_00000080;  (* EXTENDED is predeclared *)
  MULTILINE = 16_00000400;
  UCP = 16_00020000;
  UTF = 16_00080000;

  (* Options of match. *)
  NOTEMPTY_ATSTART = 16_00000008;
  ENDANCHORED = 16_20000000;
  ANCHORED = 16_80000000;
  NO_UTF_CHECK = 16_40000000;
  NO_JIT = 16_00002000;

  JIT_COMPLETE = 1;

  (* What pattern_info tells. *)
  INFO_CAPTURECOUNT = 4;
  INFO_JITSIZE = 10;
  INFO_NAMECOUNT = 17;
  INFO_NAMEENTRYSIZE = 18;
  INFO_NAMETABLE = 19;
  INFO_SIZE = 22;

  (* Negative results. *)
  ERROR_NOMATCH = -1;
  ERROR_UTF8_FIRST = -3;  (* to ERROR_UTF8_LAST: what is wrong with the UTF-8 *)
  ERROR_UTF8_LAST = -23;
  ERROR_JIT_STACKLIMIT = -46;

(* A size_t is an INTEGER here. Results that are addresses are NIL if there is no memory, that of
   compile also if the pattern is wrong; error codes are explained by get_error_message. *)
<*EXTERNAL "pcre2_compile_8"*>
PROCEDURE compile(pattern: ADDRESS; length: INTEGER; options: unsigned_int; VAR error: int;
                  VAR offset: INTEGER; context: ADDRESS): ADDRESS;
<*EXTERNAL "pcre2_code_free_8"*> PROCEDURE code_free(code: ADDRESS);
<*EXTERNAL "pcre2_jit_compile_8"*> PROCEDURE jit_compile(code: ADDRESS; options: unsigned_int): int;
<*EXTERNAL "pcre2_pattern_info_8"*>
PROCEDURE pattern_info(code: ADDRESS; what: unsigned_int; where: ADDRESS): int;
<*EXTERNAL "pcre2_match_context_create_8"*> PROCEDURE match_context_create(general: ADDRESS): ADDRESS;
<*EXTERNAL "pcre2_match_context_free_8"*> PROCEDURE match_context_free(context: ADDRESS);
<*EXTERNAL "pcre2_set_match_limit_8"*>
PROCEDURE set_match_limit(context: ADDRESS; limit: unsigned_int): int;
<*EXTERNAL "pcre2_match_data_create_from_pattern_8"*>
PROCEDURE match_data_create(code, general: ADDRESS): ADDRESS;
<*EXTERNAL "pcre2_match_data_free_8"*> PROCEDURE match_data_free(data: ADDRESS);
<*EXTERNAL "pcre2_match_8"*>
PROCEDURE match(code, subject: ADDRESS; length, start: INTEGER; options: unsigned_int;
                data, context: ADDRESS): int;
<*EXTERNAL "pcre2_get_ovector_pointer_8"*> PROCEDURE get_ovector(data: ADDRESS): ADDRESS;
<*EXTERNAL "pcre2_get_startchar_8"*> PROCEDURE get_startchar(data: ADDRESS): INTEGER;
<*EXTERNAL "pcre2_get_error_message_8"*>
PROCEDURE get_error_message(code: int; VAR text: ARRAY OF CHAR): int;

END LibPcre2.
