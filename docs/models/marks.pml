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
   byte. FenceAllThreads ends that.

   Checked: when both are done, and no frame is marked, memory is what the store has; a stray store is
   not in memory alone.

   Run by tests/models/models_test.py, also with each of the mistakes CALL_AFTER_READING and
   WITHOUT_FENCE, which it must find. */

#define OURS 1
#define STRAY 2

byte memory = OURS;                    /* the block, after the transaction's store */
byte stored = 0;                       /* in the store */
bool calls = false;                    /* the byte of the block; false since the transaction marked it */
bool buffered = false;                 /* the stray store is not visible to others yet */
bool lock = false;
bool ours_done = false, stray_done = false;

inline take_lock() { atomic { !lock -> lock = true } }
inline make_visible() { atomic { if :: buffered -> memory = STRAY; buffered = false :: else fi } }

proctype Committer() {
  byte sent;
  take_lock();
#ifdef CALL_AFTER_READING
  sent = memory;
  calls = true;
#else
  calls = true;
#ifndef WITHOUT_FENCE
  make_visible();
#endif
  sent = memory;
#endif
  stored = sent;
  lock = false;
  ours_done = true
}

proctype Stray() {
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
