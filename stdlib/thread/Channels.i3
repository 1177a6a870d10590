(* What channels of all element types have in common, and the choice between several of them. A channel hands elements
   from threads to threads: interface Channel.

   Example:

       MODULE Main;
       IMPORT Channels, Fmt, IntChannel, IO, TextChannel, Thread;
       TYPE
         Counter = Thread.Closure OBJECT numbers: IntChannel.T OVERRIDES apply := Count END;

       PROCEDURE Count(self: Counter): REFANY =
         <*FATAL Channels.Closed*>
         BEGIN
           FOR i := 1 TO 3 DO self.numbers.put(i) END;
           self.numbers.close();
           RETURN NIL;
         END Count;

       VAR
         numbers := NEW(IntChannel.T).init();
         words := NEW(TextChannel.T).init(1);
         number := numbers.getting();
         word := words.putting("word");
         cases := ARRAY [0 .. 1] OF Channels.Case {number, word};
         counter := Thread.Fork(NEW(Counter, numbers := numbers));
         sum := 0;
       BEGIN
         LOOP
           CASE Channels.Select(cases, 10.0D0) OF
           | 0 => IF number.closed THEN EXIT END;  INC(sum, number.value);
           | 1 => cases[1] := NIL;
           ELSE IO.Put("nothing came for ten seconds\n");  EXIT;
           END;
         END;
         EVAL Thread.Join(counter);
         IO.Put(Fmt.Int(sum) & ", " & Fmt.Int(words.size()) & " word\n");
       END Main.

   It prints

       6, 1 word
*)
INTERFACE Channels;

IMPORT Thread;

CONST
  NoLimit = -1.0D0;  (* seconds *)

EXCEPTION Closed;  (* by a put into a closed channel *)

TYPE
  Outcome = {
    Done,    (* the element was put or got *)
    Late,    (* the time was over; nothing has happened *)
    Closed   (* a put: the channel is closed; a get: closed, and empty for ever *)
  };

  (* A channel, of whatever elements. Threads may share it. It is not saved in databases. *)
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Ends putting: waiting puts and later ones fail with Closed, and what they had is not put. Gets go on until the
       channel is empty. A second call does nothing. Any thread may close. *)
    close();
    isClosed(): BOOLEAN;

    (* The number of elements that were put and not got: at most the capacity. *)
    size(): CARDINAL;
    capacity(): CARDINAL;
  END;

  (* An offer to get from a channel, or to put into one: made by `getting` and `putting` of the channel. It may be
     used again and again, by one Select at a time; it is a checked run-time error to use one twice at the same
     time. *)
  Case <: CasePublic;
  CasePublic = <*TRANSIENT*> ROOT OBJECT
    (* Whether the channel was closed when Select chose this offer: then no element was put or got. *)
    closed := FALSE;
  END;

CONST
  None = -1;

(* Waits until one of the offers can happen, lets it happen, and returns its index; None if none could happen within
   so many seconds: 0.0D0 does not wait. If several can happen, each of them is chosen with the same probability. Of
   threads that wait, the one that came first is served first. Offers that are NIL never happen. *)
PROCEDURE Select(READONLY cases: ARRAY OF Case; seconds := NoLimit): INTEGER;

(* The same. Alerted if the thread is alerted before something has happened; so nothing is lost by an alert. A pending
   alert is noticed even if an offer could happen at once. *)
PROCEDURE AlertSelect(READONLY cases: ARRAY OF Case; seconds := NoLimit): INTEGER RAISES {Thread.Alerted};

END Channels.
