#include "gc/heap_state.h"

#include <string.h>

#include "gc/card_table.h"
#include "gc/object_visitor.h"

namespace tenure::gc {

using abi::Ref;

namespace {

// Smaller free places are not worth a refill.
constexpr size_t kMinGapBytes = 512;

}  // namespace

HeapState::HeapState(const HeapOptions& options, RootSource& roots)
    : options(options), roots(roots), pacer(options, 0) {}

Status HeapState::Initialize(size_t reserve_bytes, size_t max_bytes, size_t quarantine_pages) {
  TN_RETURN_IF_ERROR(page_allocator.Create(pages, reserve_bytes, max_bytes, quarantine_pages));
  TN_RETURN_IF_ERROR(starts.Create(pages));
  if (remembers_objects()) TN_RETURN_IF_ERROR(remembered.Create(pages));
  pacer = Pacer(options, page_allocator.max_bytes());
  return Status::Ok();
}

bool HeapState::PromotesInPlace() {
  if (options.in_place != InPlacePromotion::kWhenMostSurvives) {
    return options.in_place == InPlacePromotion::kAlways;
  }
  return options.order == EvacuationOrder::kHierarchical && options.stress_interval == 0 &&
         pacer.PromotesInPlace();
}

void HeapState::AddYoungPage(size_t page) {
  young_pages.Push(page);
  CardTable::WatchPages(pages.Begin(page), 1, true);
}

void HeapState::AddGap(Generation generation, const Region& gap) {
  gap.Fill();
  // In stress mode freed places stay as they are, so that stale pointers find them.
  if (gap.bytes() >= kMinGapBytes && options.stress_interval == 0) gaps_of(generation).Push(gap);
}

void HeapState::AddFreed(Generation generation, const Region& gap) {
  if (options.stress_interval != 0) memset(gap.pointer, kPoison, gap.bytes());
  AddGap(generation, gap);
}

size_t HeapState::FreeBetweenObjects(size_t page) {
  const Generation generation = pages.At(page).generation;
  char* const begin = pages.Begin(page);
  char* at = begin;
  size_t bytes_of_objects = 0;
  const auto free_until = [&](char* to) {
    if (at != to) AddFreed(generation, {at, to});
  };
  starts.ForEachOn(page, [&](Ref object) {
    char* const header = static_cast<char*>(object) - abi::kHeaderBytes;
    free_until(header);
    const size_t bytes = ObjectBytes(object);
    bytes_of_objects += bytes;
    at = header + bytes;
  });
  if (bytes_of_objects != 0) free_until(begin + abi::kPageBytes);
  return bytes_of_objects;
}

}  // namespace tenure::gc
