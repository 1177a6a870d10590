MODULE Main;
(* <- keyword.type *)
(*     ^ module *)
IMPORT IO;
(* <- keyword.import *)
(*     ^ module *)
TYPE T = OBJECT f: INTEGER METHODS m() := P END;
(*   ^ type *)
(*       ^ keyword.type *)
(*              ^ variable.member *)
(*                 ^ type.builtin *)
(*                         ^ keyword *)
(*                                 ^ function.method *)
PROCEDURE P(self: T) RAISES {IO.Error} =
(* <- keyword.function *)
(*        ^ function *)
(*          ^ variable.parameter *)
(*                ^ type *)
(*                   ^ keyword.exception *)
(*                           ^ module *)
(*                              ^ type *)
  BEGIN
    IO.Put("a\n" & I.S{1.5, 2}.x);
(*  ^ module *)
(*     ^ function.call *)
(*         ^ string *)
(*           ^ string.escape *)
(*                 ^ module *)
(*                   ^ type *)
(*                     ^ number.float *)
(*                          ^ number *)
(*                             ^ variable.member *)
    <*ASSERT NEW(T) # NIL*> <*UNKNOWN text*>
(*  ^ keyword.directive *)
(*           ^ function.builtin *)
(*               ^ type *)
(*                  ^ operator *)
(*                    ^ constant.builtin *)
(*                       ^ keyword.directive *)
(*                          ^ keyword.directive *)
(*                                    ^ string.special *)
  END P;
(*    ^ function *)
BEGIN
END Main.
(*  ^ module *)
