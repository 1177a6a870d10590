(* golden: run, -w *)
(* Sets of every size. *)
MODULE Main;

IMPORT IO;

TYPE
  Small = SET OF [0..7];
  Shifted = SET OF [10..40];
  Word = SET OF [0..63];
  Chars = SET OF CHAR;
  Colour = {Red, Green, Blue};

PROCEDURE Bool(b: BOOLEAN) =
  BEGIN
    IF b THEN IO.Put("T ") ELSE IO.Put("F ") END;
  END Bool;

PROCEDURE Line() =
  BEGIN
    IO.Put(".\n");
  END Line;

PROCEDURE ShowChars(s: Chars) =
  BEGIN
    FOR c := FIRST(CHAR) TO LAST(CHAR) DO IF c IN s THEN IO.PutChar(c) END END;
  END ShowChars;

PROCEDURE Vowels(): Chars =
  BEGIN
    RETURN Chars{'a', 'e', 'i', 'o', 'u'};
  END Vowels;

PROCEDURE Insert(VAR s: Chars; c: CHAR) =
  BEGIN
    s := s + Chars{c};
  END Insert;

VAR
  s: Small;  t := Small{1, 3 .. 5};  h := Shifted{10, 40};  w: Word;  c, e: Chars;
  lo := 3;  hi := 2;  n := 100;  colours := SET OF Colour{Colour.Red};

BEGIN
  s := Small{lo .. 7} * t; Bool(s = Small{3, 4, 5}); s := Small{lo .. hi}; Bool(s = Small{}); s := t - Small{3}; Bool(3 IN s); Bool(1 IN s); Line();
  Bool(10 IN h); Bool(40 IN h); Bool(39 IN h); Bool(n IN h); Bool(-1 IN Small{1}); h := h / Shifted{40, 41 - 10}; Bool(40 IN h); Bool(31 IN h); Line();
  w := Word{0 .. 63}; Bool(63 IN w); w := w - Word{63}; Bool(w < Word{0 .. 63}); Bool(Word{0} <= w); Bool(w >= w); Bool(w > w); Line();
  c := Chars{'a' .. 'f', 'x'}; ShowChars(c * Vowels()); IO.Put(" "); ShowChars(c - Vowels()); IO.Put(" ");
  ShowChars(c / Vowels()); IO.Put(" "); Insert(c, 'z'); ShowChars(c); Line();
  e := c; Bool(e = c); e := e - Chars{'x'}; Bool(e # c); Bool(e < c); Bool(c <= e); Bool(c >= Chars{'a'}); Bool('z' IN e); Bool('x' IN e); Line();
  Bool(Colour.Red IN colours); Bool(Colour.Blue IN colours); Bool(colours = SET OF Colour{Colour.Red}); Line();
END Main.
(* expect: T T F T . *)
(* expect: T T F F F F T . *)
(* expect: T T T T F . *)
(* expect: ae bcdfx bcdfioux abcdefxz. *)
(* expect: T T T F T T F . *)
(* expect: T F T . *)
