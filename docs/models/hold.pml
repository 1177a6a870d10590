/* A sync that is held back for commits to come (docs/recovery.md, "Commits in groups";
   store/log/group_sync.h).

   Three threads commit and wait. A thread that finds no sync running syncs for all, if enough threads
   wait; else it sleeps, and the first that does so holds the sync back: it sleeps with a time limit.
   Threads whose commits the running sync does not serve sleep as the next group. The thread that has
   synced wakes all that it has served and one of the next group.

   Sleeping is a futex: a thread sleeps only if the group's word has not changed since the thread read
   it with the mutex. Two groups take turns, so a thread of the
   group before last may still be about to sleep on the word.

   Checked: no thread sleeps for ever, and a thread returns only when its commit is durable.

   Run by tests/models/models_test.py, also with each of the mistakes KEEP_THE_HOLD (a sync begins, and
   the thread that held it back counts as one that holds back the next), HOLD_FOR_EVER and
   WAKE_ONLY_THE_SERVED, which it must find. */

#define THREADS 3
#define COMMITS 4                      /* in all */
#define GROUPS 2
#define WORDS 8                        /* a word counts modulo this */

byte written = 0;
byte durable = 0;
byte syncing_version = 0;
bool syncing = false;
bool is_held = false;
byte group = 0;                        /* of the running sync, or of the last one */
byte word[GROUPS];
byte sleepers[GROUPS];                 /* bits of threads */
bool holding[THREADS];                 /* it sleeps with a time limit */
byte finished = 0;

/* The system wakes one thread that sleeps on the word, if any does. */
inline wake_one(where) {
  atomic {
    if
    :: sleepers[where] & 1 -> sleepers[where] = sleepers[where] & 6
    :: sleepers[where] & 2 -> sleepers[where] = sleepers[where] & 5
    :: sleepers[where] & 4 -> sleepers[where] = sleepers[where] & 3
    :: sleepers[where] == 0 -> skip
    fi
  }
}

proctype Thread(byte self) {
  byte version, mine, seen;
  bool is_over, holds, leads;
  do
  :: written == COMMITS -> break
  :: atomic { written < COMMITS -> written++; version = written; is_over = false }
     do
     :: atomic {                       /* with the mutex */
          if
          :: durable >= version -> break
          :: else
          fi;
          mine = (!syncing || version > syncing_version -> 1 - group : group);
          /* Whether enough threads wait is open. */
          leads = false;
          holds = false;
          if
          :: !syncing -> leads = true
          :: !is_over || syncing
          fi;
          if
          :: leads ->
             syncing = true;
#ifndef KEEP_THE_HOLD
             is_held = false;
#endif
             syncing_version = written;
             group = 1 - group
          :: else ->
             if
             :: !syncing && !is_held -> is_held = true; holds = true
             :: else
             fi;
             seen = word[mine]
          fi
        }
        if
        :: leads ->
           atomic {                    /* the sync, and then with the mutex */
             durable = syncing_version;
             syncing = false;
             mine = group;             /* another sync may begin */
             word[0] = (word[0] + 1) % WORDS;
             word[1] = (word[1] + 1) % WORDS
           }
#ifndef WAKE_ONLY_THE_SERVED
           wake_one(1 - mine);
#endif
           sleepers[mine] = 0
        :: else ->
           atomic {
             if
             :: word[mine] == seen ->
                sleepers[mine] = sleepers[mine] | (1 << self);
                holding[self] = holds
             :: else
             fi;
             is_over = false
           }
           if
           :: atomic { !(sleepers[mine] & (1 << self)) -> holding[self] = false }
#ifndef HOLD_FOR_EVER
           :: atomic {
                holding[self] && (sleepers[mine] & (1 << self)) ->
                sleepers[mine] = sleepers[mine] & (7 - (1 << self));
                holding[self] = false;
                is_over = true
              }
#endif
           fi;
           if
           :: holds -> is_held = false /* with the mutex */
           :: else
           fi
        fi
     od;
     atomic {
       assert(durable >= version);
       version = 0; mine = 0; seen = 0; holds = false; leads = false /* fewer states */
     }
  od;
  finished++
}

/* A state in which a thread has not finished and none can go on is an error: spin finds it. */
init {
  atomic { run Thread(0); run Thread(1); run Thread(2) }
  finished == THREADS
}
