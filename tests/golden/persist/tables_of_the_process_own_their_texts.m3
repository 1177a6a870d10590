(* golden: persist, with lib/Store, lib/Check *)
(* What the process keeps of a caller's text is a copy: a text that is stored moves to its database, and cannot be read
   after the database is closed. Atoms once kept the text that FromText was given, and so did timers their labels, and
   databases names of objects. *)
MODULE Main;

IMPORT Atom, Check, Database, ETimer, Fmt, Store, Text, TextWr, Transaction;

<*FATAL ANY*>

TYPE
  Texts = REF ARRAY OF TEXT;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  texts := NEW(Texts, 4);
  given, returned, stored, wide: Atom.T;
  timer: ETimer.T;
  wr := TextWr.New();
  name := "name " & Fmt.Int(4);
BEGIN
  (* Made at run time: literals are not stored. *)
  texts[0] := "given " & Fmt.Int(1);
  given := Atom.FromText(texts[0]);
  returned := Atom.FromText("returned " & Fmt.Int(2));
  texts[1] := Atom.ToText(returned);
  texts[2] := "label " & Fmt.Int(3);
  timer := ETimer.New(texts[2]);
  texts[3] := Text.FromWideChar(W'\x03b1') & "d";
  wide := Atom.FromText(texts[3]);
  tr.begin();
  db.bind(name, NEW(REF INTEGER));
  db.setRoot(texts);
  tr.commit();
  tr.begin();
  texts := db.getRoot();
  stored := Atom.FromText(Text.Sub(texts[0], 0, 5) & "2");
  EVAL Atom.FromText(texts[2]);
  ETimer.Relabel(timer, texts[2]);
  tr.commit();
  db.close();
  Check.Text(Atom.ToText(given), "given 1", "the atom of a text that was stored");
  Check.Text(Atom.ToText(returned), "returned 2", "an atom whose text was stored");
  Check.Text(Atom.ToText(wide), Text.FromWideChar(W'\x03b1') & "d", "the atom of a wide text that was stored");
  Check.Text(Atom.ToText(stored), "given2", "the atom of a part of a stored text");
  Check.Text(Atom.ToText(Atom.FromText("label 3")), "label 3", "the atom of a stored text");
  Check.That(Atom.FromText("given 1") = given AND Atom.FromText("returned 2") = returned, "the same atoms");
  Check.That(Atom.Equal(given, Atom.FromText("given 1")) AND NOT Atom.Equal(given, returned), "equality");
  Check.Int(Atom.Hash(returned), Text.Hash("returned 2"), "the hash");
  ETimer.Append(timer, 1.0d0);
  ETimer.Dump(wr);
  Check.That(Text.FindChar(TextWr.ToText(wr), 'b') >= 0, "a timer's label");
  Check.Text(name, "name 4", "a text that was the name of an object");
  Check.Done();
END Main.
(* expect: all checks hold *)
