#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr size_t kVertices = 20000;
constexpr size_t kDegree = 8;
constexpr long kFar = INT64_MAX / 2;

struct Edge {
  size_t to;
  long length;
};
struct Entry {
  long distance;
  size_t vertex;
};

static std::vector<Edge> edges(kVertices* kDegree);
static std::vector<long> distance(kVertices);
static std::vector<Entry> heap(kVertices* kDegree + 1);
static size_t count;
static uint64_t state = 1;

static size_t Next(size_t n) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return (state >> 33) % n;
}

static void Push(long d, size_t v) {
  size_t i = count++;
  while (i > 0) {
    const size_t parent = (i - 1) / 2;
    if (heap[parent].distance <= d) break;
    heap[i] = heap[parent];
    i = parent;
  }
  heap[i] = {d, v};
}

static Entry Pop() {
  const Entry top = heap[0];
  const Entry last = heap[--count];
  size_t i = 0;
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= count) break;
    if (child + 1 < count && heap[child + 1].distance < heap[child].distance) ++child;
    if (heap[child].distance >= last.distance) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = last;
  return top;
}

static long From(size_t source) {
  for (long& d : distance) d = kFar;
  distance[source] = 0;
  count = 0;
  Push(0, source);
  while (count > 0) {
    const Entry entry = Pop();
    if (entry.distance != distance[entry.vertex]) continue;
    for (size_t i = entry.vertex * kDegree; i < (entry.vertex + 1) * kDegree; ++i) {
      const Edge& edge = edges[i];
      const long d = entry.distance + edge.length;
      if (d < distance[edge.to]) {
        distance[edge.to] = d;
        Push(d, edge.to);
      }
    }
  }
  long sum = 0;
  for (long d : distance) sum += d < kFar ? d : 0;
  return sum;
}

int main(int, char** argv) {
  for (Edge& edge : edges) {
    edge.to = Next(kVertices);
    edge.length = 1 + static_cast<long>(Next(1000));
  }
  long sum = 0;
  const long n = std::atol(argv[1]);
  for (long i = 1; i <= n; ++i) sum += From(static_cast<size_t>(i) * 37 % kVertices);
  std::printf("%ld\n", sum);
}
