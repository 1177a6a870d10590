/* A commit beside other threads in a program with software barriers (docs/stabilization.md, "Beside
   other threads"; stabilize/commit/stabilizer_send.cc, WatchDirtyFrames; stabilize/session/
   store_barriers.cc).

   A frame was left open: it is writable for all threads. The transaction of one thread has stored to
   a block of the frame and has marked the block; the thread commits and does not stop the others. A
   stray thread, which works in no transaction, stores to the same block. Behind its store it looks
   at the byte of the block. If the byte says so, it calls: it takes the session's lock, finds no
   transaction of its own, and the frame is read again from the store, so that nothing of the store
   stays. The commit takes the lock, makes the blocks call, reads the block, sends it, and unlocks.

   A processor may keep a store of the stray thread to itself while the thread already looks at the
   byte. FenceAllThreads ends that. The commit leaves the fence out if no other thread runs, once the
   blocks call: a thread says that it runs, for all to see, before it goes on behind a wait, and that
   it waits when its stores are visible (Mutator::OthersRun).

   Checked: when both are done, and no frame is marked, memory is what the store has; a stray store is
   not in memory alone.

   Run by tests/models/models_test.py, also with each of the mistakes CALL_AFTER_READING,
   WITHOUT_FENCE, LOOK_BEFORE_CALLING and WAIT_BEFORE_VISIBLE, which it must find. */

#define OURS 1
#define STRAY 2

byte memory = OURS;                    /* the block, after the transaction's store */
byte stored = 0;                       /* in the store */
bool calls = false;                    /* the byte of the block; false since the transaction marked it */
bool buffered = false;                 /* the stray store is not visible to others yet */
bool running = false;                  /* the stray thread; false while it waits for something */
bool lock = false;
bool ours_done = false, stray_done = false;

inline take_lock() { atomic { !lock -> lock = true } }
inline make_visible() { atomic { if :: buffered -> memory = STRAY; buffered = false :: else fi } }

inline fence_if_another_runs() {
  if
  :: runs -> make_visible()
  :: else
  fi
}

proctype Committer() {
  byte sent;
  bool runs = false;
  take_lock();
#ifdef CALL_AFTER_READING
  sent = memory;
  calls = true;
#else
#ifdef LOOK_BEFORE_CALLING
  runs = running;
#endif
  calls = true;
#ifndef LOOK_BEFORE_CALLING
  runs = running;
#endif
#ifndef WITHOUT_FENCE
  fence_if_another_runs();
#endif
  sent = memory;
#endif
  stored = sent;
  lock = false;
  ours_done = true
}

proctype Stray() {
  running = true;                      /* it has waited until now */
  buffered = true;                     /* the store */
  if
  :: make_visible()
  :: skip
  fi;
  if
  :: calls ->
     make_visible();                   /* taking a lock is a fence */
     take_lock();
     /* No transaction of this thread is open. With the commit over, the frame is clean. */
     memory = stored;
     lock = false
  :: else                              /* it is taken for a store of the transaction */
  fi;
#ifndef WAIT_BEFORE_VISIBLE
  make_visible();
#endif
  running = false;                     /* it waits again */
  stray_done = true
}

/* A processor makes a store visible at some time. */
proctype Buffer() {
  do
  :: buffered -> make_visible()
  :: stray_done && !buffered -> break
  od
}

init {
  run Committer();
  run Stray();
  run Buffer();
  ours_done && stray_done && !buffered;
  assert(memory == stored)
}
