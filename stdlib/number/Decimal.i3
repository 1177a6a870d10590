(* Exact decimal numbers, as money needs them: an integer of units and a scale, the number of digits behind the point.
   No operation loses a digit unless it is told to which scale and how to round.

   Example:

       MODULE Main;
       IMPORT Decimal, IO;
       VAR price, tax, total: Decimal.T;  shares: REF ARRAY OF Decimal.T;
       BEGIN
         TRY
           price := Decimal.Parse("1299.95");
           tax := Decimal.Times(price, Decimal.Parse("0.19"), scale := 2, rounding := Decimal.Rounding.HalfUp);
           total := Decimal.Add(price, tax);
           IO.Put(Decimal.ToText(tax) & " " & Decimal.ToText(total, thousands := ",") & "\n");
           shares := Decimal.Share(total, ARRAY OF CARDINAL{1, 1, 1});
           FOR i := 0 TO 2 DO IO.Put(Decimal.ToText(shares[i]) & " ") END;
           IO.Put("\n" & Decimal.ToText(Decimal.Divide(total, Decimal.Of(7), scale := 4)) & "\n");
           EVAL Decimal.Multiply(Decimal.Of(LAST(INTEGER)), Decimal.Of(10));
         EXCEPT
         | Decimal.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       246.99 1,546.94
       515.65 515.65 515.64
       220.9914
       9223372036854775807 * 10 does not fit 9223372036854775807 units of scale 0
*)
INTERFACE Decimal;

IMPORT Word;

EXCEPTION Error(TEXT);

CONST
  Brand = "Decimal";

TYPE
  Scale = [0..18];
  Units = [-LAST(INTEGER)..LAST(INTEGER)];

  (* units / 10^scale. 1.5 and 1.50 are different records, but Equal. *)
  T = RECORD
    units: Units := 0;
    scale: Scale := 0;
  END;

  Rounding = {
    HalfEven,  (* to the nearest number, and from the middle to the even digit *)
    HalfUp,    (* to the nearest, and from the middle away from zero *)
    HalfDown,  (* to the nearest, and from the middle towards zero *)
    Down,      (* towards zero *)
    Up,        (* away from zero *)
    Floor, Ceiling
  };

(* units / 10^scale. *)
PROCEDURE Of(units: Units; scale: Scale := 0): T;

(* Exact. The scale of sum and difference is the greater of both, that of the product the sum of both. Error if that is
   more than 18, or the units do not fit. *)
PROCEDURE Add(a, b: T): T RAISES {Error};
PROCEDURE Subtract(a, b: T): T RAISES {Error};
PROCEDURE Multiply(a, b: T): T RAISES {Error};

(* Rounded once, from the exact result, to this scale. Error if the units do not fit, or b is 0 in Divide. *)
PROCEDURE Times(a, b: T; scale: Scale; rounding := Rounding.HalfEven): T RAISES {Error};
PROCEDURE Divide(a, b: T; scale: Scale; rounding := Rounding.HalfEven): T RAISES {Error};
PROCEDURE Round(a: T; scale: Scale; rounding := Rounding.HalfEven): T RAISES {Error};

PROCEDURE Negative(a: T): T;
PROCEDURE Absolute(a: T): T;

(* By value: Equal(1.5, 1.50), and both have one hash. *)
PROCEDURE Compare(a, b: T): [-1..1];
PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;

(* The same value with the least scale. *)
PROCEDURE Normal(a: T): T;

(* Parts of a, of a's scale, whose sum is a: each in proportion to its weight, and none farther from that than a unit.
   Of the units that are left, parts with the greatest remainders get one each, earlier ones first. Error if all weights
   are 0 or their sum does not fit. *)
PROCEDURE Share(a: T; READONLY weights: ARRAY OF CARDINAL): REF ARRAY OF T RAISES {Error};

(* All digits, with a - for negative numbers; `thousands` between groups of three digits in front of the point. *)
PROCEDURE ToText(a: T; thousands := ""; point := "."): TEXT;

(* [sign] digits [. digits], with the scale that is written. `thousands`, if not empty, may stand between groups of
   three digits, then between all of them. Error says what is wrong at which character; also for more digits than
   fit. *)
PROCEDURE Parse(t: TEXT; thousands := ""; point := "."): T RAISES {Error};

(* The integer; Error if a is none. The nearest LONGREAL. *)
PROCEDURE ToInt(a: T): INTEGER RAISES {Error};
PROCEDURE ToLongReal(a: T): LONGREAL;

END Decimal.
