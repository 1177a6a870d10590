(* Readers: streams of characters that come from somewhere. The source is numbered from 0; cur
   is the position of the next character. Using a closed reader is a checked run-time error.
   Characters that a procedure has read when it raises Failure or Alerted are not lost: the
   next call reads them again.

   Example:

       MODULE Main;
       IMPORT IO, Rd, TextRd;
       <*FATAL ANY*>
       VAR rd := TextRd.New("one\ntwo\n");
       BEGIN
         TRY
           LOOP IO.Put("<" & Rd.GetLine(rd) & ">") END;
         EXCEPT
         | Rd.EndOfFile => IO.Put("\n");
         END;
       END Main.

   It prints

       <one><two>
*)
INTERFACE Rd;

IMPORT AtomList;
FROM Thread IMPORT Alerted;

TYPE
  T <: ROOT;  (* subtypes are made with RdClass *)

EXCEPTION
  EndOfFile;
  Failure(AtomList.T);  (* the source failed; the argument has the causes, outermost first *)

(* The next character; EndOfFile at the end. A wide one is two bytes, the low one first. *)
PROCEDURE GetChar(rd: T): CHAR RAISES {EndOfFile, Failure, Alerted};
PROCEDURE GetWideChar(rd: T): WIDECHAR RAISES {EndOfFile, Failure, Alerted};

(* Whether the end is reached; waits for input if the reader is intermittent. *)
PROCEDURE EOF(rd: T): BOOLEAN RAISES {Failure, Alerted};

(* Pushes back the last character that was read; allowed once after a GetChar or EOF. *)
PROCEDURE UnGetChar(rd: T);

CONST
  UnGetCapacity = 8;

TYPE
  UnGetCount = [0..UnGetCapacity];

(* Pushes back up to n of the characters that were read last; returns their number. *)
PROCEDURE UnGetCharMulti(rd: T; n: UnGetCount := 1): CARDINAL;

(* A number of characters that can be read without waiting; 0 if none, 1 at the end. *)
PROCEDURE CharsReady(rd: T): CARDINAL RAISES {Failure};

(* Read until str is full or the source ends (the Line procedures also stop after a newline);
   return the number of characters. *)
PROCEDURE GetSub(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted};
PROCEDURE GetWideSub(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL RAISES {Failure, Alerted};
PROCEDURE GetSubLine(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted};
PROCEDURE GetWideSubLine(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL RAISES {Failure, Alerted};

(* The next len characters, or all that are left if there are fewer. *)
PROCEDURE GetText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted};
PROCEDURE GetWideText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted};

(* The characters up to the next newline. The newline and a carriage return before it are read
   but are not part of the result. The last line needs no newline; EndOfFile is raised only if
   nothing is left. *)
PROCEDURE GetLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted};
PROCEDURE GetWideLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted};

(* Moves to position n, or to the end if the source is shorter; the reader must be seekable. *)
PROCEDURE Seek(rd: T; n: CARDINAL) RAISES {Failure, Alerted};

(* Releases the source. Closing again does nothing. *)
PROCEDURE Close(rd: T) RAISES {Failure, Alerted};

PROCEDURE Index(rd: T): CARDINAL;
PROCEDURE Length(rd: T): INTEGER RAISES {Failure, Alerted};  (* -1 if the length is not known *)
PROCEDURE Intermittent(rd: T): BOOLEAN;
PROCEDURE Seekable(rd: T): BOOLEAN;
PROCEDURE Closed(rd: T): BOOLEAN;

END Rd.
