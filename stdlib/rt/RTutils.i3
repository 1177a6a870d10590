(* What is in the heap, by type. *)
INTERFACE RTutils;

TYPE
  HeapPresentation = {ByTypecode, ByNumber, ByByteCount};

(* Collects, and writes for each type how many objects there are and what they take, to standard
   error. With suppressZeros types without objects are left out; at most window lines are written:
   in the order of typecodes, or those with the most objects or bytes first. *)
PROCEDURE Heap(suppressZeros := FALSE;
               presentation := HeapPresentation.ByTypecode;
               window := LAST(INTEGER));

(* The same for what there is more (or less, then negative) than at the call of Heap or NewHeap
   before. *)
PROCEDURE NewHeap(suppressZeros := TRUE;
                  presentation := HeapPresentation.ByTypecode;
                  window := LAST(INTEGER));

(* As RTTypeSRC has them. *)
PROCEDURE TypeName(ref: REFANY): TEXT;
PROCEDURE TypecodeName(tc: CARDINAL): TEXT;

END RTutils.
