(* What a notebook's changes, undo and redo do to notes and to the index of their words. *)
MODULE NotebookTest;

IMPORT Fmt, IntSeq, Notebook, Test;

PROCEDURE Shown(numbers: IntSeq.T): TEXT =
  VAR result := "";
  BEGIN
    FOR i := 0 TO numbers.size() - 1 DO result := result & Fmt.Int(numbers.get(i)) & " " END;
    RETURN result;
  END Shown;

PROCEDURE Two(): Notebook.T =
  VAR notes := NEW(Notebook.T).init();
  BEGIN
    EVAL notes.add("buy bread and butter");
    EVAL notes.add("Bread, again: BREAD");
    RETURN notes;
  END Two;

PROCEDURE TestFindsByTheBeginningOfAWord(t: Test.T) =
  VAR notes := Two();
  BEGIN
    t.equalText(Shown(notes.find("bread")), "1 2 ");
    t.equalText(Shown(notes.find("BU")), "1 ");
    t.equalText(Shown(notes.find("breads")), "");
  END TestFindsByTheBeginningOfAWord;

PROCEDURE TestUndoAndRedoOfAChange(t: Test.T) =
  VAR notes := Two();
  BEGIN
    t.check(notes.change(2, "call the bank"));
    t.equalText(Shown(notes.find("bread")), "1 ");
    t.check(notes.undo());
    t.equalText(Shown(notes.find("bread")), "1 2 ");
    t.equalText(Shown(notes.find("bank")), "");
    t.check(notes.redo());
    t.equalText(notes.text(2), "call the bank");
    t.check(NOT notes.redo());
  END TestUndoAndRedoOfAChange;

PROCEDURE TestUndoGoesBackToTheBeginning(t: Test.T) =
  VAR notes := Two();
  BEGIN
    t.check(notes.remove(1));
    t.check(NOT notes.remove(1));
    t.equalText(Shown(notes.all()), "2 ");
    FOR i := 1 TO 3 DO t.check(notes.undo()) END;
    t.check(NOT notes.undo());
    t.equalText(Shown(notes.all()), "");
    t.equalText(Shown(notes.find("b")), "");
  END TestUndoGoesBackToTheBeginning;

PROCEDURE TestANewChangeForgetsWhatCouldBeDoneAgain(t: Test.T) =
  VAR notes := Two();
  BEGIN
    t.check(notes.undo());
    (* The number is not used again. *)
    t.equalInt(notes.add("three"), 3);
    t.check(NOT notes.redo());
  END TestANewChangeForgetsWhatCouldBeDoneAgain;

BEGIN
END NotebookTest.
