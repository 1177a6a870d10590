// The twin of bench/gc/arrays with calloc and free.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr long kRounds = 6000;
constexpr long kKept = 32;
constexpr long kLeast = 5000;
constexpr int kRows = 4;

struct Rows {
  long* row[kRows];
};

}  // namespace

int main() {
  Rows kept[kKept] = {};
  long sum = 0;
  for (long round = 0; round < kRounds; ++round) {
    const long length = kLeast + round % 100 * 200;
    Rows rows;
    for (long*& row : rows.row) {
      row = static_cast<long*>(calloc(static_cast<size_t>(length), sizeof(long)));
      for (long j = 0; j < length; j += 8) row[j] = round + j;
    }
    Rows& place = kept[round % kKept];
    if (place.row[0] != nullptr) sum += place.row[3][8];
    for (long* row : place.row) free(row);
    place = rows;
    sum += length;
  }
  std::printf("%ld\n", sum);
  for (Rows& rows : kept) {
    for (long* row : rows.row) free(row);
  }
}
