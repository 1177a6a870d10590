(* What undo and redo do to notes and to the index of their words. *)
MODULE UndoTest EXPORTS Main;

IMPORT Notebook, Text;

VAR notes := NEW(Notebook.T).init();

PROCEDURE Finds(word: TEXT; READONLY numbers: ARRAY OF INTEGER): BOOLEAN =
  VAR found := notes.find(word);
  BEGIN
    IF found.size() # NUMBER(numbers) THEN RETURN FALSE END;
    FOR i := 0 TO LAST(numbers) DO
      IF found.get(i) # numbers[i] THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Finds;

TYPE Numbers = ARRAY OF INTEGER;

BEGIN
  <*ASSERT NOT notes.undo() AND NOT notes.redo()*>
  <*ASSERT notes.add("buy bread and butter") = 1*>
  <*ASSERT notes.add("Bread, again: BREAD") = 2*>
  <*ASSERT Finds("bread", Numbers{1, 2})*>
  <*ASSERT Finds("b", Numbers{1, 2})*>
  <*ASSERT Finds("breads", Numbers{})*>

  <*ASSERT notes.change(2, "call the bank")*>
  <*ASSERT Finds("bread", Numbers{1}) AND Finds("bank", Numbers{2})*>
  <*ASSERT notes.undo()*>
  <*ASSERT Finds("bread", Numbers{1, 2}) AND Finds("bank", Numbers{})*>
  <*ASSERT notes.redo()*>
  <*ASSERT Text.Equal(notes.text(2), "call the bank")*>
  <*ASSERT NOT notes.redo()*>

  <*ASSERT notes.remove(1) AND NOT notes.remove(1)*>
  <*ASSERT notes.text(1) = NIL AND notes.all().size() = 1*>
  <*ASSERT notes.undo() AND notes.undo() AND notes.undo() AND notes.undo()*>
  <*ASSERT NOT notes.undo()*>
  <*ASSERT notes.all().size() = 0 AND Finds("b", Numbers{})*>

  (* A number is not used again, and a new change forgets what could be done again. *)
  <*ASSERT notes.redo() AND notes.add("three") = 3 AND NOT notes.redo()*>
END UndoTest.
