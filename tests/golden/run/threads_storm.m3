(* golden: run, -w, stress=2000 *)
(* Threads that come and go while others allocate: many, deep, and not joined. *)
MODULE Main;

IMPORT IO, Thread;

TYPE
  List = REF RECORD n: INTEGER; next: List END;
  Short = Thread.Closure OBJECT n: INTEGER OVERRIDES apply := Apply END;

VAR
  mu := NEW(MUTEX);
  done := NEW(Thread.Condition);
  ended := 0;

PROCEDURE Make(n: INTEGER): List =
  VAR l: List := NIL;
  BEGIN
    FOR i := 1 TO n DO l := NEW(List, n := i, next := l) END;
    RETURN l;
  END Make;

PROCEDURE Length(l: List): INTEGER =
  VAR n := 0;
  BEGIN
    WHILE l # NIL DO INC(n); l := l.next END;
    RETURN n;
  END Length;

PROCEDURE Apply(s: Short): REFANY =
  VAR l := Make(s.n);  t: Thread.T := NIL;
  BEGIN
    IF s.n > 1000 THEN t := Thread.Fork(NEW(Short, n := s.n DIV 2)) END;
    <*ASSERT Length(l) = s.n*>
    IF t # NIL THEN <*ASSERT Length(Thread.Join(t)) = s.n DIV 2*> END;
    LOCK mu DO INC(ended) END;
    Thread.Signal(done);
    RETURN l;
  END Apply;

BEGIN
  FOR i := 1 TO 400 DO EVAL Thread.Fork(NEW(Short, n := 1 + (i * 37) MOD 4000)) END;
  LOCK mu DO WHILE ended < 400 DO Thread.Wait(mu, done) END END;
  FOR i := 1 TO 400 DO
    <*ASSERT Length(Thread.Join(Thread.Fork(NEW(Short, n := i)))) = i*>
  END;
  IO.Put("ended\n");
END Main.
(* expect: ended *)
