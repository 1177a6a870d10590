#include "runtime/biased_sections.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>

#include "base/check.h"
#include "runtime/safepoint.h"

namespace tenure::runtime {
namespace {

BiasedSection sections[kBiasedSections];
std::atomic<uint64_t> taken_sections{0};  // a bit for each
static_assert(kBiasedSections == 64);

bool Membarrier(int command) {
  const int saved_errno = errno;
  const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
  errno = saved_errno;
  return done;
}

bool HasMembarrier() {
  static const bool has = Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return has;
}

}  // namespace

int TakeBiasedSection(Mutator& mutator) {
  if (mutator.biased_section != nullptr) {
    return static_cast<int>(mutator.biased_section - sections);
  }
  if (!HasMembarrier()) return -1;
  uint64_t taken = taken_sections.load(std::memory_order_relaxed);
  int number = 0;
  do {
    number = std::countr_one(taken);
    if (number == kBiasedSections) return -1;
  } while (!taken_sections.compare_exchange_weak(taken, taken | uint64_t{1} << number));
  mutator.biased_section = &sections[number];
  return number;
}

void GiveBackBiasedSection(Mutator& mutator) {
  if (mutator.biased_section == nullptr) return;
  const auto number = static_cast<uint32_t>(mutator.biased_section - sections);
  mutator.biased_section = nullptr;
  taken_sections.fetch_and(~(uint64_t{1} << number));
}

void AwaitEndOfSection(uint32_t number, const uint64_t* word) {
  if (!Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) {
    // A forked child may have to register again.
    TN_CHECK(Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
             Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
  }
  const BiasedSection& section = sections[number];
  while (section.word.load(std::memory_order_acquire) == word) {
    // The thread may be stopped, or wait for a page.
    const SafeRegion waiting;
    sched_yield();
  }
}

}  // namespace tenure::runtime
