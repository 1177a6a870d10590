UNSAFE MODULE FloatMode;

IMPORT RTFloat, Word;

TYPE
  Flags = SET OF Flag;

CONST
  FloatFlags = Flags{Flag.Invalid, Flag.Inexact, Flag.Overflow, Flag.Underflow, Flag.DivByZero};

PROCEDURE SetRounding(md: RoundingMode) RAISES {Failure} =
  BEGIN
    IF md > RoundingMode.TowardZero THEN RAISE Failure END;
    RTFloat.SetRounding(ORD(md));
  END SetRounding;

PROCEDURE GetRounding(): RoundingMode =
  BEGIN
    RETURN VAL(RTFloat.GetRounding(), RoundingMode);
  END GetRounding;

(* The run time keeps the flags and the ignored events as sets of bits: bit i stands for Flag i. *)
PROCEDURE ToSet(bits: Word.T): Flags =
  VAR result := NoFlags;
  BEGIN
    FOR f := FIRST(Flag) TO LAST(Flag) DO
      IF Word.Extract(bits, ORD(f), 1) = 1 THEN result := result + Flags{f} END;
    END;
    RETURN result;
  END ToSet;

PROCEDURE ToBits(s: Flags): Word.T =
  VAR result: Word.T := 0;
  BEGIN
    FOR f := FIRST(Flag) TO LAST(Flag) DO
      IF f IN s THEN result := Word.Insert(result, 1, ORD(f), 1) END;
    END;
    RETURN result;
  END ToBits;

PROCEDURE GetFlags(): Flags =
  BEGIN
    RETURN ToSet(Word.And(RTFloat.GetFlags(), Word.Not(RTFloat.GetIgnored())));
  END GetFlags;

PROCEDURE SetFlags(s: Flags): Flags RAISES {Failure} =
  VAR old := GetFlags();
  BEGIN
    IF NOT s <= FloatFlags THEN RAISE Failure END;
    RTFloat.SetFlags(ToBits(s));
    RETURN old;
  END SetFlags;

PROCEDURE ClearFlag(f: Flag) =
  BEGIN
    IF f IN FloatFlags THEN RTFloat.SetFlags(ToBits(ToSet(RTFloat.GetFlags()) - Flags{f})) END;
  END ClearFlag;

PROCEDURE SetBehavior(f: Flag; b: Behavior) RAISES {Failure} =
  VAR ignored := ToSet(RTFloat.GetIgnored());
  BEGIN
    IF f IN FloatFlags AND b = Behavior.SetFlag THEN
      (* Events that came while they were ignored do not become visible now. *)
      IF f IN ignored THEN ClearFlag(f) END;
      RTFloat.SetIgnored(ToBits(ignored - Flags{f}));
    ELSIF f IN FloatFlags AND b = Behavior.Ignore THEN
      RTFloat.SetIgnored(ToBits(ignored + Flags{f}));
    ELSIF b # GetBehavior(f) THEN
      RAISE Failure;
    END;
  END SetBehavior;

PROCEDURE GetBehavior(f: Flag): Behavior =
  BEGIN
    IF f = Flag.IntDivByZero THEN RETURN Behavior.Trap END;
    IF f = Flag.IntOverflow OR f IN ToSet(RTFloat.GetIgnored()) THEN RETURN Behavior.Ignore END;
    RETURN Behavior.SetFlag;
  END GetBehavior;

PROCEDURE InitThread(VAR s: ThreadState) =
  BEGIN
    FOR f := FIRST(Flag) TO LAST(Flag) DO
      s.behavior[f] := Behavior.SetFlag;
      s.sticky[f] := FALSE;
    END;
    s.behavior[Flag.IntOverflow] := Behavior.Ignore;
    s.behavior[Flag.IntDivByZero] := Behavior.Trap;
  END InitThread;

BEGIN
END FloatMode.
