(* The contents of the heap, by type. *)
INTERFACE RTutils;

TYPE
  HeapPresentation = {ByTypecode, ByNumber, ByByteCount};

(* Collects, and writes for each type the number of its objects and their bytes to standard
   error. If suppressZeros, types without objects are left out. At most `window` lines are
   written, in the order of typecodes, or with the most objects or bytes first. *)
PROCEDURE Heap(suppressZeros := FALSE;
               presentation := HeapPresentation.ByTypecode;
               window := LAST(INTEGER));

(* The same for the changes since the previous call of Heap or NewHeap; a negative number is a
   decrease. *)
PROCEDURE NewHeap(suppressZeros := TRUE;
                  presentation := HeapPresentation.ByTypecode;
                  window := LAST(INTEGER));

(* Names of types, as in RTTypeSRC. *)
PROCEDURE TypeName(ref: REFANY): TEXT;
PROCEDURE TypecodeName(tc: CARDINAL): TEXT;

END RTutils.
