(* golden: persist, with lib/Store *)
(* Commits that are not waited for at once, waits for a turn that an alert ends, and whose turn it
   is. *)
MODULE Main;

IMPORT DatabaseStatistics, IO, Store, Text, Thread, Time, Transaction;

<*FATAL ANY*>

CONST Tickets = 300;

TYPE
  Root = REF RECORD n := 0 END;
  Beginner = Thread.Closure OBJECT alerted := FALSE OVERRIDES apply := AlertBegin END;
  Runner = Thread.Closure OBJECT alerted := FALSE OVERRIDES apply := AlertRun END;
  Add = Transaction.Closure OBJECT OVERRIDES apply := AddOne END;
  Waiter = Thread.Closure OBJECT ticket: Transaction.Ticket OVERRIDES apply := WaitForTicket END;

VAR
  db := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;

PROCEDURE AddOne(<*UNUSED*> a: Add) =
  BEGIN
    INC(root.n);
  END AddOne;

PROCEDURE AlertBegin(b: Beginner): REFANY =
  VAR t := NEW(Transaction.T);
  BEGIN
    TRY
      t.alertBegin();
    EXCEPT
    | Thread.Alerted => b.alerted := TRUE; <*ASSERT NOT t.isOpen()*>
    END;
    (* The alert is over. *)
    <*ASSERT NOT Thread.TestAlert()*>
    t.begin();
    INC(root.n);
    t.commit();
    RETURN NIL;
  END AlertBegin;

PROCEDURE AlertRun(r: Runner): REFANY =
  BEGIN
    TRY
      Transaction.AlertRun(NEW(Add));
    EXCEPT
    | Thread.Alerted => r.alerted := TRUE;
    END;
    RETURN NIL;
  END AlertRun;

PROCEDURE WaitForTicket(w: Waiter): REFANY =
  BEGIN
    w.ticket.wait();
    <*ASSERT w.ticket.isDurable()*>
    RETURN NIL;
  END WaitForTicket;

PROCEDURE AwaitWaiting(n: INTEGER) =
  BEGIN
    WHILE DatabaseStatistics.CurrentTurn().waiting # n DO Thread.Pause(0.001d0) END;
  END AwaitWaiting;

PROCEDURE Say(what: TEXT) =
  BEGIN
    tr.begin();
    IO.Put(what & " "); IO.PutInt(root.n); IO.Put("\n");
    tr.commit();
  END Say;

PROCEDURE ManyTickets() =
  VAR tickets: ARRAY [1..Tickets] OF Transaction.Ticket;
  BEGIN
    FOR i := 1 TO Tickets DO
      tr.begin();
      INC(root.n);
      tickets[i] := tr.commitLater();
      <*ASSERT NOT tr.isOpen()*>
    END;
    tickets[Tickets DIV 2].wait();
    FOR i := 1 TO Tickets DIV 2 DO <*ASSERT tickets[i].isDurable()*> END;
    Transaction.WaitAll(tickets);
    FOR i := 1 TO Tickets DO
      <*ASSERT tickets[i].isDurable()*>
      tickets[i].wait();
    END;
    (* Nobody waits for this one. *)
    tr.begin();
    INC(root.n);
    tickets[1] := tr.commitLater();
    WHILE NOT tickets[1].isDurable() DO Thread.Pause(0.001d0) END;
    (* Of a child. *)
    tr.begin();
    WITH child = NEW(Transaction.T) DO
      child.begin();
      INC(root.n);
      tickets[2] := child.commitLater();
      <*ASSERT tickets[2].isDurable()*>
      tickets[2].wait();
    END;
    tr.abort();
    TRY
      EVAL tr.commitLater();
      <*ASSERT FALSE*>
    EXCEPT
    | Transaction.TransactionNotInProgress =>
    END;
  END ManyTickets;

VAR
  mu := NEW(MUTEX);
  go := NEW(Thread.Condition);
  gone := FALSE;
  here := 0;

TYPE
  Late = Thread.Closure OBJECT inner: Thread.Closure OVERRIDES apply := GoLate END;

PROCEDURE GoLate(l: Late): REFANY =
  BEGIN
    LOCK mu DO
      INC(here);
      Thread.Broadcast(go);
      WHILE NOT gone DO Thread.Wait(mu, go) END;
    END;
    RETURN l.inner.apply();
  END GoLate;

PROCEDURE AlertsOfWaits() =
  VAR
    b := NEW(Beginner);  r := NEW(Runner);
    first := Thread.Fork(NEW(Late, inner := b));
    second := Thread.Fork(NEW(Late, inner := r));
    turn: DatabaseStatistics.Turn;
  BEGIN
    LOCK mu DO WHILE here < 2 DO Thread.Wait(mu, go) END END;
    tr.begin();
    INC(root.n);
    LOCK mu DO gone := TRUE END;
    Thread.Broadcast(go);
    AwaitWaiting(2);
    turn := DatabaseStatistics.CurrentTurn();
    <*ASSERT turn.thread > 0 AND Text.FindChar(turn.text, '(') >= 0*>
    <*ASSERT turn.since <= Time.Now() AND turn.since > Time.Now() - 600.0d0*>
    Thread.Alert(second);
    EVAL Thread.Join(second);
    <*ASSERT r.alerted*>
    AwaitWaiting(1);
    Thread.Alert(first);
    (* If its turn came before it has seen the alert, it would begin. *)
    WHILE NOT b.alerted DO Thread.Pause(0.001d0) END;
    (* Its next wait is not alertable. *)
    AwaitWaiting(1);
    tr.commit();
    EVAL Thread.Join(first);
    <*ASSERT b.alerted*>
    turn := DatabaseStatistics.CurrentTurn();
    <*ASSERT turn.thread = 0 AND turn.waiting = 0 AND Text.Empty(turn.text)*>
    (* An alert that came before the wait. *)
    Thread.Alert(Thread.Self());
    TRY
      tr.alertBegin();
      <*ASSERT FALSE*>
    EXCEPT
    | Thread.Alerted => <*ASSERT NOT tr.isOpen()*>
    END;
  END AlertsOfWaits;

PROCEDURE WaitsOfOthers() =
  VAR threads: ARRAY [1..8] OF Thread.T;  ticket: Transaction.Ticket;
  BEGIN
    FOR i := FIRST(threads) TO LAST(threads) DO
      tr.begin();
      INC(root.n);
      ticket := tr.commitLater();
      threads[i] := Thread.Fork(NEW(Waiter, ticket := ticket));
    END;
    FOR i := FIRST(threads) TO LAST(threads) DO EVAL Thread.Join(threads[i]) END;
    <*ASSERT ticket.isDurable()*>
  END WaitsOfOthers;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN root := NEW(Root); db.setRoot(root) END;
  tr.commit();
  ManyTickets();
  Say("tickets");
  AlertsOfWaits();
  Say("alerts");
  WaitsOfOthers();
  Say("others");
  WITH commits = DatabaseStatistics.Get(DatabaseStatistics.Kind.Commits),
       syncs = DatabaseStatistics.Get(DatabaseStatistics.Kind.Syncs) DO
    <*ASSERT commits > Tickets AND syncs > 0 AND syncs <= commits + 9*>
  END;
  (* Made durable at the end of the program. *)
  tr.begin();
  INC(root.n);
  EVAL tr.commitLater();
END Main.
(* expect: tickets 301 *)
(* expect: alerts 303 *)
(* expect: others 311 *)
(* restart *)
(* expect: tickets 613 *)
(* expect: alerts 615 *)
(* expect: others 623 *)
