(* The values in the condition of a check. The compiler makes t.check(f(a) = b) call these procedures
   with f(a) and b; not for programs. Each returns its value. `source` is the value's expression;
   `names`, of an ordinal, the names of the elements of an enumeration with a blank behind each, or
   empty; `first` says that another condition begins. *)
INTERFACE TestSeen;

PROCEDURE Ordinal(value: INTEGER; source, names: TEXT; first: BOOLEAN): INTEGER;
PROCEDURE Character(value: INTEGER; source, names: TEXT; first: BOOLEAN): INTEGER;
PROCEDURE Float(value: REAL; source, names: TEXT; first: BOOLEAN): REAL;
PROCEDURE LongFloat(value: LONGREAL; source, names: TEXT; first: BOOLEAN): LONGREAL;
PROCEDURE Characters(value: TEXT; source, names: TEXT; first: BOOLEAN): TEXT;
PROCEDURE Reference(value: REFANY; source, names: TEXT; first: BOOLEAN): REFANY;

END TestSeen.
