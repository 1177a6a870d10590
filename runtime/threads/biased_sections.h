// Sections of a few instructions that one thread runs without acquiring the lock that guards them
// (biased locking).
//
// A free lock word may be biased to a thread (LockWord::Bias). That thread announces the word,
// looks whether the word is still biased to it, and if so runs its section: two plain stores and a
// load. A thread that wants the lock changes the word, makes the other thread's announcement
// visible by membarrier(2), and waits for the end of the section.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/biased_lock.h"
#include "runtime/threads/mutator.h"

namespace tenure::runtime {

// Where one thread announces its section. Never freed: another thread may look at it at any time.
struct alignas(64) BiasedSection {
  std::atomic<const uint64_t*> word{nullptr};  // null: the thread is in no section
};

// Compiled code stores to `word` without std::atomic (abi/biased_lock.h).
static_assert(sizeof(std::atomic<const uint64_t*>) == sizeof(const uint64_t*));

inline constexpr uint32_t kBiasedSections = 64;

// The lowest two bits of a lock word that is biased (LockWord).
inline constexpr uint32_t kBiasedState = 3;
// A lock word that is biased to the mutator with this number, which has this section.
inline uint64_t BiasedWord(uint32_t mutator, uint32_t section) {
  return uint64_t{mutator} << 32 | section << 8 | kBiasedState;
}

// The number of the calling thread's section, which the thread keeps until it ends. Negative: other
// threads have all sections, or the system has no membarrier(2). `mutator` is that of the calling
// thread.
int TakeBiasedSection(Mutator& mutator);
// The calling kernel thread runs the code of this mutator from here on, or of none: null.
void SetOwnBiasedSection(const Mutator* mutator);
// The thread ends, and is in no section.
void GiveBackBiasedSection(Mutator& mutator);

// The thread raises an exception in its section, for instance since an object could not be read.
inline void EndBiasedSection(const Mutator& mutator) {
  if (mutator.biased_section != nullptr) {
    mutator.biased_section->word.store(nullptr, std::memory_order_release);
  }
}

// Once `word` no longer says that it is biased to the thread with this section: waits until that
// thread is not in a section of `word`, and sees all that it has written there.
void AwaitEndOfSection(uint32_t number, const uint64_t* word);

}  // namespace tenure::runtime
