(* Waits in the run time that an alert ends. *)
INTERFACE ThreadAlert;

FROM Thread IMPORT Alerted;

TYPE
  Sleeper = OBJECT METHODS
    (* Sleeps until the wait is over, or until permit # 0 and alerted. An alert of the thread sets
       alerted, then sets permit to 1 and wakes who sleeps on it. FALSE: alerted. *)
    sleep(VAR permit: INTEGER; VAR alerted: BOOLEAN): BOOLEAN
  END;

(* Calls s.sleep. Raises Alerted if the thread was alerted before, or if sleep returns FALSE. *)
PROCEDURE AlertableSleep(s: Sleeper) RAISES {Alerted};

END ThreadAlert.
