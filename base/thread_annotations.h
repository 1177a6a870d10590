// Says to clang which lock guards what. `build.py check tidy` compiles with -Wthread-safety as an
// error; g++ sees nothing. What each attribute means: clang's "Thread Safety Analysis".
#pragma once

#if defined(__clang__)
#define TN_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define TN_THREAD_ATTRIBUTE(x)
#endif

// Classes: a lock; an object that holds a lock while it exists.
#define TN_CAPABILITY(name) TN_THREAD_ATTRIBUTE(capability(name))
#define TN_SCOPED_CAPABILITY TN_THREAD_ATTRIBUTE(scoped_lockable)

// Variables: read and written only with the lock.
#define TN_GUARDED_BY(lock) TN_THREAD_ATTRIBUTE(guarded_by(lock))
// Locks: the order in which one thread takes them.
#define TN_ACQUIRED_BEFORE(...) TN_THREAD_ATTRIBUTE(acquired_before(__VA_ARGS__))

// Functions: the caller holds the lock.
#define TN_REQUIRES(...) TN_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
// Functions that take or release the lock.
#define TN_ACQUIRE(...) TN_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TN_ACQUIRE_SHARED(...) TN_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define TN_RELEASE(...) TN_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define TN_RELEASE_SHARED(...) TN_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))
#define TN_RELEASE_GENERIC(...) TN_THREAD_ATTRIBUTE(release_generic_capability(__VA_ARGS__))
#define TN_TRY_ACQUIRE(...) TN_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define TN_RETURNS_LOCK(lock) TN_THREAD_ATTRIBUTE(lock_returned(lock))
// The body is not analysed; a comment says why.
#define TN_NO_LOCK_ANALYSIS TN_THREAD_ATTRIBUTE(no_thread_safety_analysis)
