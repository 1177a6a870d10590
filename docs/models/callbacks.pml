/* Callback locking where an object is displaced (design.md section 5, "Displaced objects" and
   "Locks"; stabilize/session/called_back.cc, server_permissions.cc).

   Two sessions increment one object through a page server. In a session the object is at home, in
   the frame of its page, or displaced: it lives on a governed page of the heap, and its home is
   filled only when a collection sends it there. A callback takes the page away: the frame at once,
   the displaced object when the next transaction begins, which then fetches what is committed. A
   store to a transient neighbour opens a governed page and asks nobody; what is then stored to the
   displaced object is found by the commit, which asks for the permission.

   The page may also come ahead, with a neighbour that was touched (store/remote/read_ahead.h). The
   server then counts it as granted. The session has not read it, so it gives it up at once, also in
   a transaction, until a touch takes it over without a message. A page that a transaction has used
   may become free in the same way when the transaction ends.

   A page that wanders between programs (store/remote/wandering_pages.h) is asked for to write when
   it is touched, and given up without a callback when the transaction ends.

   Checked: what a transaction has read is what is committed when it commits, no increment is lost,
   nobody has a permission beside a writer, and the object is in one place only (invariants 2, 4
   and 10).

   Run by tests/models/models_test.py, also with each of the mistakes FORGET_WHAT_IS_GIVEN_UP,
   SEND_HOME_WHAT_IS_WRITTEN, FETCH_NOTHING, COMMIT_WITHOUT_ASKING, KEEP_WHAT_CAME_AHEAD,
   GIVE_UP_WHAT_IS_TOUCHED, FREE_AS_IT_WAS_READ and KEEP_THE_FRAME_OF_WHAT_WANDERS, which it must
   find. */

#define SESSIONS 2
#define VALUES 4                       /* increments are counted modulo this */

mtype = { none, reading, writing };    /* permissions */
mtype = { absent, clean, dirty };      /* states of a frame, and of a governed page that is fetched */

byte stored = 0;                       /* the committed value */
byte increments = 0;                   /* committed ones */

/* At the server. A wait that closes a cycle has a victim; one page has no cycles, so an upgrade of
   two readers is what must be refused. */
mtype granted[SESSIONS] = none;
bool upgrading[SESSIONS];

/* In the sessions. */
bool in_transaction[SESSIONS];
bool displaced[SESSIONS];              /* the object is in the heap */
bool called_back[SESSIONS];            /* its home was given up while it was displaced */
mtype frame[SESSIONS] = absent;
byte in_frame[SESSIONS];
byte in_heap[SESSIONS];
bool home_filled[SESSIONS];            /* the frame has the object, not a filler */
bool heap_dirty[SESSIONS];
bool ahead[SESSIONS];                  /* the page came ahead, and has not been touched */
byte in_ahead[SESSIONS];

inline check_permissions() {
  assert(!(granted[0] == writing && granted[1] != none));
  assert(!(granted[1] == writing && granted[0] != none));
}

/* The server calls back the other session. It answers between transactions only; within one it is
   busy, and releases at the end. One step each: both sides hold their locks. */
#define OTHER (1 - me)

inline give_up(session, keep_read) {
  if
  :: keep_read -> granted[session] = reading
  :: else ->
     granted[session] = none;
     frame[session] = absent;
     ahead[session] = false;
     if
#ifndef FORGET_WHAT_IS_GIVEN_UP
     :: displaced[session] -> called_back[session] = true
#endif
     :: else
     fi
  fi
}

inline acquire(wanted, refused) {
  refused = false;
  do
  :: atomic { granted[me] == writing || granted[me] == wanted -> break }
  :: atomic {
       granted[me] != writing && granted[me] != wanted &&
       (granted[OTHER] == none || (wanted == reading && granted[OTHER] == reading)) ->
       granted[me] = wanted; upgrading[me] = false; check_permissions(); break
     }
  :: atomic {
       granted[me] != writing && granted[me] != wanted && !in_transaction[OTHER] &&
       granted[OTHER] != none && !(wanted == reading && granted[OTHER] == reading) ->
       give_up(OTHER, wanted == reading)
     }
  :: atomic {                          /* the other has not read it: its transaction goes on */
       granted[me] != writing && granted[me] != wanted && ahead[OTHER] &&
       (wanted == writing || granted[OTHER] == writing) ->
       granted[OTHER] = none;
#ifdef GIVE_UP_WHAT_IS_TOUCHED
       frame[OTHER] = absent;
#endif
#ifndef KEEP_WHAT_CAME_AHEAD
       ahead[OTHER] = false
#endif
     }
  :: atomic {                          /* the other waits for what this one has read: a cycle */
       granted[me] == reading && wanted == writing && upgrading[OTHER] ->
       refused = true; break
     }
  :: atomic {
       granted[me] == reading && wanted == writing && !upgrading[OTHER] && !upgrading[me] &&
       granted[OTHER] == reading && in_transaction[OTHER] -> upgrading[me] = true
     }
  od
}

inline abort_transaction() {
  atomic {
    if
    :: frame[me] == dirty -> frame[me] = absent
    :: else
    fi;
    if
    :: heap_dirty[me] -> in_heap[me] = before; heap_dirty[me] = false
    :: else
    fi;
    upgrading[me] = false;
    in_transaction[me] = false
  }
}

proctype Program(byte me) {
  byte seen, before;
  bool refused;
  do
  :: atomic { in_transaction[me] = true; refused = false };
     /* Displaced objects are read without a fault: what was given up is fetched at the begin. */
     if
#ifndef FETCH_NOTHING
     :: displaced[me] && called_back[me] ->
        acquire(reading, refused);
        atomic {
          /* A collection may have forwarded it meanwhile. */
          if
          :: displaced[me] -> in_heap[me] = stored
          :: else
          fi;
          called_back[me] = false; frame[me] = clean; in_frame[me] = stored;
          home_filled[me] = !displaced[me]
        }
#endif
     :: else
     fi;
     /* A neighbour is read: the page comes along if nobody writes it. */
     if
     :: atomic {
          granted[me] == none && granted[OTHER] != writing && !upgrading[OTHER] ->
          granted[me] = reading; ahead[me] = true; in_ahead[me] = stored
        }
     :: skip
     fi;
     /* Read: a fault where the frame is absent. */
     if
     :: displaced[me] -> skip
     :: !displaced[me] && frame[me] != absent -> skip
     :: !displaced[me] && frame[me] == absent ->
        if
        :: atomic {
             ahead[me] ->
             frame[me] = clean; in_frame[me] = in_ahead[me]; home_filled[me] = true;
#ifndef GIVE_UP_WHAT_IS_TOUCHED
             ahead[me] = false
#endif
           }
        :: atomic { !ahead[me] -> skip };
           if
           :: acquire(reading, refused)
           :: granted[me] == none -> acquire(writing, refused)  /* it wanders */
           fi;
           atomic { frame[me] = clean; in_frame[me] = stored; home_filled[me] = true }
        fi
     fi;
     atomic {
       assert(granted[me] != none);    /* invariant 10 */
       if
       :: displaced[me] -> seen = in_heap[me]
       :: else -> assert(home_filled[me]); seen = in_frame[me]
       fi;
       before = seen;
       assert(seen == stored)          /* the page in the cache is never stale */
     };
     if
     :: skip                           /* reads only */
     :: acquire(writing, refused);     /* writes: a trap of the frame, or of the governed page */
        if
        :: refused -> skip
        :: else ->
           atomic {
             if
             :: displaced[me] -> in_heap[me] = (seen + 1) % VALUES; heap_dirty[me] = true
             :: else -> in_frame[me] = (seen + 1) % VALUES; frame[me] = dirty
             fi
           }
        fi
     :: atomic {                       /* the page is open already, because of a neighbour */
          displaced[me] -> in_heap[me] = (seen + 1) % VALUES; heap_dirty[me] = true
        }
     fi;
     /* The commit finds what has changed, and asks for what nobody has asked for. */
     if
#ifndef COMMIT_WITHOUT_ASKING
     :: heap_dirty[me] && granted[me] != writing -> acquire(writing, refused)
#endif
     :: else
     fi;
     if
     :: refused -> abort_transaction()
     :: !refused && (heap_dirty[me] || frame[me] == dirty) -> abort_transaction()
     :: !refused ->
        atomic {                       /* commit, and what waited for its end may go on */
          assert(stored == before);    /* two-phase locking */
          if
          :: heap_dirty[me] || frame[me] == dirty ->
             assert(granted[me] == writing);
             if
             :: heap_dirty[me] -> stored = in_heap[me]
             :: else -> stored = in_frame[me]
             fi;
             increments = (increments + 1) % VALUES;
             assert(stored == increments)
          :: else
          fi;
          heap_dirty[me] = false;
          if
          :: frame[me] == dirty -> frame[me] = clean
          :: else
          fi;
          /* Others want pages in the midst of transactions: it leaves the frame and becomes free. */
          if
          :: !displaced[me] && frame[me] == clean ->
             frame[me] = absent; home_filled[me] = false; ahead[me] = true;
#ifdef FREE_AS_IT_WAS_READ
             in_ahead[me] = before
#else
             in_ahead[me] = stored
#endif
          :: granted[me] == writing ->  /* it wanders */
#ifdef KEEP_THE_FRAME_OF_WHAT_WANDERS
             granted[me] = none
#else
             give_up(me, false)
#endif
          :: skip
          fi;
          upgrading[me] = false;
          in_transaction[me] = false
        }
     fi
  od
}

/* A collection sends a displaced object home, at any moment; not when the open transaction has
   written it. If the home was given up, it only forwards. */
proctype Collector(byte me) {
  do
  :: atomic {
#ifdef SEND_HOME_WHAT_IS_WRITTEN
       displaced[me] ->
#else
       displaced[me] && !heap_dirty[me] ->
#endif
       if
       :: called_back[me] -> frame[me] = absent; home_filled[me] = false
       :: else ->
          assert(frame[me] != absent && !home_filled[me]);
          in_frame[me] = in_heap[me]; home_filled[me] = true
       fi;
       called_back[me] = false;
       displaced[me] = false
     }
  od
}

init {
  atomic {
    /* The first session has just named the object: it has the permission, and the home is empty. */
    displaced[0] = true;
    granted[0] = writing;
    frame[0] = clean;
    run Program(0); run Program(1); run Collector(0)
  }
}
