(* golden: check *)
MODULE Main;
IMPORT Nowhere;
(* expect-error above: there is no interface Nowhere; write it in Nowhere.i3, or add the package that has it to the build file: import("...") (20.1) *)
IMPORT Other, Other;
(* expect-error above: Other is already the name of an import (20.9) *)
FROM Other IMPORT Missing;
(* expect-error above: interface Other does not declare Missing; Database declares it: write Database.Missing (20.5) *)
IMPORT Unsafe;
(* expect-error above: Main is safe and cannot import the unsafe interface Unsafe (22.3) *)
FROM Other IMPORT One;
CONST One = 1;
(* expect-error above: One is already the name of an import (20.9) *)
VAR x := Other.Two;
(* expect-error above: interface Other does not declare Two; it has One (20.5) *)
VAR y := Other.Zwei;
(* expect-error above: interface Other does not declare Zwei; it has One (20.5) *)
BEGIN
  x := Unsafe.Three;
  y := x;
END Main.
(* unit: Other.i3 *)
INTERFACE Other;
IMPORT Text;
CONST One = Text.Brand;
END Other.
(* unit: Unsafe.i3 *)
UNSAFE INTERFACE Unsafe;
CONST Three = 3;
END Unsafe.
