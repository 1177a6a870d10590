MODULE ASCII;

BEGIN
  FOR c := FIRST(Range) TO LAST(Range) DO
    Upper[c] := c;
    Lower[c] := c;
    Control[c] := c;
    IF c IN Lowers THEN
      Upper[c] := VAL(ORD(c) - ORD('a') + ORD('A'), CHAR);
    ELSIF c IN Uppers THEN
      Lower[c] := VAL(ORD(c) - ORD('A') + ORD('a'), CHAR);
    END;
  END;
  FOR c := '@' TO '_' DO
    Control[c] := VAL(ORD(c) - ORD('@'), CHAR);
    Control[Lower[c]] := Control[c];
  END;
END ASCII.
