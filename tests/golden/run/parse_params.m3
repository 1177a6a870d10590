(* golden: run, with lib/Check *)
MODULE Main;

IMPORT Check, ParseParams, Text, TextWr;

VAR
  wr := TextWr.New();
  pp := NEW(ParseParams.T).init(wr);

(* The error message without the program's name, which comes first. *)
PROCEDURE Complaint(): TEXT =
  VAR t := TextWr.ToText(wr);  name := Text.FindChar(t, ':');
  BEGIN
    RETURN Text.Sub(t, name + 2, Text.Length(t) - name - 3);
  END Complaint;

PROCEDURE Missing() =
  BEGIN
    TRY
      pp.getKeyword("-none");
      Check.That(FALSE, "getKeyword");
    EXCEPT
    | ParseParams.Error => Check.Text(Complaint(), "keyword \"-none\" missing.", "getKeyword");
    END;
    TRY
      EVAL pp.getNext();
      Check.That(FALSE, "getNext");
    EXCEPT
    | ParseParams.Error =>
      Check.Text(Complaint(), "argument \"file2\": missing argument", "getNext");
    END;
  END Missing;

PROCEDURE Numbers() =
  <*FATAL ParseParams.Error*>
  BEGIN
    pp.getKeyword("-n");
    Check.Int(pp.getNextInt(1, 100), 12, "getNextInt");
    TRY
      EVAL pp.getNextInt(1, 100);
      Check.That(FALSE, "range");
    EXCEPT
    | ParseParams.Error =>
      Check.Text(Complaint(), "argument \"500\": 500 is not in [1..100]", "range");
    END;
    Check.That(pp.getNextReal() = 2.5, "getNextReal");
    Check.That(pp.getNextLongReal(-1.0d10, 0.0d0) = -1.0d3, "getNextLongReal");
    TRY
      EVAL pp.getNextInt();
      Check.That(FALSE, "no number");
    EXCEPT
    | ParseParams.Error =>
      Check.Text(Complaint(), "argument \"12x\": not an integer: 12x", "no number");
    END;
    pp.getKeyword("-r");
    TRY
      EVAL pp.getNextReal(0.0, 1.0);
      Check.That(FALSE, "range");
    EXCEPT
    | ParseParams.Error =>
      Check.Text(Complaint(), "argument \"1.5\": 1.5 is not in [0..1]", "range");
    END;
    TRY
      EVAL pp.getNextReal();
      Check.That(FALSE, "nan");
    EXCEPT
    | ParseParams.Error =>
      Check.Text(Complaint(), "argument \"nan\": nan is not in [-Infinity..Infinity]", "nan");
    END;
    TRY
      EVAL pp.getNextLongReal();
      Check.That(FALSE, "no number");
    EXCEPT
    | ParseParams.Error =>
      Check.Text(Complaint(), "argument \"x\": not a real number: x", "no number");
    END;
  END Numbers;

BEGIN
  TRY
    Check.That(pp.keywordPresent("-v") AND NOT pp.keywordPresent("-v"), "keywordPresent");
    Check.That(NOT pp.keywordPresent("-w"), "keywordPresent");
    Check.That(pp.testNext("with") AND NOT pp.testNext("with"), "testNext");
    Check.Text(pp.getNext(), "value", "getNext");
    Numbers();
    pp.skipParsed();
    Check.Text(pp.getNext(), "file1", "getNext after skipParsed");
    TRY
      pp.finish();
      Check.That(FALSE, "finish");
    EXCEPT
    | ParseParams.Error => Check.Text(Complaint(), "unexpected argument \"file2\"", "finish");
    END;
    Check.Int(pp.next, 15, "next");
    Check.Text(pp.getNext(), "file2", "the last one");
    Missing();
    pp.finish();
    EVAL pp.init(NIL);
    pp.getKeyword("-r");
    pp.skipParsed();
    Check.That(FALSE, "skipParsed");
  EXCEPT
  | ParseParams.Error => Check.That(NOT pp.parsed[1] AND pp.parsed[0], "skipParsed of untaken ones");
  END;
  Check.Done();
END Main.
(* args: -v with value -n 12 500 2.5 -1e3 12x -r 1.5 nan x file1 file2 *)
(* expect: all checks hold *)
