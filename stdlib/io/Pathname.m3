MODULE Pathname;

IMPORT Text;

PROCEDURE Valid(pn: T): BOOLEAN =
  BEGIN
    RETURN Text.FindChar(pn, '\000') < 0;
  END Valid;

PROCEDURE Decompose(pn: T): Arcs RAISES {Invalid} =
  VAR arcs := NEW(Arcs).init();  at: CARDINAL := 0;  slash: INTEGER;
  BEGIN
    IF NOT Valid(pn) THEN RAISE Invalid END;
    IF Absolute(pn) THEN arcs.addhi("/");  at := 1 ELSE arcs.addhi(NIL) END;
    IF at = Text.Length(pn) THEN RETURN arcs END;
    LOOP
      slash := Text.FindChar(pn, '/', at);
      IF slash < 0 THEN EXIT END;
      arcs.addhi(Text.Sub(pn, at, slash - at));
      at := slash + 1;
    END;
    arcs.addhi(Text.Sub(pn, at));
    RETURN arcs;
  END Decompose;

PROCEDURE Compose(a: Arcs): T RAISES {Invalid} =
  VAR result: TEXT := "";  arc: TEXT;
  BEGIN
    IF a.size() = 0 THEN RAISE Invalid END;
    IF a.get(0) # NIL THEN
      IF NOT Text.Equal(a.get(0), "/") THEN RAISE Invalid END;
      result := "/";
    END;
    FOR i := 1 TO a.size() - 1 DO
      arc := a.get(i);
      IF arc = NIL OR Text.FindChar(arc, '/') >= 0 OR NOT Valid(arc) THEN RAISE Invalid END;
      IF i > 1 THEN
        IF Text.Empty(result) THEN RAISE Invalid END;  (* the name would begin at the root *)
        result := result & "/";
      END;
      result := result & arc;
    END;
    RETURN result;
  END Compose;

PROCEDURE Absolute(pn: T): BOOLEAN =
  BEGIN
    RETURN NOT Text.Empty(pn) AND Text.GetWideChar(pn, 0) = W'/';
  END Absolute;

(* The index where the last arc starts. *)
PROCEDURE LastStart(pn: T): CARDINAL =
  BEGIN
    RETURN Text.FindCharR(pn, '/') + 1;
  END LastStart;

(* The index of the dot of the last arc's extension, or of the end. A dot that begins the arc
   begins no extension. *)
PROCEDURE Dot(pn: T): CARDINAL =
  VAR dot := Text.FindCharR(pn, '.');
  BEGIN
    IF dot <= LastStart(pn) THEN RETURN Text.Length(pn) END;
    IF Text.Equal(Last(pn), Parent) THEN RETURN Text.Length(pn) END;
    RETURN dot;
  END Dot;

PROCEDURE Prefix(pn: T): T =
  VAR start := LastStart(pn);
  BEGIN
    IF start = 1 THEN RETURN "/" END;
    RETURN Text.Sub(pn, 0, MAX(start - 1, 0));
  END Prefix;

PROCEDURE Last(pn: T): T =
  BEGIN
    RETURN Text.Sub(pn, LastStart(pn));
  END Last;

PROCEDURE Base(pn: T): T =
  BEGIN
    RETURN Text.Sub(pn, 0, Dot(pn));
  END Base;

PROCEDURE LastBase(pn: T): T =
  BEGIN
    RETURN Base(Last(pn));
  END LastBase;

PROCEDURE LastExt(pn: T): TEXT =
  BEGIN
    RETURN Text.Sub(pn, Dot(pn) + 1);
  END LastExt;

PROCEDURE ReplaceExt(pn: T; ext: TEXT): T =
  BEGIN
    RETURN Base(pn) & "." & ext;
  END ReplaceExt;

PROCEDURE Join(pn, base: T; ext: TEXT := NIL): T =
  VAR result := base;
  BEGIN
    IF pn # NIL AND NOT Text.Empty(pn) THEN
      <*ASSERT NOT Absolute(base) WITH "Pathname.Join: base is absolute"*>
      IF Text.GetWideChar(pn, Text.Length(pn) - 1) = W'/' THEN
        result := pn & base;
      ELSE
        result := pn & "/" & base;
      END;
    END;
    IF ext # NIL THEN result := result & "." & ext END;
    RETURN result;
  END Join;

BEGIN
  Parent := "..";
  Current := ".";
END Pathname.
