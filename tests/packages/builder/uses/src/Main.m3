MODULE Main;
IMPORT Answer, Held, IO;
BEGIN
  IO.PutInt(Answer.Get() + Held.held());
  IO.Put("\n");
END Main.
