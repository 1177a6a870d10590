#include "gc/card_scanner.h"

#include <utility>

#include "gc/heap.h"
#include "gc/object_visitor.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;

namespace {

constexpr size_t kCardsAhead = 6;
constexpr size_t kLine = 64;

}  // namespace

CardScanner::CardScanner(Heap& heap, Evacuator& evacuator)
    : heap_(heap), evacuator_(evacuator), remembers_objects_(heap.remembers_objects()) {}

void CardScanner::Run() {
  if (heap_.old_.is_marking()) {
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
  heap_.counters_.objects_remembered += heap_.remembered_.size();
  heap_.remembered_.TakeAll([&](Ref object) {
    if (heap_.persistent_space_ != nullptr) {
      const Heap::PageRange range = heap_.PagesOf(object);
      for (size_t at = 0; at < range.bytes; at += abi::kPageBytes) {
        heap_.persistent_space_->MakeWritable(static_cast<char*>(range.begin) + at);
      }
    }
    const bool marks = kMarking && heap_.old_.IsMarked(object);
    ForEachTracedSlot(*ObjectHeader::Of(object)->type(), object,
                      [&](Ref* slot) { Visit<kMarking>({slot, object}, marks); });
  });
}

template <bool kMarking>
void CardScanner::ScanCards() {
  const RawArray<char*>& cards = heap_.lists_.dirty_cards;
  for (size_t i = 0; i < cards.size(); ++i) {
    if (i + 2 * kCardsAhead < cards.size()) heap_.starts_.Prefetch(cards[i + 2 * kCardsAhead]);
    if (i + kCardsAhead < cards.size()) {
      const char* card = cards[i + kCardsAhead];
      for (size_t line = 0; line < abi::kCardBytes; line += kLine) __builtin_prefetch(card + line);
    }
    ScanCard<kMarking>(cards[i]);
  }
  heap_.counters_.cards_scanned += cards.size();
}

template <bool kMarking>
void CardScanner::ScanCard(char* begin) {
  *CardTable::CardOf(begin) = abi::kCardClean;
  const uintptr_t from = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t to = from + abi::kCardBytes;
  const PageTable& pages = heap_.pages_;
  const size_t page = pages.IndexOf(begin);
  if (pages.At(page).kind != PageKind::kObjects) {
    ScanObject<kMarking>(pages.Begin(pages.FirstOfRun(page)) + abi::kHeaderBytes, from, to);
    return;
  }
  Ref object = heap_.starts_.Containing(begin);
  if (object == nullptr) object = heap_.starts_.NextFrom(begin);
  // NextFrom looks for headers: an object's own address is behind its header.
  for (; object != nullptr && static_cast<char*>(object) < begin + abi::kCardBytes;
       object = heap_.starts_.NextFrom(object)) {
    ScanObject<kMarking>(object, from, to);
  }
}

// Its slots on the card.
template <bool kMarking>
inline void CardScanner::ScanObject(Ref object, uintptr_t from, uintptr_t to) {
  if (heap_.old_.IsUnsweptGarbage(object)) return;
  const abi::TypeDescriptor& type = *ObjectHeader::Of(object)->type();
  if ((type.flags & abi::kTypePure) != 0) return;
  // What is not marked is scanned whole when it is.
  const bool marks = kMarking && heap_.old_.IsMarked(object);
  // Most lie on the card as a whole.
  const uintptr_t address = reinterpret_cast<uintptr_t>(object);
  if ((type.flags & abi::kTypeOpenArray) == 0 && address >= from &&
      address + type.payload_bytes <= to) {
    ForEachTracedSlotOf(type.slot_runs, type.slot_run_count, static_cast<char*>(object),
                        [&](Ref* slot) { Visit<kMarking>({slot, object}, marks); });
  } else {
    ForEachReferenceWithin(type, object, from, to,
                           [&](Ref* slot) { Visit<kMarking>({slot, object}, marks); });
  }
}

template <bool kMarking>
[[gnu::always_inline]] inline void CardScanner::Visit(const Slot& slot, bool marks) {
  const Ref target = *slot.slot;
  if (kMarking) {
    const PageTable& pages = heap_.pages_;
    if (!pages.Contains(target)) return;
    if (pages.Of(target).generation == Generation::kYoung) {
      Defer(slot);
    } else if (marks) {
      heap_.old_.Mark(target);
    }
  } else if (*CardTable::WatchedOf(target) != 0) {
    // A byte of a small table tells that it is young.
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
      heap_.remembered_.Add(slot.object);
    } else {
      CardTable::Mark(slot.slot);
    }
  }
  evacuator_.DrainCopies();
}

}  // namespace tenure::gc
