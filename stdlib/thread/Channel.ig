(* Channels: threads put elements in, and others get them in the same order. A channel of a capacity of 0 keeps none: a
   put waits until a get takes its element. Elem needs T, which is not an open array, and Brand. Interface Channels has
   what follows from a close, and the choice between several channels.

   Example:

       MODULE Main;
       IMPORT Channels, IO, TextChannel, Thread;
       TYPE
         Writer = Thread.Closure OBJECT lines: TextChannel.T OVERRIDES apply := Write END;

       PROCEDURE Write(self: Writer): REFANY =
         VAR line: TEXT;
         BEGIN
           WHILE self.lines.get(line) DO IO.Put(line & "\n") END;
           RETURN NIL;
         END Write;

       VAR
         lines := NEW(TextChannel.T).init(capacity := 10);
         writer := Thread.Fork(NEW(Writer, lines := lines));
       BEGIN
         TRY
           lines.put("first");
           lines.put("second");
           lines.close();
           lines.put("third");
         EXCEPT
         | Channels.Closed => lines := NIL;
         END;
         EVAL Thread.Join(writer);
         IO.Put("end\n");
       END Main.

   It prints

       first
       second
       end
*)
GENERIC INTERFACE Channel(Elem);

IMPORT Channels, Thread;

CONST
  Brand = "(Channel " & Elem.Brand & ")";

TYPE
  (* A channel, closed by its method close. Waiting threads are served in the order in which they came. *)
  T <: Public;
  Public = Channels.T OBJECT METHODS
    (* Must be called, once, before any other method. *)
    init(capacity: CARDINAL := 0): T;

    (* Puts x, and waits for room if the channel is full. Closed: x was not put. *)
    put(READONLY x: Elem.T) RAISES {Channels.Closed};

    (* Gets the next element, and waits for one if there is none. FALSE: the channel is closed and empty; x has not
       changed. *)
    get(VAR x: Elem.T): BOOLEAN;

    (* The same, waiting at most so many seconds; 0.0D0 does not wait. *)
    tryPut(READONLY x: Elem.T; seconds := 0.0D0): Channels.Outcome;
    tryGet(VAR x: Elem.T; seconds := 0.0D0): Channels.Outcome;

    (* The same, and Alerted if the thread was alerted, even if there was no need to wait. Then nothing was put or
       got. *)
    alertPut(READONLY x: Elem.T) RAISES {Channels.Closed, Thread.Alerted};
    alertGet(VAR x: Elem.T): BOOLEAN RAISES {Thread.Alerted};
    alertTryPut(READONLY x: Elem.T; seconds := 0.0D0): Channels.Outcome RAISES {Thread.Alerted};
    alertTryGet(VAR x: Elem.T; seconds := 0.0D0): Channels.Outcome RAISES {Thread.Alerted};

    (* Offers for Channels.Select. The value of one that puts may be changed while no Select uses it. *)
    getting(): Getting;
    putting(READONLY x: Elem.T): Putting;
  END;

  Getting = Channels.Case OBJECT
    value: Elem.T;  (* what Select has got; a case keeps it alive *)
  END;

  Putting = Channels.Case OBJECT
    value: Elem.T;  (* what Select is to put *)
  END;

END Channel.
