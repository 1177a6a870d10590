(* golden: run, with lib/Check *)
(* Tokens, identifiers, literals, comments and pragmas
   (language.md 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 1.10, 2.6, 25.3). *)
MODULE Main;
IMPORT Check,Long,Text,Word;
<*PRAGMA Mine, Your_own*>

TYPE
  E={x1,X1,x_1,x__,end,Begin,bEGIN};
  Five = ARRAY[1..5]OF INTEGER;
  Hex = [16_0..16_F];

CONST
  a_b__c_ = 1;  aBc = 2;  abc = 3;  ABC = 4;  A_very_long_name_0123456789_of_one_letter_and_the_next = 5;
  Mask = 16_FFFFFFFFFFFFFFFF;  Least = 16_8000000000000000;  Most = 9223372036854775807;
  Twos = 2_1111111111111111111111111111111111111111111111111111111111111111;
  Zeros = 000000000000000000000000000000000000007;

(* Separators: blank, tab, newline and so on; none is needed beside punctuation. *)
PROCEDURE Splitting() =
  VAR a:=Five{1,..};i:=3;b:BOOLEAN;r:REF INTEGER:=NEW(REF INTEGER);
  BEGIN
    a[1]:=2;a[i]:=a[1]+a[2];r^:=a[3];
    Check.Int(r^,3,"no blanks");
    b:=i<=3AND i>=3OR(i#3);Check.That(b,"3AND");
    b:=1<2;Check.That(b,"<");b:=2>1;Check.That(b,">");
    IF(i=3)THEN(*c*)i:=(*d*)4(*e*)END;Check.Int(i,4,"comments as separators");
    Check.Int(NUMBER(Five),5,"[1..5]");Check.Int(LAST(Hex),15,"[16_0..16_F]");
    Check.Int(i	+
1, 5, "tab, newline, form feed, vertical tab, return");
    Check.Int(i-1,3,"i-1");Check.Int(i- -1,5,"minus minus");
    Check.That(4.0=FLOAT(i)AND 1.5E1=15.0,"1.5E1");
    Check.Int(i*(*x*)(i),16,"a comment after *");
    Check.Int((i)*(i),16,"(i)*(i)");
    Check.That(5IN SET OF[0..9]{1..5},"5IN");
    Check.Int(7DIV 2,3,"7DIV");
    Check.Int(NUMBER(ARRAY[0..9]OF CHAR{'a',..}),10,"',..'");
  END Splitting;

PROCEDURE Identifiers() =
  VAR W, w, L, l, x, d, e: INTEGER := 0;  W1, w_: INTEGER := 7;
  BEGIN
    W := 1; w := 2; L := 3; l := 4; x := 5; d := 6; e := 8;
    Check.Int(W * 1000000 + w * 100000 + L * 10000 + l * 1000 + x * 100 + d * 10 + e, 1234568, "W w L l");
    Check.Int(W1 + w_, 14, "W1");
    Check.Int(aBc * 100 + abc * 10 + ABC, 234, "case");
    Check.Int(a_b__c_ + A_very_long_name_0123456789_of_one_letter_and_the_next, 6, "underscores");
    Check.That(E.x1 # E.X1 AND ORD(E.x__) = 3 AND E.end < E.Begin AND E.Begin < E.bEGIN, "elements");
  END Identifiers;

(* Names that are words of other languages, of the library, or almost keywords. *)
PROCEDURE AlmostKeywords() =
  VAR Array, If, then, While, int, class, virtual, Integer, Text_, nil, true, METHOD, FINAL, OBJ, DOWNTO, OVERRIDE, LONGCHAR: INTEGER := 1;
  BEGIN
    Check.Int(Array + If + then + While + int + class + virtual + Integer + Text_ + nil + true + METHOD + FINAL + OBJ
              + DOWNTO + OVERRIDE + LONGCHAR, 17, "almost keywords");
  END AlmostKeywords;

(* Comments nest; quotes mean nothing in them. *)
PROCEDURE Comments() =
  VAR n := 1(**)+(***)1(****)(* don't *)(* "*)+(* ' (* " *) *)1(*)*)(*(*(**)*)*);
  BEGIN
    Check.Int(n, 3, "comments");
    Check.Text("(* no comment *)", "(" & "* no comment *" & ")", "a comment's signs in a text");
    Check.Text("<* no pragma *>", "<" & "* no pragma *" & ">", "a pragma's signs in a text");
    Check.That('(' # ')' AND '*' # '"' AND '"' = '\"' AND "'" # NIL, "quotes in quotes");
  END Comments;

(* Unknown pragmas are skipped, whatever is in them. *)
PROCEDURE Pragmas() =
  VAR n := 1 <*Mine don't 0_ 1. "*>+ <*Your_own <* nested " *> 'still*>1
             <*Mine
               over lines (* no comment
             *>;
  BEGIN
    <*Mine*> n := n + <*Your_own*> 1 <*Mine*>; <*Your_own BEGIN END ; *>
    Check.Int(n, 3, "pragmas");
  END Pragmas;

PROCEDURE Integers() =
  BEGIN
    Check.Int(Mask, -1, "16_FF..FF"); Check.Int(Least, FIRST(INTEGER), "16_80..00");
    Check.Int(Most, LAST(INTEGER), "2^63-1"); Check.Int(Twos, -1, "2_11..11"); Check.Int(Zeros, 7, "zeros");
    Check.Int(16_00000000000000000000000ff, 255, "based zeros"); Check.Int(16_fF, 16_Ff, "small digits");
    Check.Int(2_0, 0, "2_0"); Check.Int(3_212, 23, "3_212"); Check.Int(8_377, 255, "8_377");
    Check.Int(10_123, 123, "10_123"); Check.Int(11_A, 10, "11_A"); Check.Int(15_e, 14, "15_e"); Check.Int(016_10, 16, "016_10");
    Check.Int(16_8000000000000001, -LAST(INTEGER), "16_80..01");
    Check.That(5L = 5l AND 16_FL = VAL(15, LONGINT) AND 16_FFFFFFFFFFFFFFFFL = -1L, "L");
    Check.That(9223372036854775807L = LAST(LONGINT) AND 16_8000000000000000l = FIRST(LONGINT), "ends of LONGINT");
    Check.That(Word.Not(0) = Mask AND Long.Not(0L) = -1L, "Not");
    Check.Int(16_d, 13, "16_d is no real"); Check.Int(16_1E1, 481, "16_1E1"); Check.Int(16_e, 14, "16_e");
  END Integers;

PROCEDURE Reals() =
  VAR r := 1.0; d := 1.0d0; x := 1.0x0;
  BEGIN
    r := 1.5; d := 1.5d0; x := 1.5x0;
    Check.That(r = 1.5e0 AND r = 1.5E0 AND r = 15.0e-1 AND r = 0.15E+1 AND r = 00001.500000, "REAL");
    Check.That(d = 1.5D0 AND d = 15.0d-1 AND d = 0.0015D+3 AND d = 150000000000000000000000.0d-23, "LONGREAL");
    Check.That(x = 1.5X0 AND x = 15.0x-1 AND x = 0.15X+1, "EXTENDED");
    Check.That(0.1 # 0.0 AND FLOAT(0.1, LONGREAL) # 0.1d0, "rounded to REAL");
    Check.That(3.4028235E38 = 3.40282346638528859811704183484516925440e+38, "largest REAL");
    Check.That(1.0e-45 > 0.0 AND 1.0e-50 = 0.0, "smallest REAL");
    Check.That(1.7976931348623157d308 > 1.0d308 AND 4.9d-324 > 0.0d0 AND 1.0d-400 = 0.0d0, "ends of LONGREAL");
    Check.That(123456789.0 = 123456792.0, "seven digits");
    Check.That(0.000000000000000000000000000000000000000000000000001d51 = 1.0d0, "many zeros");
  END Reals;

PROCEDURE Characters() =
  VAR c: CHAR := 'x'; t: TEXT;
  BEGIN
    Check.Int(ORD('\n') * 10000 + ORD('\t') * 1000 + ORD('\r') * 10 + ORD('\f'), 109142, "\\n\\t\\r\\f");
    Check.That('\\' = VAL(92, CHAR) AND '\'' = VAL(39, CHAR) AND '\"' = '"' AND '"' = VAL(34, CHAR), "\\\\ \\'");
    Check.That('\000' = FIRST(CHAR) AND '\377' = LAST(CHAR) AND '\101' = 'A', "octal");
    Check.That('\x41' = 'A' AND '\X41' = 'A' AND '\xfF' = LAST(CHAR) AND '\x0a' = '\n', "hexadecimal");
    Check.That(c = 'x' AND ' ' < '~' AND '`' = VAL(96, CHAR), "printing");
    t := "\000\x00a\"b'c\\\n\t\r\f\177\xFF\X7e";
    Check.Int(Text.Length(t), 15, "length");
    Check.That(Text.GetChar(t, 0) = '\000' AND Text.GetChar(t, 1) = '\x00' AND Text.GetChar(t, 2) = 'a'
               AND Text.GetChar(t, 3) = '\"' AND Text.GetChar(t, 5) = '\'' AND Text.GetChar(t, 7) = '\\'
               AND Text.GetChar(t, 11) = '\f' AND Text.GetChar(t, 12) = VAL(127, CHAR)
               AND Text.GetChar(t, 13) = '\377' AND Text.GetChar(t, 14) = '~', "escapes in a text");
    Check.That("" # NIL AND Text.Length("") = 0 AND Text.Equal("\1012", "A2") AND Text.Equal("\x412", "A2"), "digits after an escape");
    c := 'é'; t := "éÿ ";
    Check.That(ORD(c) = 16_E9 AND Text.Length(t) = 3 AND Text.GetChar(t, 1) = '\377' AND Text.GetChar(t, 2) = '\xA0', "Latin-1 bytes");
  END Characters;

PROCEDURE Wide() =
  VAR c: WIDECHAR := W'x'; t := W"a\x0041\X00e9\000101\U0000E9z";
  BEGIN
    Check.That(c = w'x' AND ORD(c) = ORD('x') AND W'\'' = VAL(39, WIDECHAR) AND W'"' = W'\"' AND W'\\' = VAL(92, WIDECHAR), "W'x'");
    Check.That(W'\n' = VAL(10, WIDECHAR) AND W'\x20AC' = VAL(16_20AC, WIDECHAR) AND W'\020254' = W'\x20AC'
               AND W'\U0020AC' = W'\x20ac' AND W'\XFFFF' = VAL(16_FFFF, WIDECHAR), "escapes");
    Check.Int(Text.Length(t), 6, "length of a wide text");
    Check.That(Text.GetWideChar(t, 0) = W'a' AND Text.GetChar(t, 1) = 'A' AND Text.GetChar(t, 2) = '\xe9' AND Text.GetChar(t, 3) = 'A'
               AND Text.GetChar(t, 4) = '\xe9' AND Text.GetChar(t, 5) = 'z', "wide escapes");
    Check.That(Text.Equal(w"plain", "plain") AND Text.Length(W"") = 0, "W\"\"");
    Check.That(Text.HasWideChars(W"\x0100") AND NOT Text.HasWideChars("\xFF"), "HasWideChars");
  END Wide;

BEGIN
  Splitting(); Identifiers(); AlmostKeywords(); Comments(); Pragmas(); Integers(); Reals(); Characters(); Wide();
  Check.Done();
END Main.
(* expect: all checks hold *)
