(* golden: run, -w *)
(* Sets: big and small, of all bases, in records and arrays, as arguments and results; text and character literals. *)
MODULE Main;
IMPORT IO, Fmt, Text;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  Small = SET OF [0..7]; Big = SET OF [-100 .. 300]; CS = SET OF CHAR; ES = SET OF {x, y, z};
  Color = {red, green, blue}; CoS = SET OF Color; BS = SET OF BOOLEAN; S64 = SET OF [1..64]; S65 = SET OF [1..65]; S1 = SET OF [5..5];
  Empty = SET OF [1..0]; WS = SET OF WIDECHAR; Huge = SET OF [0..65535]; Neg = SET OF [-3..3]; SubS = SET OF [Color.green..Color.blue];
  R = RECORD a: CHAR; s: Small := Small{1, 3}; b: Big; c: CHAR END;
CONST
  Digits = CS{'0'..'9'}; Letters = CS{'a'..'z', 'A'..'Z'}; Alnum = Digits + Letters; Odd = Small{1, 3, 5, 7}; None = Small{};
  Diff = Small{0..7} - Odd; Inter = Small{0..3} * Odd; Sym = Small{0..3} / Odd; B1 = Small{1} < Odd; B2 = Odd <= Odd; B3 = Odd < Odd; B4 = Odd >= Small{7}; B5 = 3 IN Odd;
  BigC = Big{-100, 0..70, 299, 300};
VAR big: Big; sm: Small; r: R; rs: ARRAY [0..3] OF R; ra: REF ARRAY OF Big; one: S1; s64: S64; s65: S65; em: Empty; h: Huge; ng: Neg; ws: WS; ss: SubS;
PROCEDURE Count(READONLY b: Big): INTEGER = VAR n := 0; BEGIN FOR i := -100 TO 300 DO IF i IN b THEN INC(n) END END; RETURN n END Count;
PROCEDURE Id(i: INTEGER): INTEGER = BEGIN RETURN i END Id;
PROCEDURE Make(lo, hi: INTEGER): Big = BEGIN RETURN Big{lo..hi} END Make;
PROCEDURE Val(b: Big; s: Small := Odd): INTEGER = BEGIN b := b + Big{1, 2}; RETURN Count(b) + ORD(3 IN s) END Val;
PROCEDURE Upd(VAR b: Big; e: INTEGER) = BEGIN b := b + Big{e} END Upd;
PROCEDURE ByRef(VAR s: Small; READONLY t: Small) = BEGIN s := s / t END ByRef;
BEGIN
  Ck(Diff = Small{0, 2, 4, 6} AND Inter = Small{1, 3} AND Sym = Small{0, 2, 5, 7}, 1);
  Ck(B1 AND B2 AND NOT B3 AND B4 AND B5 AND None = Small{}, 2);
  Ck('5' IN Alnum AND NOT '_' IN Alnum AND '\377' IN CS{'\200'..'\377'}, 3);
  Ck(Count(BigC) = 74, 4);
  big := Make(Id(-5), Id(200)); Ck(Count(big) = 206, 5);
  big := Make(Id(5), Id(4)); Ck(big = Big{} AND Count(big) = 0, 6);
  big := Make(Id(-100), Id(300)); Ck(Count(big) = 401, 7);
  big := Make(63, 64) + Make(Id(-37), Id(-36)); Ck(Count(big) = 4, 8);
  Ck(NOT -101 IN big AND NOT 301 IN big AND NOT Id(-101) IN big AND NOT Id(LAST(INTEGER)) IN big AND NOT Id(FIRST(INTEGER)) IN big, 9);
  big := Make(0, 99); Ck(Val(big) = 101 AND Count(big) = 100, 10);
  Upd(big, 250); Ck(250 IN big AND Count(big) = 101, 11);
  Ck(big * Make(90, 300) = Make(90, 99) + Big{250}, 12);
  Ck(big - Make(0, 98) = Big{99, 250} AND big / Make(0, 99) = Big{250}, 13);
  Ck(Big{99} <= big AND Big{99} < big AND NOT big < big AND big >= big AND big > Big{} AND NOT Big{100} <= big, 14);
  Ck(Big{1} # Big{2} AND NOT (Big{1} <= Big{2}) AND NOT (Big{1} >= Big{2}), 15);
  sm := Odd; ByRef(sm, sm); Ck(sm = None, 16);
  sm := Odd; ByRef(sm, Small{7}); Ck(sm = Small{1, 3, 5}, 17);
  Ck(r.s = Small{1, 3}, 18); r.b := Make(0, 10); r.a := 'q'; r.c := 'z'; r.s := Small{0..7}; Ck(r.a = 'q' AND r.c = 'z' AND Count(r.b) = 11, 19);
  rs[2] := r; rs[1].b := rs[2].b * Make(5, 300); Ck(rs[1].b = Make(5, 10) AND rs[2] = r AND rs[1] # r, 20);
  ra := NEW(REF ARRAY OF Big, 4); FOR i := 0 TO 3 DO ra[i] := Make(i, i + 1) END; Ck(ra[3] + ra[0] = Big{0, 1, 3, 4}, 21);
  Ck(ra[0] = Big{0, 1}, 22);
  one := S1{5}; Ck(one # S1{} AND 5 IN one AND NOT 4 IN one AND NOT 6 IN one, 23);
  s64 := S64{1, 64}; Ck(64 IN s64 AND 1 IN s64 AND NOT 0 IN s64 AND NOT 65 IN s64 AND s64 # S64{1..64} AND S64{1..64} - s64 = S64{2..63}, 24);
  s65 := S65{Id(1)..Id(65)}; Ck(s65 = S65{1..65} AND 65 IN s65 AND s65 - S65{65} = S65{1..64}, 25);
  Ck(em = Empty{} AND NOT 1 IN em AND em <= em AND NOT em < em, 26);
  h := Huge{0, 65535, Id(1000)..Id(2000)}; VAR n := 0; BEGIN FOR i := 0 TO 65535 DO IF i IN h THEN INC(n) END END; Ck(n = 1003, 27) END;
  ng := Neg{-3, -1..1}; Ck(-3 IN ng AND 0 IN ng AND NOT 2 IN ng AND ng + Neg{2, 3, -2} = Neg{-3..3}, 28);
  ws := WS{W'a'..W'z', W'\x1234'}; Ck(W'm' IN ws AND W'\x1234' IN ws AND NOT W'\x1235' IN ws, 29);
  ss := SubS{Color.green}; Ck(Color.green IN ss AND NOT Color.red IN ss AND NOT Color.blue IN ss, 30);
  Ck(FALSE IN BS{FALSE} AND NOT TRUE IN BS{FALSE} AND Color.red IN CoS{Color.red..Color.green}, 31);
  Ck(NOT Id(5) IN Small{} AND NOT Id(1000) IN Small{0..7} AND NOT Id(-1) IN Small{0..7}, 32);
  Ck(Small{Id(1), Id(2)..Id(4), Id(7)} = Small{1..4, 7}, 33);
  Ck(Small{Id(6)..Id(2)} = Small{} AND Small{6..2} = Small{}, 34);
  WITH s = sm DO s := Small{2}; Ck(sm = Small{2}, 35) END;
  WITH s = sm + Small{3} DO sm := None; Ck(s = Small{2, 3}, 36) END;
  Ck(BITSIZE(Small) <= 64 AND BYTESIZE(Big) >= 51, 37);
  (* literals *)
  Ck(ORD('\n') = 10 AND ORD('\t') = 9 AND ORD('\r') = 13 AND ORD('\f') = 12 AND ORD('\\') = 92 AND ORD('\'') = 39 AND ORD('\"') = 34 AND ORD('"') = 34, 38);
  Ck(ORD('\000') = 0 AND ORD('\377') = 255 AND ORD('\x41') = 65 AND ORD('\XfF') = 255, 39);
  Ck(Text.Length("\n\t\\\'\"\101\x42'") = 8 AND Text.GetChar("\n\t\\\'\"\101\x42'", 5) = 'A' AND Text.GetChar("\n\t\\\'\"\101\x42'", 6) = 'B', 40);
  Ck(Text.Length("") = 0 AND "" # NIL AND Text.Length("a" & "" & "b") = 2 AND Text.Equal("ab" & "cd", "abcd"), 41);
  Ck(Text.Length("a\000b") = 3 AND Text.GetChar("a\000b", 1) = '\000' AND Text.Equal("a\000b", "a" & "\000" & "b"), 42);
  Ck(ORD(W'\x0041') = 65 AND ORD(W'\000101') = 65 AND ORD(W'a') = 97 AND ORD(W'\n') = 10 AND ORD(W'\xFFFF') = 65535, 43);
  Ck(Text.Length(W"abc\x1234") = 4 AND Text.GetWideChar(W"abc\x1234", 3) = W'\x1234' AND Text.HasWideChars(W"\x1234") AND NOT Text.HasWideChars("abc"), 44);
  Ck(Text.Equal(W"abc", "abc") AND Text.Length("abc" & W"\x1234") = 4 AND Text.GetWideChar("abc" & W"\x1234", 0) = W'a', 45);
  VAR w: WIDECHAR := 'a'; c: CHAR := W'b'; BEGIN Ck(w = W'a' AND c = 'b', 46); w := c; c := w; Ck(w = W'b' AND ORD(w) = ORD(c), 47) END;
  Ck('\001' < 'a' AND 'a' <= 'a' AND 'Z' < 'a' AND MAX('a', 'Z') = 'a', 48);
  Ck(Text.Compare("abc", "abd") < 0 AND Text.Compare("b", "abc") > 0 AND Text.Compare("", "") = 0 AND Text.Compare("ab", "abc") < 0, 49);
  Ck(Text.FindChar("hello", 'l') = 2 AND Text.FindChar("hello", 'l', 3) = 3 AND Text.FindCharR("hello", 'l') = 3 AND Text.FindChar("hello", 'z') = -1, 50);
  Ck(Text.Equal(Text.Sub("hello", 1, 3), "ell") AND Text.Equal(Text.Sub("hello", 3), "lo") AND Text.Equal(Text.Sub("hello", 9, 3), "") AND Text.Equal(Text.Sub("hello", 2, 0), ""), 51);
  Ck(Text.Equal(Text.FromChar('q'), "q") AND Text.Equal(Text.FromChars(ARRAY OF CHAR{'a', 'b'}), "ab") AND Text.Empty("") AND NOT Text.Empty("a"), 52);
  VAR buf: ARRAY [0..4] OF CHAR; BEGIN buf := ARRAY [0..4] OF CHAR{'.', ..}; Text.SetChars(buf, "hi"); Ck(buf[0] = 'h' AND buf[1] = 'i' AND buf[2] = '.', 53); Text.SetChars(buf, "longer text", 3); Ck(buf[0] = 'g' AND buf[4] = 't', 54) END;
  Ck(Text.Hash("abc") = Text.Hash("a" & "bc") AND Text.Hash("a") # Text.Hash("b"), 55);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
