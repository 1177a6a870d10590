// The per-thread fields by which compiled code enters and leaves a section of a biased lock
// (runtime/threads/biased_sections.h).
#pragma once

#include <cstdint>

namespace tenure::abi {

// A lock word that has the value `word` is biased to this thread. To enter, the thread stores the
// address of the lock word at `announcement` and looks whether the lock word still has the value;
// to leave, the thread stores null there.
struct BiasedLock {
  uint64_t word;                  // kNeverBiased: no lock is biased to the thread
  const uint64_t** announcement;  // null: the thread never had a lock biased to it
};
// No lock word has this value.
inline constexpr uint64_t kNeverBiased = ~uint64_t{0};

}  // namespace tenure::abi

// Local-exec thread-local variable of the program's run time; compiled code reads it directly.
extern "C" constinit thread_local tenure::abi::BiasedLock tn_biased
    __attribute__((tls_model("local-exec")));
