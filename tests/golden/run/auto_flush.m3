(* golden: run, with lib/Check *)
(* AutoFlushWr: characters arrive without a flush. *)
MODULE Main;

IMPORT AtomList, AutoFlushWr, Atom, Check, Text, TextWr, Thread, Wr, WrClass;

<*FATAL Thread.Alerted*>

TYPE
  (* Its flush fails. *)
  Broken = TextWr.T OBJECT OVERRIDES flush := Fail END;

PROCEDURE Fail(<*UNUSED*> wr: Wr.T) RAISES {Wr.Failure} =
  BEGIN
    RAISE Wr.Failure(AtomList.List1(Atom.FromText("broken")));
  END Fail;

(* Waits until wr has this length; returns whether that happened within some
   seconds. *)
PROCEDURE Reaches(wr: Wr.T; length: CARDINAL): BOOLEAN RAISES {Wr.Failure} =
  BEGIN
    FOR i := 1 TO 1000 DO
      IF Wr.Length(wr) = length THEN RETURN TRUE END;
      Thread.Pause(0.01d0);
    END;
    RETURN FALSE;
  END Reaches;

PROCEDURE Works() =
  <*FATAL Wr.Failure*>
  VAR to := TextWr.New();  wr := NEW(AutoFlushWr.T).init(to, 0.02d0);
  BEGIN
    Wr.PutText(wr, "some");
    Check.Int(Wr.Length(wr), 4, "Length");
    Check.That(Reaches(to, 4), "flushed by itself");
    Wr.PutChar(wr, '!');
    Check.That(Reaches(to, 5), "flushed again");
    FOR i := 1 TO 3000 DO Wr.PutChar(wr, 'x') END;
    Wr.Flush(wr);
    Check.Int(Wr.Length(to), 3005, "Flush");
    Check.Text(Text.Sub(TextWr.ToText(to), 0, 7), "some!xx", "contents");
    Wr.PutText(wr, "end");
    Wr.Close(wr);
    Check.That(Wr.Closed(to), "Close");
    Thread.Pause(0.05d0);  (* the thread finds the writer closed *)
  END Works;

PROCEDURE Fails() =
  VAR wr := NEW(AutoFlushWr.T).init(NEW(Broken).init(), 0.0d0);  failures := 0;
  BEGIN
    FOR i := 1 TO 1000 DO
      TRY
        Wr.PutChar(wr, 'x');
      EXCEPT
      | Wr.Failure (why) =>
        Check.Text(Atom.ToText(why.head), "broken", "why");
        INC(failures);
        EXIT;
      END;
      Thread.Pause(0.01d0);
    END;
    Check.Int(failures, 1, "a failure in the background");
  END Fails;

BEGIN
  Works();
  Fails();
  Check.Done();
END Main.
(* expect: all checks hold *)
