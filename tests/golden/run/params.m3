(* golden: run *)
MODULE Main;

IMPORT Env, Fmt, IO, Params, RTParams, Text;

BEGIN
  IO.Put(Fmt.F("%s parameters\n", Fmt.Int(Params.Count - 1)));
  FOR i := 1 TO Params.Count - 1 DO IO.Put("[" & Params.Get(i) & "]\n") END;
  IO.Put(Fmt.Bool(RTParams.IsPresent("mine")) & " " & Fmt.Bool(RTParams.IsPresent("other")) & " "
         & RTParams.Value("mine") & "\n");
  IO.Put(Fmt.Bool(Env.Get("NO_SUCH_VARIABLE") = NIL) & " "
         & Fmt.Bool(NOT Text.Empty(Env.Get("PATH"))) & "\n");
END Main.
(* args: one "two words" @M3mine=7 "" three *)
(* expect: 4 parameters *)
(* expect: [one] *)
(* expect: [two words] *)
(* expect: [] *)
(* expect: [three] *)
(* expect: TRUE FALSE 7 *)
(* expect: TRUE TRUE *)
