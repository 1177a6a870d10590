(* Numbers to and from arrays of characters. *)
INTERFACE Convert;

TYPE
  Buffer = ARRAY OF CHAR;
  Base = [2..16];
  Style = {
    Flo,     (* ddd.ddd *)
    AltFlo,  (* as Flo, without zeros at the end; the point stays *)
    Sci,     (* d.dddEdd: the letter is E for REAL, D for LONGREAL, X for EXTENDED; the exponent
                has no leading zeros, and a sign only if it is negative *)
    AltSci,  (* as Sci, without zeros at the end of the mantissa; the point stays *)
    Mix      (* the shorter of AltFlo and AltSci, without a point that ends the digits *)
  };

(* The buffer is too short. *)
EXCEPTION Failed;

(* Write the number at the start of the buffer; the result is the number of characters. If
   prefix, the base and an underscore come first. precision is the number of digits after the
   point. *)
PROCEDURE FromInt(VAR buf: Buffer; value: INTEGER; base: Base := 10; prefix: BOOLEAN := FALSE)
  : INTEGER RAISES {Failed};
PROCEDURE FromLongInt(VAR buf: Buffer; value: LONGINT; base: Base := 10; prefix: BOOLEAN := FALSE)
  : INTEGER RAISES {Failed};
PROCEDURE FromUnsigned(VAR buf: Buffer; value: INTEGER; base: Base := 10; prefix: BOOLEAN := FALSE)
  : INTEGER RAISES {Failed};
PROCEDURE FromLongUnsigned(VAR buf: Buffer; value: LONGINT; base: Base := 10;
                           prefix: BOOLEAN := FALSE): INTEGER RAISES {Failed};
PROCEDURE FromFloat(VAR buf: Buffer; value: REAL; precision: INTEGER := 6; style := Style.Mix)
  : INTEGER RAISES {Failed};
PROCEDURE FromLongFloat(VAR buf: Buffer; value: LONGREAL; precision: INTEGER := 6;
                        style := Style.Mix): INTEGER RAISES {Failed};
PROCEDURE FromExtended(VAR buf: Buffer; value: EXTENDED; precision: INTEGER := 6;
                       style := Style.Mix): INTEGER RAISES {Failed};

(* Read a number at the start of the buffer, which may have a sign and a base_; used is set to
   the number of its characters, 0 if there is no number or if it is too large. *)
PROCEDURE ToInt(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): INTEGER;
PROCEDURE ToLongInt(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): LONGINT;

(* The same without a sign. *)
PROCEDURE ToUnsigned(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): INTEGER;
PROCEDURE ToLongUnsigned(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): LONGINT;

(* Read [sign] digits [. digits] [exponent], rounded correctly. *)
PROCEDURE ToFloat(READONLY buf: Buffer; VAR used: INTEGER): REAL RAISES {Failed};
PROCEDURE ToLongFloat(READONLY buf: Buffer; VAR used: INTEGER): LONGREAL RAISES {Failed};
PROCEDURE ToExtended(READONLY buf: Buffer; VAR used: INTEGER): EXTENDED RAISES {Failed};

END Convert.
