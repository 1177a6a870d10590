(* The entries of sorted tables and B+ trees with texts as keys whose keys begin with a prefix. SortedTbl is an instance
   of SortedTable(Text, Table(Text, Value)) whose order is that of Text.Compare.

   Example:

       MODULE Main;
       IMPORT IO, SortedTextTextTbl, SortedTextTextPrefix;
       VAR
         paths := NEW(SortedTextTextTbl.Default).init();
         below: SortedTextTextPrefix.Iterator;
         path, what: TEXT;
       BEGIN
         EVAL paths.put("/etc", "settings");
         EVAL paths.put("/etc/hosts", "names");
         EVAL paths.put("/etcetera", "more");
         EVAL paths.put("/usr", "programs");
         below := SortedTextTextPrefix.Iterate(paths, "/etc/");
         WHILE below.next(path, what) DO IO.Put(path & ": " & what & "\n") END;
         below := SortedTextTextPrefix.Iterate(paths, "/etc");
         WHILE below.next(path, what) DO IO.Put(path & " ") END;
         IO.Put("\n");
       END Main.

   It prints

       /etc/hosts: names
       /etc /etc/hosts /etcetera
*)
GENERIC INTERFACE SortedPrefix(Value, SortedTbl);

TYPE
  (* Gives the entries in the order of their keys; FALSE, again and again, when no more of them begin with the
     prefix. *)
  Iterator <: Public;
  Public = OBJECT METHODS
    next(VAR key: TEXT; VAR value: Value.T): BOOLEAN;
  END;

PROCEDURE Iterate(t: SortedTbl.T; prefix: TEXT): Iterator;

END SortedPrefix.
