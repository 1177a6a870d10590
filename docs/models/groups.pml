/* Commits in groups (docs/recovery.md; store/server/page_server.h, Order and AwaitDurable).

   Two threads of a program use a store. One transaction that writes is open at a time. Its commit is
   ordered: the commit gets the next version, and its record is written to the log. From then on the
   next transaction sees the commit. A thread keeps a ticket, the newest version that it has ordered
   or read, and waits for it at once or after further transactions (commitLater). One of the waiting
   threads syncs for all; the others are parked. Other programs at the same server get
   only pages whose commits are durable.

   The machine may fail at any moment. Each record that was written and not synced is then on the disk
   or not. A record says up to which version the log was durable when the record was written. An
   opening puts the records before the first hole into the trees and removes the log. A hole is damage
   if a record behind the hole says that the missing record was durable. Once, the disk may lose a
   synced record.

   When a sync fails, each record that it should write is on the disk, or only readable, or gone. The
   program opens the store anew. If the store lacks an ordered commit, or cannot be opened, the
   databases are closed in the process: the commits that the store has are acknowledged, the others
   are not.

   Checked: an acknowledged commit, and each commit that an acknowledged transaction may have read, is
   there for ever; a store that was opened has a prefix of the ordered commits; damage is reported if a
   record tells of it, and never else; no thread waits for ever.

   Run by tests/models/models_test.py, also with each of the mistakes READ_WITHOUT_WAITING,
   GIVE_UP_BEFORE_DURABLE, COUNT_WHAT_CAME_DURING_THE_SYNC, WAKE_ONLY_THE_SERVED, SYNC_AGAIN,
   BELIEVE_THE_CACHE, GO_ON_AHEAD_OF_THE_STORE, SKIP_HOLES, KEEP_OLD_RECORDS, CALL_EACH_HOLE_DAMAGE and
   IGNORE_DAMAGE, which it must find. */

#define WORKERS 2
#define COMMITS 4                      /* in all; a commit's number is its identity */
#define CRASHES 2
#define DRAINS 1                       /* how often the log is put into the trees */

/* A record of the log. 0: none. */
#define RECORD(version, commit, known) (((version) << 6) | ((commit) << 3) | (known))
#define VERSION(record) ((record) >> 6)
#define COMMIT(record) (((record) >> 3) & 7)
#define KNOWN(record) ((record) & 7)
#define LAST_OF_ALL (COMMITS + 1)

/* The disk. */
byte trees = 0;                        /* the trees have the versions up to this one */
byte kept[LAST_OF_ALL];                /* the commits of these versions */
short stored[LAST_OF_ALL];             /* the log's records, by place, from 1 */

/* The system. */
short cached[LAST_OF_ALL];             /* the log as it is read */
bool dirty[LAST_OF_ALL];               /* the record is still to be written to the disk */
bool covered[LAST_OF_ALL];             /* the sync in progress writes the record */

/* The process. */
byte last = 0;                         /* the newest version */
byte memory[LAST_OF_ALL];              /* the commits of all versions */
byte log_base = 0;                     /* the version before that of the log's first record */
byte durable = 0;                      /* all versions up to this one are known to be durable */
bool writing = false;                  /* a transaction that writes is open */
bool syncing = false;
bool failed = false;                   /* a sync has failed */
bool closed = false;                   /* the databases are closed in this process */
byte wanted[WORKERS];                  /* the version for which the parked thread waits; 0: not parked */
bool crashed[WORKERS];

/* What only the model knows. */
byte next_commit = 1;
byte promised = 0;                     /* an acknowledged transaction relies on these versions */
bool ahead = false;                    /* memory has commits that the store lacks */
byte rotten = 0;                       /* the synced version that the disk has lost; 0: none */
byte crashes = 0;
byte drains = 0;

/* Variables within one step. */
hidden byte at;
hidden byte found;
hidden byte damage;
hidden byte told;

/* A transaction that has ordered or read the version is acknowledged. */
inline promise(version) {
  assert(!ahead);
  if
  :: version > promised -> promised = version
  :: else
  fi
}

/* The versions up to `found`, from the trees and the records of the log as it is read. */
inline recover() {
  found = trees;
  damage = false;
#ifdef SKIP_HOLES
  at = 1;
  do
  :: at > COMMITS -> break
  :: else ->
     if
     :: VERSION(cached[at]) > trees ->
        kept[VERSION(cached[at])] = COMMIT(cached[at]);
        if
        :: VERSION(cached[at]) > found -> found = VERSION(cached[at])
        :: else
        fi
     :: else
     fi;
     at++
  od;
#else
  at = 1;
  do
  :: at > COMMITS -> break
  :: at <= COMMITS && found < COMMITS && VERSION(cached[at]) == found + 1 ->
     found++;
     kept[found] = COMMIT(cached[at]);
     at = 1
  :: else -> at++
  od;
#endif
  at = 1;
  do
  :: at > COMMITS -> break
  :: else ->
     if
#ifdef CALL_EACH_HOLE_DAMAGE
     :: VERSION(cached[at]) > found -> damage = true
#else
#ifndef IGNORE_DAMAGE
     :: VERSION(cached[at]) > found && KNOWN(cached[at]) > found -> damage = true
#endif
#endif
     :: else
     fi;
     at++
  od;
  at = 0
}

inline remove_log() {
  at = 1;
  do
  :: at > COMMITS -> break
  :: else ->
#ifndef KEEP_OLD_RECORDS
     cached[at] = 0;
     stored[at] = 0;
#endif
     dirty[at] = false;
     covered[at] = false;
     at++
  od;
  at = 0;
  log_base = trees
}

/* A prefix of the ordered commits. */
inline check_found() {
  at = 1;
  do
  :: at > found -> break
  :: else -> assert(kept[at] == memory[at]); at++
  od;
  at = 0
}

inline wake_all() {
  wanted[0] = 0;
  wanted[1] = 0
}

/* Wakes the served threads, and one of the others, which syncs next. */
inline wake() {
  at = 0;
  told = false;
  do
  :: at == WORKERS -> break
  :: else ->
     if
     :: wanted[at] != 0 && wanted[at] <= durable -> wanted[at] = 0
#ifndef WAKE_ONLY_THE_SERVED
     :: wanted[at] > durable && !told -> wanted[at] = 0; told = true
#endif
     :: else
     fi;
     at++
  od;
  told = false;
  at = 0
}

inline order() {
  last++;
  memory[last] = next_commit;
  cached[last - log_base] = RECORD(last, next_commit, durable);
  dirty[last - log_base] = true;
  covered[last - log_base] = false;
  next_commit++
}

/* After a failed sync, in a stop of the world. */
inline open_anew() {
  d_step {
    recover();
    assert(!damage);
    check_found();
#ifndef BELIEVE_THE_CACHE
    trees = found;
    remove_log();
#endif
    durable = found;
    if
    :: found == last -> failed = false
    :: else ->
#ifdef GO_ON_AHEAD_OF_THE_STORE
       ahead = true;
       last = found;
       failed = false
#else
       closed = true
#endif
    fi;
    found = 0
  }
}

inline begin_sync() {
  at = 1;
  do
  :: at > COMMITS -> break
  :: else -> covered[at] = dirty[at]; at++
  od;
  at = 0;
  syncing = true;
  target = last
}

inline end_sync() {
  d_step {
    at = 1;
    do
    :: at > COMMITS -> break
    :: else ->
       if
       :: covered[at] -> stored[at] = cached[at]; dirty[at] = false; covered[at] = false
       :: else
       fi;
       at++
    od;
    at = 0;
#ifdef COUNT_WHAT_CAME_DURING_THE_SYNC
    target = last;
#endif
    if
    :: target > durable -> durable = target
    :: else
    fi;
    syncing = false;
    wake()
  }
}

/* The system now takes the records for written: a second sync would write none of them. */
inline fail_sync() {
  i = 1;
  do
  :: i > COMMITS -> break
  :: i <= COMMITS ->
     if
     :: !dirty[i]
     :: dirty[i] -> stored[i] = cached[i]
     :: dirty[i]                       /* readable, until the machine fails */
     :: dirty[i] -> cached[i] = stored[i]
     fi;
     dirty[i] = false;
     covered[i] = false;
     i++
  od;
  i = 0;
  syncing = false;
#ifndef SYNC_AGAIN
  failed = true;
#endif
  wake_all()
}

/* Ends when the version is durable, or it is known that it never will be. */
inline await(version) {
  do
  :: atomic { durable >= version -> promise(version); break }
  :: atomic { durable < version && closed -> break }
  :: atomic { durable < version && !closed && failed -> open_anew() }
  :: atomic { durable < version && !closed && failed -> closed = true; wake_all() }
  :: atomic { durable < version && !closed && !failed && !syncing -> begin_sync() };
     if
     :: end_sync()
     :: atomic { fail_sync() }
     fi;
     target = 0
  :: atomic { durable < version && !closed && !failed && syncing -> wanted[me] = version };
     wanted[me] == 0
  od
}

proctype Worker(byte me) {
  byte ticket, target, i;
end_new:
  {
end_idle:
    do
    :: atomic { !writing && !closed && next_commit <= COMMITS -> writing = true };
       if
       :: atomic { failed && !closed -> open_anew(); writing = false }
       :: atomic { closed -> writing = false }  /* rolled back */
       :: atomic {
            !failed && !closed -> d_step { order(); ticket = last; writing = false }
          }
       :: atomic { writing = false }   /* an abort */
       fi
    :: atomic {                        /* a transaction that only reads */
         !writing && !closed && !failed && last > promised && last > ticket ->
#ifdef READ_WITHOUT_WAITING
         promise(last)
#else
         ticket = last
#endif
       }
    :: atomic { ticket != 0 };
       await(ticket);
       ticket = 0
    :: ticket == 0 && next_commit > COMMITS -> break
    od
  } unless {
    atomic { crashed[me] -> crashed[me] = false; ticket = 0; target = 0; i = 0; goto end_new }
  };
end_of_the_thread:
  crashed[me] -> crashed[me] = false;
  goto end_new
}

/* Programs that share the store, and wait for nothing: the server keeps back pages. */
proctype Others() {
end_idle:
  do
  :: atomic {
       !writing && !closed && !failed && last > promised &&
#ifndef GIVE_UP_BEFORE_DURABLE
       durable == last &&
#endif
       true -> promise(last)
     }
  od
}

/* All pending commits go into the trees, durably, and the log is used from its beginning. */
proctype Drain() {
end_idle:
  do
  :: atomic {
       !failed && !closed && last > trees && drains < DRAINS ->
       drains++;
       d_step {
         at = trees + 1;
         do
         :: at > last -> break
         :: else -> kept[at] = memory[at]; at++
         od;
         at = 0;
         trees = last;
         durable = last;
         log_base = last;
         wake()
       }
     }
  od
}

proctype Machine() {
  byte i;
end_idle:
  do
  :: atomic {
       crashes < CRASHES && last > 0 ->
       crashes++;
       i = 1;
       do
       :: i > COMMITS -> break
       :: i <= COMMITS ->
          if
          :: !dirty[i]
          :: dirty[i] -> stored[i] = cached[i]
          :: dirty[i]
          :: rotten == 0 && !dirty[i] && VERSION(stored[i]) > trees &&
             VERSION(stored[i]) <= durable ->
             rotten = VERSION(stored[i]); stored[i] = 0
          fi;
          cached[i] = stored[i];
          i++
       od;
       i = 0;
       d_step {
         recover();
         assert(!damage || rotten != 0);
         check_found();
         told = false;                 /* a record says that the lost record was durable */
         at = 1;
         do
         :: at > COMMITS -> break
         :: else ->
            told = told || (rotten != 0 && VERSION(stored[at]) > trees &&
                            KNOWN(stored[at]) >= rotten);
            at++
         od;
         assert(damage || found >= promised || (rotten != 0 && !told));
         /* The next process. */
         trees = found;
         remove_log();
         at = 1;
         do
         :: at > COMMITS -> break
         :: else ->
            if
            :: at <= found -> memory[at] = kept[at]
            :: else -> memory[at] = 0; kept[at] = 0
            fi;
            at++
         od;
         last = found;
         durable = found;
         promised = found;
         writing = false;
         syncing = false;
         failed = false;
         closed = false;
         ahead = false;
         rotten = (rotten != 0 -> LAST_OF_ALL : 0);  /* no second one */
         wake_all();
         crashed[0] = true;
         crashed[1] = true;
         told = false;
         damage = false;
         found = 0;
         at = 0
       }
     }
  od
}

init {
  atomic { run Worker(0); run Worker(1); run Others(); run Drain(); run Machine() }
}
