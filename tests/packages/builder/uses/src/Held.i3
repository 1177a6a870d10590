INTERFACE Held;
IMPORT Ctypes;
<*EXTERNAL*> PROCEDURE held(): Ctypes.int;
END Held.
