(* The state of the readers and writers of P, which is Pickle or Pickle2; Name has its name. *)
GENERIC INTERFACE PickleRep(P, Name);

IMPORT PickleTypes;

CONST
  Brand = Name.Brand;

REVEAL
  P.Reader <: ReaderState;

TYPE
  (* An object whose slots are not all written or read yet. *)
  Frame = RECORD
    ref: REFANY;
    info: PickleTypes.Info;
    elements, next, slots: CARDINAL := 0;
  END;

  Stack = REF ARRAY OF Frame;

  ReaderState = P.ReaderPublic OBJECT
    objects: PickleTypes.Objects := NIL;
  END;

(* Makes sp the special for sp.sc; returns the previous special, or NIL. *)
PROCEDURE SetSpecial(sp: P.Special): P.Special;

END PickleRep.
