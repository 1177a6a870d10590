(* The most reversals of prefixes that a permutation needs until 1 is first. Usage: Main N, the length. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan;

<*FATAL ANY*>

PROCEDURE Run(n: CARDINAL; VAR checksum: INTEGER): CARDINAL =
  VAR
    p, q, s := NEW(REF ARRAY OF CARDINAL, n);
    sign := 1;
    most, flips, first, t, i, j: CARDINAL := 0;
  BEGIN
    checksum := 0;
    FOR k := 0 TO n - 1 DO p[k] := k; s[k] := k END;
    LOOP
      first := p[0];
      IF first # 0 THEN
        FOR k := 1 TO n - 1 DO q[k] := p[k] END;
        flips := 1;
        WHILE q[first] # 0 DO
          t := q[first];
          q[first] := first;
          IF first > 2 THEN
            i := 1;
            j := first - 1;
            WHILE i < j DO
              WITH a = q[i], b = q[j] DO
                VAR old := a; BEGIN a := b; b := old END;
              END;
              INC(i);
              DEC(j);
            END;
          END;
          first := t;
          INC(flips);
        END;
        INC(checksum, sign * flips);
        IF flips > most THEN most := flips END;
      END;
      IF sign = 1 THEN
        t := p[0];  p[0] := p[1];  p[1] := t;
        sign := -1;
      ELSE
        t := p[1];  p[1] := p[2];  p[2] := t;
        sign := 1;
        i := 2;
        LOOP
          IF s[i] # 0 THEN DEC(s[i]); EXIT END;
          IF i = n - 1 THEN RETURN most END;
          s[i] := i;
          t := p[0];
          FOR k := 0 TO i DO p[k] := p[k + 1] END;
          INC(i);
          p[i] := t;
        END;
      END;
    END;
  END Run;

VAR checksum: INTEGER;  n := Scan.Int(Params.Get(1));  most := Run(n, checksum);
BEGIN
  IO.Put(Fmt.Int(checksum) & " " & Fmt.Int(most) & "\n");
END Main.
