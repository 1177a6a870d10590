UNSAFE MODULE MyText;
IMPORT TextClass, Text8, Text;
TYPE Rep = TEXT OBJECT c: CHAR; n: CARDINAL OVERRIDES get_info := Info; get_char := GetChar END;
PROCEDURE Repeat(c: CHAR; n: CARDINAL): TEXT =
  VAR t := Text8.Create(3);
  BEGIN t.contents[0] := 'a'; t.contents[1] := c; t.contents[2] := 'b';
  RETURN NEW(Rep, c := c, n := n) & Text.Sub(t, 1) END Repeat;
PROCEDURE Info(t: Rep; VAR i: TextClass.Info) = BEGIN i.start := NIL; i.length := t.n; i.wide := FALSE END Info;
PROCEDURE GetChar(t: Rep; i: CARDINAL): CHAR = BEGIN <*ASSERT i < t.n*> RETURN t.c END GetChar;
BEGIN END MyText.
