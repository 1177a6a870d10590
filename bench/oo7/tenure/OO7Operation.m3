MODULE OO7Operation;

IMPORT OO7, OO7Build, OO7Queries, OO7Random, Text;
FROM OO7 IMPORT Kind;

PROCEDURE FromName(name: TEXT; VAR operation: T): BOOLEAN =
  BEGIN
    FOR o := FIRST(T) TO LAST(T) DO
      IF Text.Equal(Names[o], name) THEN
        operation := o;
        RETURN TRUE;
      END;
    END;
    RETURN FALSE;
  END FromName;

PROCEDURE Update(m: OO7.Module; kind: Kind): INTEGER =
  VAR count := OO7.Traverse(m, kind);
  BEGIN
    INC(m.updates, count);
    RETURN count;
  END Update;

PROCEDURE Prepare(operation: T; library: OO7.Library; m: OO7.Module) =
  BEGIN
    IF operation = T.CU THEN
      EVAL Perform(T.T1, library, m);
    ELSIF operation = T.Delete THEN
      EVAL Perform(T.Insert, library, m);
    END;
  END Prepare;

PROCEDURE PerformOften(operation: T; library: OO7.Library; m: OO7.Module; repeats: [1 .. LAST(INTEGER)]):
  INTEGER =
  VAR count := Perform(operation, library, m);
  BEGIN
    FOR repeat := 1 TO repeats - 1 DO EVAL Perform(operation, library, m, repeat) END;
    RETURN count;
  END PerformOften;

<*INLINE*> PROCEDURE Perform(operation: T; library: OO7.Library; m: OO7.Module; repeat: CARDINAL := 0): INTEGER =
  BEGIN
    OO7.Prepare(library);
    OO7Random.Start(ORD(operation) + 2 + repeat * NUMBER(T));
    CASE operation OF
    | T.T1 => RETURN OO7.Traverse(m, Kind.T1);
    | T.T2A, T.CU => RETURN Update(m, Kind.T2A);
    | T.T2B => RETURN Update(m, Kind.T2B);
    | T.T2C => RETURN Update(m, Kind.T2C);
    | T.T3A => RETURN OO7.Traverse(m, Kind.T3A);
    | T.T3B => RETURN OO7.Traverse(m, Kind.T3B);
    | T.T3C => RETURN OO7.Traverse(m, Kind.T3C);
    | T.T4 => RETURN OO7.Traverse(m, Kind.T4);
    | T.T5 => RETURN OO7.Traverse(m, Kind.T5);
    | T.T6 => RETURN OO7.Traverse(m, Kind.T6);
    | T.T7 => RETURN OO7.TraverseUp(library, m);
    | T.T8 => RETURN OO7.CountInManual(m, 'I');
    | T.T9 => RETURN OO7.CompareManualEnds(m);
    | T.Q1 => RETURN OO7Queries.RandomParts(library);
    | T.Q2 => RETURN OO7Queries.RecentParts(library, 1);
    | T.Q3 => RETURN OO7Queries.RecentParts(library, 10);
    | T.Q4 => RETURN OO7Queries.UsersOfDocuments(library);
    | T.Q5 => RETURN OO7Queries.OutOfDate(m);
    | T.Q7 => RETURN OO7Queries.AllParts(library);
    | T.Q8 => RETURN OO7Queries.Join(library);
    | T.Insert => RETURN OO7Build.Insert(library, m);
    | T.Delete => RETURN OO7Build.Delete(library, m);
    END;
  END Perform;

BEGIN
END OO7Operation.
