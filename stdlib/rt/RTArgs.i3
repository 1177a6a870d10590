(* The command line and the environment. *)
INTERFACE RTArgs;

(* The program's name and its parameters, without the parameters of the run time (RTParams). *)
PROCEDURE ArgC(): CARDINAL;
PROCEDURE GetArg(n: CARDINAL): TEXT;

(* The environment's variables, each as NAME=VALUE. *)
PROCEDURE EnvC(): CARDINAL;
PROCEDURE GetEnv(n: CARDINAL): TEXT;

END RTArgs.
