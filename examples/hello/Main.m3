MODULE Main;

IMPORT IO;

BEGIN
  IO.Put("Hello, world!\n");
END Main.
