(* golden: run, -w *)
(* A mutex is released however the body ends. *)
MODULE Main;

IMPORT IO, Thread;

EXCEPTION E;

VAR mu := NEW(MUTEX);  count := 0;

PROCEDURE Get(): MUTEX =
  BEGIN
    INC(count);
    RETURN mu;
  END Get;

PROCEDURE Return(): INTEGER =
  BEGIN
    LOCK Get() DO RETURN count END;
  END Return;

PROCEDURE IsFree(): BOOLEAN =
  BEGIN
    Thread.Acquire(mu);
    Thread.Release(mu);
    RETURN TRUE;
  END IsFree;

BEGIN
  LOCK mu DO IO.Put("in\n") END;
  <*ASSERT IsFree()*>
  IO.PutInt(Return()); IO.Put("\n");
  <*ASSERT IsFree()*>
  TRY LOCK mu DO RAISE E END EXCEPT E => <*ASSERT IsFree()*> IO.Put("raised\n") END;
  LOOP LOCK mu DO EXIT END END;
  <*ASSERT IsFree()*>
  IO.Put("out\n");
END Main.
(* expect: in *)
(* expect: 1 *)
(* expect: raised *)
(* expect: out *)
