(* golden: persist, with lib/Store, lib/Check *)
(* What a thread outside of every transaction sees and may do, also while another thread is in one. *)
MODULE Main;

IMPORT Check, Database, RTCollector, Store, Thread, Transaction;

<*FATAL ANY*>

CONST Far = 50;

TYPE
  Object = REF RECORD n: INTEGER; filler: ARRAY [0..1100] OF INTEGER END;
  Objects = REF ARRAY OF Object;
  Question = {ReadFirst, ReadSecond, ReadFar, WriteFirst, WriteSecond, WriteFar, GetRoot, SetRoot, Stop};
  Outsider = Thread.Closure OBJECT OVERRIDES apply := Answer END;

CONST Outside = "TransactionNotInProgress";

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  objects: Objects;
  root, second, far: Object;
  number: INTEGER;
  mu := NEW(MUTEX);
  changed := NEW(Thread.Condition);
  question: Question;
  asked, answered := 0;
  answer: TEXT;
  outsider: Thread.T;

PROCEDURE Do(q: Question) =
  BEGIN
    CASE q OF
    | Question.ReadFirst => number := root.n;
    | Question.ReadSecond => number := second.n;
    | Question.ReadFar => number := far.n;
    | Question.WriteFirst => root.n := 1000;
    | Question.WriteSecond => second.n := 1000;
    | Question.WriteFar => far.n := 1000;
    | Question.GetRoot => EVAL db.getRoot();
    | Question.SetRoot => db.setRoot(NIL);
    | Question.Stop =>
    END;
  END Do;

PROCEDURE Try(q: Question): TEXT =
  BEGIN
    TRY
      number := -1;
      Do(q);
      RETURN "done";
    EXCEPT
    | Transaction.TransactionNotInProgress => RETURN Outside;
    | Transaction.ReadOnly => RETURN "ReadOnly";
    END;
  END Try;

(* This thread was started outside of every transaction, and begins none. *)
PROCEDURE Answer(<*UNUSED*> o: Outsider): REFANY =
  BEGIN
    LOCK mu DO
      LOOP
        WHILE asked = answered DO Thread.Wait(mu, changed) END;
        answer := Try(question);
        INC(answered);
        Thread.Broadcast(changed);
        IF question = Question.Stop THEN RETURN NIL END;
      END;
    END;
  END Answer;

PROCEDURE Ask(q: Question): TEXT =
  BEGIN
    LOCK mu DO
      question := q;
      INC(asked);
      Thread.Broadcast(changed);
      WHILE asked > answered DO Thread.Wait(mu, changed) END;
      RETURN answer;
    END;
  END Ask;

PROCEDURE Refused(what: TEXT; READONLY questions: ARRAY OF Question) =
  BEGIN
    FOR i := 0 TO LAST(questions) DO Check.Text(Ask(questions[i]), Outside, what) END;
  END Refused;

PROCEDURE Reads(q: Question; n: INTEGER; what: TEXT) =
  BEGIN
    Check.Text(Ask(q), "done", what);
    Check.Int(number, n, what);
  END Reads;

PROCEDURE Make() =
  BEGIN
    objects := NEW(Objects, Far);
    FOR i := 1 TO Far DO objects[i - 1] := NEW(Object, n := i) END;
    root := objects[0];
    db.setRoot(objects);
  END Make;

BEGIN
  outsider := Thread.Fork(NEW(Outsider));
  tr.begin();
  objects := db.getRoot();
  IF objects = NIL THEN
    Make();
    tr.commit();
    RTCollector.Collect();
    Refused("in the first process",
            ARRAY OF Question {Question.WriteFirst, Question.GetRoot, Question.SetRoot});
    Reads(Question.ReadFirst, 1, "what was committed");
  ELSE
    root := objects[0];
    second := objects[1];
    number := root.n + second.n;
    (* Only its address is known. *)
    far := objects[Far - 1];
    tr.commit();
    FOR readOnly := FALSE TO TRUE DO
      Refused("no transaction",
              ARRAY OF Question {Question.ReadFar, Question.WriteFirst, Question.WriteSecond,
                                 Question.WriteFar, Question.GetRoot, Question.SetRoot});
      Reads(Question.ReadFirst, 1, "no transaction");
      IF readOnly THEN
        tr.beginReadOnly();
        number := root.n + second.n;
      ELSE
        tr.begin();
        root.n := 77;
        number := second.n;
      END;
      Refused("another thread is in a transaction",
              ARRAY OF Question {Question.ReadFar, Question.WriteSecond, Question.WriteFar,
                                 Question.GetRoot, Question.SetRoot});
      Reads(Question.ReadSecond, 2, "what is not written");
      IF readOnly THEN
        Check.Text(Ask(Question.WriteFirst), Outside, "a page that is only read");
        Reads(Question.ReadFirst, 1, "what is only read");
      ELSE
        Reads(Question.ReadFirst, 77, "what the transaction has written");
        Check.Text(Ask(Question.WriteFirst), "done", "to the page that the transaction has written");
        Check.Int(root.n, 1000, "what was written from outside");
      END;
      tr.abort();
      Check.Int(root.n, 1, "the transaction has undone what was written");
    END;
    tr.begin();
    Check.Int(far.n, Far, "in a transaction");
    tr.commit();
    Reads(Question.ReadFar, Far, "in memory now");
  END;
  Check.Text(Ask(Question.Stop), "done", "stop");
  EVAL Thread.Join(outsider);
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
