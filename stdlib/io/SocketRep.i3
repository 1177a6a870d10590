(* What the modules over sockets share. *)
INTERFACE SocketRep;

IMPORT OSError;

(* The result of a call of the system: raises OSError.E if that is -errno. The argument has the kind of
   error, as in Socket, then its number and its text. *)
PROCEDURE Check(result: INTEGER): INTEGER RAISES {OSError.E};

END SocketRep.
