/* The protection of pages beside running threads (design.md section 5, "Faults"; stabilize/session/session.h,
   residency.cc, frame_budget.cc, governed_pages.h; gc/heap.cc, CloseBuffer).

   Protection is the page's, not the thread's: a page that is opened is open for all threads. Two
   threads store to objects on two pages; a third begins, commits and aborts the transaction, in
   stops of the world. A store to a page that is protected traps: the trap takes the session's lock,
   keeps the image before and opens the page; or the permission is refused, and the transaction is
   over. For lack of memory a trap sends a dirty page to a file. The run time wants to lay a filler on
   the first page, where an allocation buffer was.

   Checked: nothing is stored to a page whose image before nobody has; a commit has all that was
   stored in its transaction; after an abort memory is what is committed.

   Run by tests/models/models_test.py, also with each of the mistakes OPEN_FOR_A_FILLER,
   ROLL_BACK_IN_A_TRAP and SPILL_WHAT_IS_OPEN, which it must find. */

#define PAGES 2
#define VALUES 3                       /* what is stored is counted modulo this */

mtype = { protected, dirty, spilled };

mtype state[PAGES] = protected;
bool writable[PAGES];                  /* by the hardware, for all threads */
byte memory[PAGES];                    /* the object on the page */
byte twin[PAGES];                      /* of a dirty page: the image before */
byte file[PAGES];                      /* of a spilled page */
byte committed[PAGES];                 /* in the store */
byte told[PAGES];                      /* what the transaction's threads have stored last */

bool in_transaction = false;
bool abort_pending = false;            /* over, and memory not yet put back */
bool filler_wanted = false;

bool lock = false;                     /* the session's; who has it is in a trap */
bool stopped = false;                  /* the world: a stop waits for the end of traps */

inline stop() { atomic { !stopped && !lock -> stopped = true } }

/* In a stop: one step, since nobody sees what lies between. */
inline roll_back() {
  d_step {
    p = 0;
    do
    :: p == PAGES -> break
    :: else ->
       if
       :: state[p] == dirty -> memory[p] = twin[p]
       :: state[p] == spilled -> memory[p] = committed[p]
       :: else
       fi;
       state[p] = protected;
       writable[p] = false;
       assert(memory[p] == committed[p]);
       p++
    od;
    p = 0;
    in_transaction = false;
    abort_pending = false
  }
}

inline resume() {
  d_step {
    filler_wanted = false;             /* laid, by opening the page and protecting it again */
    stopped = false
  }
}

proctype Transactions() {
  byte p;
  do
  :: stop();                           /* begin */
     d_step {
       if
       :: abort_pending || in_transaction -> skip
       :: else ->
          in_transaction = true;
          told[0] = committed[0];
          told[1] = committed[1]
       fi
     }
     resume()
  :: stop();                           /* commit */
     if
     :: abort_pending -> roll_back()
     :: else ->
        d_step {
          p = 0;
          do
          :: p == PAGES -> break
          :: else ->
             if
             :: state[p] == dirty -> committed[p] = memory[p]
             :: state[p] == spilled -> committed[p] = file[p]; memory[p] = file[p]
             :: else
             fi;
             state[p] = protected;
             writable[p] = false;
             if
             :: in_transaction -> assert(committed[p] == told[p])
             :: else
             fi;
             p++
          od;
          p = 0;
          in_transaction = false
        }
     fi;
     resume()
  :: stop();                           /* abort */
     roll_back();
     resume()
  od
}

/* For lack of memory, in a trap: another dirty page goes to the file. */
inline make_room(other) {
  if
  :: state[other] == dirty ->
#ifdef SPILL_WHAT_IS_OPEN
     file[other] = memory[other];
     writable[other] = false;
#else
     writable[other] = false;
     file[other] = memory[other];
#endif
     state[other] = spilled
  :: skip
  fi
}

proctype Writer() {
  byte p;
  bool trapped;
  do
  :: atomic {
       !stopped ->                     /* one instruction */
       if
       :: p = 0
       :: p = 1
       fi;
       trapped = false;
       if
       :: writable[p] ->
          assert(state[p] == dirty);   /* somebody has the image before */
          memory[p] = (memory[p] + 1) % VALUES;
          if
          :: !abort_pending -> told[p] = memory[p]
          :: else
          fi
       :: !writable[p] && in_transaction && !abort_pending && !lock ->
          lock = true; trapped = true
       :: else                         /* it raises, or waits */
       fi
     };
     if
     :: !trapped
     :: trapped && state[p] == protected ->   /* the permission is refused */
#ifdef ROLL_BACK_IN_A_TRAP
        p = 0;
        do
        :: p == PAGES -> break
        :: p < PAGES ->
           if
           :: state[p] == dirty -> memory[p] = twin[p]
           :: state[p] == spilled -> memory[p] = committed[p]
           :: else
           fi;
           state[p] = protected;
           writable[p] = false;
           p++
        od;
        p = 0;
        in_transaction = false;
#else
        abort_pending = true;
#endif
        lock = false
     :: trapped ->
        make_room(1 - p);
        if
        :: state[p] == protected -> twin[p] = memory[p]
        :: state[p] == spilled -> memory[p] = file[p]
        :: else
        fi;
        state[p] = dirty;
        writable[p] = true;
        lock = false
     fi
  od
}

/* A thread whose allocation buffer lies on the first page gets another one, or ends. */
proctype Allocator() {
  bool was;
  do
#ifdef OPEN_FOR_A_FILLER
  :: atomic { !stopped && !lock -> lock = true; was = writable[0] };
     writable[0] = true;
     writable[0] = was;
     lock = false
#else
  :: atomic { !stopped && !filler_wanted -> filler_wanted = true }
#endif
  od
}

init {
  atomic { run Transactions(); run Writer(); run Writer(); run Allocator() }
}
