(* golden: run, with lib/Check *)
MODULE Main;

IMPORT Address, Boolean, Char, Check, Int32, Int64, Integer, LongrealType, Longint, MProperty,
  MPropertyF, Property, PropertyF, PropertyV, RealType, RuntimeError, Swap, WideChar, Word;

TYPE
  A = OBJECT n := 0 END;
  B = A OBJECT END;
  C = OBJECT END;

PROCEDURE Methods(s: Property.Set; what: TEXT) =
  VAR a := NEW(A);  a2 := NEW(A);  b := NEW(B);  failed := FALSE;
  BEGIN
    Check.That(s.get(TYPECODE(A)) = NIL AND s.getSub(TYPECODE(A)) = NIL, what & ": empty");
    s.put(a);
    s.put(NEW(REF INTEGER));
    Check.That(s.get(TYPECODE(A)) = a AND s.get(TYPECODE(B)) = NIL, what & ": get");
    s.put(a2);
    Check.That(s.get(TYPECODE(A)) = a2, what & ": put in place of another");
    s.remove(TYPECODE(A));
    s.remove(TYPECODE(A));
    Check.That(s.get(TYPECODE(A)) = NIL, what & ": remove");
    s.put(b);
    Check.That(s.get(TYPECODE(A)) = NIL AND s.getSub(TYPECODE(A)) = b
               AND s.getSub(TYPECODE(C)) = NIL AND s.getSub(TYPECODE(ROOT)) = b, what & ": getSub");
    s.removeSub(TYPECODE(C));
    s.removeSub(TYPECODE(A));
    Check.That(s.getSub(TYPECODE(A)) = NIL AND s.get(TYPECODE(REF INTEGER)) # NIL,
               what & ": removeSub");
    TRY s.put(NIL) EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, what & ": NIL");
  END Methods;

PROCEDURE Procedures() =
  VAR v: PropertyV.Set := PropertyV.NullSet;  p := Property.New();  m := MProperty.New();
      a := NEW(A);  b := NEW(B);
  BEGIN
    PropertyV.Remove(v, TYPECODE(A));
    PropertyV.RemoveSub(v, TYPECODE(A));
    Check.That(PropertyV.Get(v, TYPECODE(A)) = NIL AND PropertyV.GetSub(v, TYPECODE(A)) = NIL,
               "NIL is the empty set");
    PropertyV.Put(v, b);
    Check.That(PropertyV.Get(v, TYPECODE(B)) = b AND PropertyV.GetSub(v, TYPECODE(A)) = b,
               "PropertyV");
    PropertyV.RemoveSub(v, TYPECODE(A));
    PropertyV.Put(v, a);
    PropertyV.Remove(v, TYPECODE(A));
    Check.That(PropertyV.Get(v, TYPECODE(A)) = NIL, "PropertyV.Remove");

    PropertyF.Put(p, a);
    PropertyF.Put(p, b);
    Check.That(PropertyF.Get(p, TYPECODE(A)) = a AND PropertyF.GetSub(p, TYPECODE(B)) = b,
               "PropertyF");
    PropertyF.Remove(p, TYPECODE(A));
    PropertyF.RemoveSub(p, TYPECODE(A));
    Check.That(PropertyF.GetSub(p, TYPECODE(A)) = NIL, "PropertyF.Remove");

    LOCK m.m DO
      MPropertyF.Put(m, a);
      MPropertyF.Put(m, b);
      Check.That(MPropertyF.Get(m, TYPECODE(A)) = a AND MPropertyF.GetSub(m, TYPECODE(B)) = b,
                 "MPropertyF");
      MPropertyF.Remove(m, TYPECODE(A));
      MPropertyF.RemoveSub(m, TYPECODE(A));
      Check.That(MPropertyF.GetSub(m, TYPECODE(A)) = NIL, "MPropertyF.Remove");
    END;
  END Procedures;

(* Element interfaces. *)
PROCEDURE Elements() =
  VAR i: Int32.T := -5;  l: Int64.T := 7L;
  BEGIN
    Check.That(Integer.Compare(1, 2) = -1 AND Integer.Compare(2, 2) = 0
               AND Integer.Compare(3, 2) = 1
               AND Integer.Equal(2, 2) AND Integer.Hash(5) = Integer.Hash(5), "Integer");
    Check.That(Longint.Compare(1L, 2L) = -1 AND Longint.Compare(2L, 2L) = 0
               AND Longint.Compare(3L, 2L) = 1 AND Longint.Equal(2L, 2L)
               AND Longint.Hash(5L) = Longint.Hash(5L), "Longint");
    Check.That(Int32.Compare(i, 2) = -1 AND Int32.Equal(i, -5) AND Int32.Hash(i) = Int32.Hash(-5)
               AND Int32.Compare(i, i) = 0 AND Int32.Compare(3, i) = 1, "Int32");
    Check.That(Int64.Compare(l, 9L) = -1 AND Int64.Equal(l, 7L) AND Int64.Hash(l) = Int64.Hash(7L)
               AND Int64.Compare(l, l) = 0 AND Int64.Compare(9L, l) = 1, "Int64");
    Check.That(Boolean.Compare(FALSE, TRUE) = -1 AND Boolean.Equal(TRUE, TRUE)
               AND Boolean.Compare(TRUE, FALSE) = 1 AND Boolean.Compare(TRUE, TRUE) = 0
               AND Boolean.Hash(TRUE) # Boolean.Hash(FALSE), "Boolean");
    Check.That(Char.Compare('a', 'b') = -1 AND Char.Equal('a', 'a') AND Char.Compare('b', 'a') = 1
               AND Char.Compare('b', 'b') = 0 AND Char.Hash('a') # Char.Hash('b'), "Char");
    Check.That(WideChar.Compare(W'a', W'b') = -1 AND WideChar.Equal(W'a', W'a')
               AND WideChar.Compare(W'b', W'a') = 1 AND WideChar.Compare(W'b', W'b') = 0
               AND WideChar.Hash(W'a') # WideChar.Hash(W'b')
               AND WideChar.WideChar16Max = 65535 AND WideChar.WideChar32Max = 16_10FFFF,
               "WideChar");
    Check.That(RealType.Compare(1.0, 2.0) = -1 AND RealType.Equal(1.0, 1.0)
               AND RealType.Hash(1.0) = RealType.Hash(1.0), "RealType");
    Check.That(LongrealType.Compare(1.0d0, 2.0d0) = -1 AND LongrealType.Equal(1.0d0, 1.0d0)
               AND LongrealType.Hash(0.0d0) = LongrealType.Hash(-0.0d0), "LongrealType");
    Check.That(Address.Equal(NIL, NIL) AND Address.Compare(NIL, NIL) = 0
               AND Address.Hash(NIL) = Address.Hash(NIL), "Address");
    Check.Text(Integer.Brand & Longint.Brand & Int32.Brand & Int64.Brand & Boolean.Brand
                 & Char.Brand & WideChar.Brand & RealType.Brand & LongrealType.Brand & Address.Brand,
               "IntegerLongintInt32Int64BooleanCharWideCharRealLongRealAddress", "brands");
  END Elements;

PROCEDURE Swaps() =
  VAR x: Swap.Int64On32;
  BEGIN
    Check.That(Swap.GetEndian() = Swap.endian AND Swap.endian = Swap.Endian.Little, "GetEndian");
    Check.Int(Swap.Swap4(16_01020304), 16_04030201, "Swap4");
    Check.Int(Swap.Swap4(16_80), Swap.FirstInt32, "Swap4 to a negative number");
    Check.Int(Swap.Swap4(-2), -16_01000001, "Swap4 of a negative number");
    Check.Int(Swap.Swap2(16_0102), 16_0201, "Swap2");
    Check.Int(Swap.Swap2(16_00FF), -16_100, "Swap2 to a negative number");
    Check.Int(Swap.Swap2U(16_00FF), 16_FF00, "Swap2U");
    Check.Int(Swap.SwapInt(16_0102030405060708), 16_0807060504030201, "SwapInt");
    Check.Int(Swap.SwapInt(1), Word.Shift(1, 56), "SwapInt of 1");
    x := Swap.Swap8(Swap.Int64On32{a := 16_01020304, b := 16_05060708});
    Check.That(x.a = 16_08070605 AND x.b = 16_04030201, "Swap8");
  END Swaps;

BEGIN
  Methods(Property.New(), "Property");
  Methods(MProperty.New(), "MProperty");
  Procedures();
  Elements();
  Swaps();
  Check.Done();
END Main.
(* expect: all checks hold *)
