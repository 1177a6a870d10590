(* golden: run *)
(* 25.4: Compiler.ThisException in handlers, ELSE and FINALLY parts; NIL where no exception led
   there. *)
UNSAFE MODULE Main;
IMPORT Compiler, Fmt, IO, M3toC, Pathname, RT0, RuntimeError;

EXCEPTION
  Plain;
  Number(INTEGER);
  Message(TEXT);

PROCEDURE Describe(where: TEXT; address: ADDRESS; line: INTEGER := 0) =
  VAR activation := LOOPHOLE(address, RT0.ActivationPtr);
  BEGIN
    IO.Put(where & ": ");
    IF address = NIL THEN
      IO.Put("none\n");
      RETURN;
    END;
    IO.Put(M3toC.CopyStoT(activation.exception.name));
    IF line # 0 THEN
      WITH file = M3toC.CopyStoT(activation.file) DO
        IO.Put(" " & Fmt.Bool(activation.line = line) & " " & Pathname.Last(file));
      END;
    END;
    IO.Put(" " & Fmt.Bool(activation.arg # NIL) & "\n");
  END Describe;

PROCEDURE Exits() =
  BEGIN
    LOOP
      TRY
        TRY EXIT; FINALLY Describe("exit", Compiler.ThisException()); END;
      FINALLY
        Describe("outer exit", Compiler.ThisException());
      END;
    END;
    TRY
      TRY
        RETURN;  (* expect-warning: catches this RETURN *)
      FINALLY
        Describe("return", Compiler.ThisException());
      END;
    EXCEPT ELSE
      Describe("else of a return", Compiler.ThisException());
    END;
  END Exits;

(* Leaves the handler in every way, often: no exception may be freed twice or leak. *)
PROCEDURE Often(n: INTEGER): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 1 TO n DO
      TRY
        TRY
          RAISE Number(i);
        EXCEPT
          Number (k) =>
            WITH a = LOOPHOLE(Compiler.ThisException(), RT0.ActivationPtr) DO
              IF i MOD 3 = 0 THEN RAISE Message(Fmt.Int(k)); END;
              INC(sum, LOOPHOLE(a.arg, UNTRACED REF INTEGER)^);
            END;
        END;
      EXCEPT
        Message (t) =>
          EVAL t;
          IF Compiler.ThisException() = NIL THEN IO.Put("lost\n"); END;
          IF i = n THEN RETURN sum; END;
      END;
    END;
    RETURN -sum;
  END Often;

VAR line: INTEGER;
BEGIN
  TRY
    line := Compiler.ThisLine() + 1;
    RAISE Number(3);
  EXCEPT
  | Plain => IO.Put("wrong\n");
    (* expect: handler: Main.Number TRUE Main.m3 TRUE *)
  | Number => Describe("handler", Compiler.ThisException(), line);
  END;
  (* expect: else: Main.Plain FALSE *)
  TRY RAISE Plain; EXCEPT ELSE Describe("else", Compiler.ThisException()); END;
  TRY
    (* expect: finally: Main.Message TRUE *)
    TRY RAISE Message("m"); FINALLY Describe("finally", Compiler.ThisException()); END;
  EXCEPT
  | Message (text) =>
    (* expect: inner: Main.Plain FALSE *)
    (* expect: again: Main.Message TRUE *)
    TRY RAISE Plain; EXCEPT Plain => Describe("inner", Compiler.ThisException()); END;
    TRY
      Describe("again", Compiler.ThisException());
    FINALLY
      (* expect: no exception: none *)
      Describe("no exception", Compiler.ThisException());
    END;
    (* expect: m *)
    IO.Put(text & "\n");
  END;
  (* expect: check: RuntimeError.E TRUE *)
  TRY
    EVAL VAL(line * 1000, CHAR);
  EXCEPT
    RuntimeError.E => Describe("check", Compiler.ThisException());
  END;
  (* expect: exit: none *)
  (* expect: outer exit: none *)
  (* expect: return: none *)
  (* expect: else of a return: none *)
  Exits();
  (* expect: 300 *)
  IO.Put(Fmt.Int(Often(30)) & "\n");
  (* expect: -19 *)
  IO.Put(Fmt.Int(Often(7) * 1) & "\n");
END Main.
