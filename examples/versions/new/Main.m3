(* Version 2 of the program: lists the books. *)
MODULE Main;

IMPORT Book, Database, Fmt, IO, Transaction;

<*FATAL ANY*>

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  book: Book.T;

BEGIN
  db := Database.Open("shelf");
  tr.beginReadOnly();
  book := db.getRoot();
  WHILE book # NIL DO
    IO.Put(Fmt.F("%s | %s | %s | %s cents | %s\n", book.title, book.given, book.family,
                 Fmt.Int(book.cents), Fmt.Int(book.copies)));
    book := book.next;
  END;
  tr.commit();
END Main.
