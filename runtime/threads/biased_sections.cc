#include "runtime/threads/biased_sections.h"

#include <sched.h>

#include <bit>

#include "base/check.h"
#include "base/process_fence.h"
#include "runtime/threads/safepoint.h"

// Defined here for all compiled code.
extern "C" {
constinit thread_local tenure::abi::BiasedLock tn_biased
    __attribute__((tls_model("local-exec"))) = {tenure::abi::kNeverBiased, nullptr};
}

namespace tenure::runtime {
namespace {

BiasedSection sections[kBiasedSections];
std::atomic<uint64_t> taken_sections{0};  // a bit for each
static_assert(kBiasedSections == 64);

}  // namespace

int TakeBiasedSection(Mutator& mutator) {
  if (mutator.biased_section != nullptr) {
    return static_cast<int>(mutator.biased_section - sections);
  }
  if (!CanFenceAllThreads()) return -1;
  uint64_t taken = taken_sections.load(std::memory_order_relaxed);
  int number = 0;
  do {
    number = std::countr_one(taken);
    if (number == kBiasedSections) return -1;
  } while (!taken_sections.compare_exchange_weak(taken, taken | uint64_t{1} << number));
  mutator.biased_section = &sections[number];
  SetOwnBiasedSection(&mutator);
  return number;
}

void SetOwnBiasedSection(const Mutator* mutator) {
  BiasedSection* const section = mutator == nullptr ? nullptr : mutator->biased_section;
  if (section == nullptr) {
    tn_biased.word = abi::kNeverBiased;
    return;
  }
  tn_biased = {BiasedWord(mutator->id(), static_cast<uint32_t>(section - sections)),
               reinterpret_cast<const uint64_t**>(&section->word)};
}

void GiveBackBiasedSection(Mutator& mutator) {
  if (mutator.biased_section == nullptr) return;
  const auto number = static_cast<uint32_t>(mutator.biased_section - sections);
  mutator.biased_section = nullptr;
  tn_biased.word = abi::kNeverBiased;
  taken_sections.fetch_and(~(uint64_t{1} << number));
}

void AwaitEndOfSection(uint32_t number, const uint64_t* word) {
  TN_CHECK(FenceAllThreads());
  const BiasedSection& section = sections[number];
  while (section.word.load(std::memory_order_acquire) == word) {
    // The thread may be stopped, or wait for a page.
    const SafeRegion waiting;
    sched_yield();
  }
}

}  // namespace tenure::runtime
