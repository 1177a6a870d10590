UNSAFE MODULE RTAllocator;

IMPORT RTTypes, RuntimeError;
FROM RTType IMPORT Typecode;

(* Errors other than lack of memory go on to the caller. *)
PROCEDURE Fail(error: RuntimeError.T) RAISES {OutOfMemory} =
  BEGIN
    IF error = RuntimeError.T.OutOfMemory THEN RAISE OutOfMemory END;
    RuntimeError.Raise(error);
  END Fail;

PROCEDURE NewTraced(tc: Typecode): REFANY RAISES {OutOfMemory} =
  VAR result: REFANY := NIL;
  BEGIN
    TRY
      result := RTTypes.NewTraced(tc);
    EXCEPT
    | RuntimeError.E (error) => Fail(error);
    END;
    <*ASSERT result # NIL WITH "RTAllocator.NewTraced: not a traced type of fixed size"*>
    RETURN result;
  END NewTraced;

PROCEDURE NewUntracedObject(tc: Typecode): UNTRACED ROOT RAISES {OutOfMemory} =
  VAR result: ADDRESS := NIL;
  BEGIN
    TRY
      result := RTTypes.NewUntracedObject(tc);
    EXCEPT
    | RuntimeError.E (error) => Fail(error);
    END;
    <*ASSERT result # NIL WITH "RTAllocator.NewUntracedObject: not an untraced object type"*>
    RETURN LOOPHOLE(result, UNTRACED ROOT);
  END NewUntracedObject;

PROCEDURE NewTracedArray(tc: Typecode; READONLY s: Shape): REFANY RAISES {OutOfMemory} =
  VAR result: REFANY := NIL;
  BEGIN
    TRY
      result := RTTypes.NewTracedArray(tc, s);
    EXCEPT
    | RuntimeError.E (error) => Fail(error);
    END;
    <*ASSERT result # NIL WITH "RTAllocator.NewTracedArray: not an array of this shape"*>
    RETURN result;
  END NewTracedArray;

PROCEDURE Clone(ref: REFANY): REFANY RAISES {OutOfMemory} =
  BEGIN
    IF ref = NIL THEN RETURN NIL END;
    TRY
      RETURN RTTypes.Clone(ref);
    EXCEPT
    | RuntimeError.E (error) => Fail(error);
    END;
    RETURN NIL;
  END Clone;

BEGIN
END RTAllocator.
