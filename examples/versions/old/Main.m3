(* Version 1 of the program: makes some books. *)
MODULE Main;

IMPORT Book, Database, Fmt, IO, Transaction;

<*FATAL ANY*>

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  list: Book.T := NIL;

PROCEDURE Add(title, author: TEXT; price: REAL) =
  BEGIN
    list := NEW(Book.T, title := title, author := author, price := price, next := list);
    IO.Put(Fmt.F("%s (%s) %s\n", title, author, Fmt.Real(price, Fmt.Style.Fix, 2)));
  END Add;

BEGIN
  Database.Create("shelf");
  db := Database.Open("shelf");
  tr.begin();
  Add("The Art of Computer Programming", "Knuth, Donald", 64.5);
  Add("Smalltalk-80", "Goldberg, Adele", 30.25);
  Add("Beowulf", "", 9.99);
  db.setRoot(list);
  tr.commit();
END Main.
