#include "gc/card_scanner.h"

#include <bit>
#include <utility>

#include "gc/object_visitor.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;

namespace {

constexpr size_t kCardsAhead = 6;
constexpr size_t kLine = 64;

}  // namespace

CardScanner::CardScanner(HeapState& heap, OldCollection& old, Evacuator& evacuator)
    : heap_(heap), old_(old), evacuator_(evacuator), remembers_objects_(heap.remembers_objects()) {}

void CardScanner::Run() {
  if (old_.is_marking()) {
    ScanRemembered<true>();
    ScanCards<true>();
  } else {
    ScanRemembered<false>();
    ScanCards<false>();
  }
  for (Slot& waiting : waiting_) {
    if (waiting.slot != nullptr) Update(waiting);
    waiting = {};
  }
}

template <bool kMarking>
void CardScanner::ScanRemembered() {
  if (!remembers_objects_) return;
  heap_.counters.objects_remembered += heap_.remembered.size();
  heap_.remembered.TakeAll([&](Ref object) {
    if (heap_.persistent_space != nullptr) {
      const PageTable::PageRange range = heap_.pages.PagesOf(object);
      for (size_t at = 0; at < range.bytes; at += abi::kPageBytes) {
        heap_.persistent_space->MakeWritable(static_cast<char*>(range.begin) + at);
      }
    }
    const bool marks = kMarking && old_.IsMarked(object);
    ForEachTracedSlot(*ObjectHeader::Of(object)->type(), object,
                      [&](Ref* slot) { Visit<kMarking>({slot, object}, marks); });
  });
}

template <bool kMarking>
void CardScanner::ScanCards() {
  const RawArray<char*>& cards = heap_.lists.dirty_cards;
  for (size_t i = 0; i < cards.size(); ++i) {
    if (i + 2 * kCardsAhead < cards.size()) heap_.starts.Prefetch(cards[i + 2 * kCardsAhead]);
    if (i + kCardsAhead < cards.size()) {
      const char* card = cards[i + kCardsAhead];
      for (size_t line = 0; line < abi::kCardBytes; line += kLine) __builtin_prefetch(card + line);
    }
    ScanCard<kMarking>(cards[i]);
  }
  heap_.counters.cards_scanned += cards.size();
}

template <bool kMarking>
void CardScanner::ScanCard(char* begin) {
  *CardTable::CardOf(begin) = abi::kCardClean;
  uint32_t words = WordsToVisit<kMarking>(reinterpret_cast<const uintptr_t*>(begin));
  if (words == 0) return;
  const PageTable& pages = heap_.pages;
  const size_t page = pages.IndexOf(begin);
  const bool large = pages.At(page).kind != PageKind::kObjects;
  Ref object = nullptr;
  const char* end = nullptr;
  do {
    auto* slot = reinterpret_cast<Ref*>(begin) + std::countr_zero(words);
    words &= words - 1;
    if (reinterpret_cast<const char*>(slot) >= end) {
      object = large ? pages.Begin(pages.FirstOfRun(page)) + abi::kHeaderBytes
                     : heap_.starts.Containing(slot);
      if (object == nullptr) continue;  // bytes of a filler
      end = static_cast<const char*>(object) - abi::kHeaderBytes + ObjectBytes(object);
    }
    if (IsTracedSlot(*ObjectHeader::Of(object)->type(), object, slot) &&
        !old_.IsUnsweptGarbage(object)) {
      // An unmarked object is scanned whole when it is marked.
      Visit<kMarking>({slot, object}, kMarking && old_.IsMarked(object));
    }
  } while (words != 0);
}

// A bit for each word of the card whose value may be a reference that matters; whether the word is
// a slot, its object knows. Few words pass, so most objects on dirty cards are never looked at.
// Without branches, which would be mispredicted.
template <bool kMarking>
[[gnu::always_inline]] inline uint32_t CardScanner::WordsToVisit(const uintptr_t* card) const {
  constexpr unsigned kWords = abi::kCardBytes / sizeof(uintptr_t);
  static_assert(kWords == 32);
  const uintptr_t first = heap_.pages.base() + abi::kHeaderBytes;
  const size_t bytes = heap_.pages.bytes();
  const uint8_t* const watched = CardTable::WatchedOf(reinterpret_cast<void*>(first));
  uint32_t words = 0;
#pragma GCC unroll 32
  for (unsigned i = 0; i < kWords; ++i) {
    const size_t offset = card[i] - first;
    const uint32_t inside = offset < bytes ? 1 : 0;
    const size_t at = inside != 0 ? offset : 0;
    // Does not read the mark bits: they are not in the cache, and every word would wait for them.
    const uint32_t wanted = kMarking ? 1 : watched[at >> abi::kPageShift];
    words |= (inside & wanted) << i;
  }
  return words;
}

template <bool kMarking>
[[gnu::always_inline]] inline void CardScanner::Visit(const Slot& slot, bool marks) {
  const Ref target = *slot.slot;
  if (kMarking) {
    const PageTable& pages = heap_.pages;
    if (!pages.Contains(target)) return;
    const PageDescriptor& page = pages.Of(target);
    if (page.generation == Generation::kYoung || page.space != Space::kTo) {
      Defer(slot);
    } else if (marks) {
      old_.Mark(target);
    }
  } else if (*CardTable::WatchedOf(target) != 0) {
    // The watched byte of its page says that the object may be young.
    Defer(slot);
  }
}

inline void CardScanner::Defer(Slot slot) {
  __builtin_prefetch(ObjectHeader::Of(*slot.slot), 1);
  std::swap(slot, waiting_[deferred_++ % kWaiting]);
  if (slot.slot != nullptr) Update(slot);
}

void CardScanner::Update(const Slot& slot) {
  if (evacuator_.Update(slot.slot)) {
    if (remembers_objects_) {
      heap_.remembered.Add(slot.object);
    } else {
      CardTable::Mark(slot.slot);
    }
  }
  evacuator_.DrainCopies();
}

}  // namespace tenure::gc
