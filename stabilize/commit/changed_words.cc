// The first step of a commit: finds the words that the transaction has changed.
#include <emmintrin.h>

#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "base/worker_thread.h"
#include "stabilize/commit/stabilizer.h"
#include "stabilize/state/frame_contents.h"

// The program in memory begins and ends there (linker).
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char __executable_start[], _end[];

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::Ref;

namespace {

// A bit for each of two words that differ.
unsigned Differences(__m128i x, __m128i y) {
  const __m128i halves = _mm_cmpeq_epi32(x, y);
  const __m128i words = _mm_and_si128(halves, _mm_shuffle_epi32(halves, _MM_SHUFFLE(2, 3, 0, 1)));
  return static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(words))) ^ 3;
}

// The memory that is compared next, or null.
struct Compared {
  const std::byte *a = nullptr, *b = nullptr;
};

Compared AtPage(Database& database, PageId page) {
  const std::byte* const twin = database.frames().At(page).twin.get();
  return twin == nullptr ? Compared{} : Compared{database.AliasOf(page), twin};
}

// Calls differs(word) for each of the first `words` words that differ between a and b. Most words
// are equal, so eight are compared at a time. Often one of eight differs, not always the same one,
// so no jump depends on which. Meanwhile prefetches the same number of words of `next`.
template <typename Differs>
void Compare(const std::byte* a, const std::byte* b, size_t words, Compared next,
             Differs&& differs) {
  const size_t in_eights = words / 8 * 8;
  for (size_t i = 0; i < in_eights; i += 8) {
    if (next.a != nullptr) {
      __builtin_prefetch(next.a + 8 * i);
      __builtin_prefetch(next.b + 8 * i);
    }
    __m128i x[4], y[4];
    for (size_t k = 0; k < 4; ++k) {
      x[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + 8 * i) + k);
      y[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + 8 * i) + k);
    }
    const __m128i equal =
        _mm_and_si128(_mm_and_si128(_mm_cmpeq_epi8(x[0], y[0]), _mm_cmpeq_epi8(x[1], y[1])),
                      _mm_and_si128(_mm_cmpeq_epi8(x[2], y[2]), _mm_cmpeq_epi8(x[3], y[3])));
    if (_mm_movemask_epi8(equal) == 0xffff) continue;
    unsigned bits = Differences(x[0], y[0]) | Differences(x[1], y[1]) << 2 |
                    Differences(x[2], y[2]) << 4 | Differences(x[3], y[3]) << 6;
    for (; bits != 0; bits &= bits - 1) differs(i + static_cast<size_t>(std::countr_zero(bits)));
  }
  for (size_t i = in_eights; i < words; ++i) {
    if (std::memcmp(a + 8 * i, b + 8 * i, 8) != 0) differs(i);
  }
}

}  // namespace

// The next trap and twin cost more than a comparison at the next commit that finds nothing.
bool Stabilizer::StaysOpen(Database& database, PageId page) const {
  const Frame& frame = database.frames().At(page);
  // Only a page that two commits in a row have changed will probably be changed by the next.
  if (frame.state != FrameState::kDirty || frame.version != database.changed_version())
    return false;
  // Its twin is younger than the first changes.
  if (frame.changed_early != nullptr) return false;
  // A page that others may call back must not stay open; nor a page to which objects come home.
  return !database.server().capabilities().shared &&
         session_.displaced.WithHomeOn(&database, page) == nullptr;
}

bool Stabilizer::MayReferenceHeap(const Database& database, uint64_t word) const {
  const void* const address = reinterpret_cast<const void*>(word);
  if (word % 8 != 0 || word == 0 || database.Contains(address)) return false;
  if (session_.heap.Contains(address) || session_.missing.Contains(address)) return true;
  // Text literals, but not the headers of objects, which are in each marked block.
  if (word >= reinterpret_cast<uintptr_t>(__executable_start) &&
      word < reinterpret_cast<uintptr_t>(_end)) {
    return !session_.type_addresses.contains(address);
  }
  return session_.databases.size() > 1;
}

void Stabilizer::FindChangedWords() {
  const bool keeps = goes_on_ && session_.options.pages_stay_open && HasRoom(session_, 0);
  auto& [first_twins, second_twins] = session_.commits.TwinsAnew();
  for (auto& database : session_.databases) {
    if (!database->open()) continue;
    // The store of the first database with changes coordinates a commit of several stores.
    if (database->pending_root()) changes_.Of(*database);
    const std::span<const PageId> dirty = database->dirty();
    ChangedPages first, second;
    // Two processors read memory faster than one. A thread is worth its cost from this many pages
    // on.
    constexpr size_t kMany = 256;
    const size_t half = dirty.size() < kMany ? dirty.size() : dirty.size() / 2;
    const auto find_second = [&] {
      FindChangedWords(*database, dirty.subspan(half), keeps, second, second_twins);
    };
    WorkerThread helper;
    const bool helps = half < dirty.size() && helper.Start(find_second);
    FindChangedWords(*database, dirty.first(half), keeps, first, first_twins);
    helper.Join();
    if (!helps) find_second();
    session_.counters.pages_opened_unwritten += dirty.size() - first.size() - second.size();
    for (ChangedPages* found : {&first, &second}) {
      for (auto& [page, change] : *found)
        changes_.At(changes_.Of(*database), page) = std::move(change);
    }
  }
  session_.governed.ForEachChanged([&](GovernedPage& page) {
    if (page.state == GovernedState::kDirty) FindChangedWords(page);
  });
}

inline uint64_t Stabilizer::NoteChanged(const Database& database, const std::byte* image,
                                        size_t word, PageChange& change) const {
  change.changed.set(word);
  uint64_t now;
  std::memcpy(&now, image + 8 * word, sizeof now);
  // A report also tells of values that are not kept, which need not be addresses.
  change.may_reference_heap = change.may_reference_heap || session_.reports.with_details() ||
                              MayReferenceHeap(database, now);
  return now;
}

// Changes nothing but twins: two threads may be here with other pages.
void Stabilizer::FindChangedWords(Database& database, std::span<const PageId> dirty, bool keeps,
                                  ChangedPages& found, std::vector<TwinWord>& twins_before) const {
  for (size_t i = 0; i < dirty.size(); ++i) {
    const PageId page = dirty[i];
    const Frame& frame = database.frames().At(page);
    const std::byte* const image = database.AliasOf(page);
    std::byte* const twin = frame.twin.get();
    PageChange* change = nullptr;
    const auto make_change = [&] {
      change = &found.emplace_back(page, PageChange()).second;
      change->run = frame.run;
    };
    if (frame.not_round_trippable) {
      const bool unchanged = twin != nullptr && frame.changed_early == nullptr &&
                             frame.marks == 0 && std::memcmp(image, twin, kPageBytes) == 0;
      if (unchanged) continue;
      make_change();
      change->changed.set();
      change->may_reference_heap = true;
      continue;
    }
    if (frame.changed_early != nullptr) {
      make_change();
      const std::bitset<kWords>& early = *frame.changed_early;
      for (size_t word = early._Find_first(); word < kWords; word = early._Find_next(word)) {
        NoteChanged(database, image, word, *change);
      }
    }
    if (frame.marks != 0) {
      if (change == nullptr) make_change();
      AddMarkedWords(database, page, *change);
    }
    if (twin == nullptr) continue;
    const Compared next = i + 1 < dirty.size() ? AtPage(database, dirty[i + 1]) : Compared();
    Compare(image, twin, kWords, next, [&](size_t word) {
      if (change == nullptr) {
        make_change();
        change->stays_open =
            keeps && StaysOpen(database, page) &&
            !(session_.leaves_open && frame.has_barriers && !frame.by_trap && !frame.dense);
      }
      const uint64_t now = NoteChanged(database, image, word, *change);
      if (!change->stays_open) return;
      TwinWord before{twin + 8 * word, 0};
      std::memcpy(&before.word, before.at, sizeof before.word);
      twins_before.push_back(before);
      std::memcpy(before.at, &now, sizeof now);
    });
  }
}

void Stabilizer::AddMarkedWords(Database& database, PageId page, PageChange& change) const {
  constexpr size_t kWordsPerBlock = abi::kBlockBytes / 8;
  const std::byte* const image = database.AliasOf(page);
  if (const auto& blocks = database.frames().At(page).blocks; blocks != nullptr) {
    blocks->ForEachChangedWord(image,
                               [&](size_t word) { NoteChanged(database, image, word, change); });
    return;
  }
  for (uint32_t marks = database.frames().At(page).marks; marks != 0; marks &= marks - 1) {
    const size_t first = static_cast<size_t>(std::countr_zero(marks)) * kWordsPerBlock;
    for (size_t word = first; word < first + kWordsPerBlock; ++word) {
      NoteChanged(database, image, word, change);
    }
  }
}

// Most governed pages are dirty because of their transient objects.
void Stabilizer::FindChangedWords(const GovernedPage& page) {
  for (Ref place : page.objects) {
    const DisplacedObject* object = session_.displaced.Find(place);
    Database& database = *object->database;
    const PartOnPage part = PartOf(page, place, object->bytes);
    const size_t offset_in_object = static_cast<size_t>(page.begin + part.begin - BeginOf(place));
    const uint64_t stored = object->at_home().begin() + offset_in_object;
    Compare(reinterpret_cast<std::byte*>(page.begin) + part.begin, page.twin.get() + part.begin,
            (part.end - part.begin) / 8, {}, [&](size_t word) {
              const uint64_t byte = stored + 8 * word;
              const PageId home{byte / kPageBytes};
              PageChange& change = changes_.At(changes_.Of(database), home);
              change.run = database.frames().At(home).run;
              change.changed.set(byte % kPageBytes / 8);
              const size_t at = offset_in_object + 8 * word;
              if (at < kHeaderBytes) return;
              const size_t begin = at - kHeaderBytes;
              if (!written_.empty() && written_.back().object == place &&
                  written_.back().end == begin) {
                written_.back().end += 8;
              } else {
                written_.push_back({place, begin, begin + 8});
              }
            });
  }
}

}  // namespace tenure::stabilize
