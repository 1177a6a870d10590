(* golden: run *)
(* The library's instances whose types are all transient (language.md 27.4). *)
MODULE Main;

IMPORT Atom, AtomRefTransientTbl, IO, IntRefTransientTbl, RefTransientList, RefTransientSeq,
       RootTransient, SortedAtomRefTransientTbl, SortedIntRefTransientTbl, SortedTextRefTransientTbl,
       TextRefTransientTbl;

VAR
  atoms := NEW(AtomRefTransientTbl.Default).init();
  r: <*TRANSIENT*> REFANY;
  all := ARRAY [1..8] OF RootTransient.T{
           NEW(IntRefTransientTbl.Default).init(), NEW(TextRefTransientTbl.Default).init(), atoms,
           NEW(SortedIntRefTransientTbl.Default).init(), NEW(SortedTextRefTransientTbl.Default).init(),
           NEW(SortedAtomRefTransientTbl.Default).init(), NEW(RefTransientSeq.T).init(),
           RefTransientList.List1(NIL)};

BEGIN
  EVAL atoms.put(Atom.FromText("x"), atoms);
  IF atoms.get(Atom.FromText("x"), r) AND r = atoms THEN IO.PutInt(NUMBER(all)); IO.Put("\n") END;
END Main.
(* expect: 8 *)
