// OO1 in C++ with malloc and no store: the twin of bench/oo1. What is here and there must stay
// alike.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>

namespace {

constexpr int kParts = 20000;
constexpr int kConnections = 3;
constexpr int kLookups = 1000;
constexpr int kHops = 7;
constexpr int kInsertions = 100;
constexpr int kNearShare = 90;
constexpr int kNearParts = kParts / 100;
constexpr int kIterations = 10;

struct Part;

struct ShortText {
  char chars[10];
};

struct Connection {
  int32_t length;
  ShortText type;
  Part *from, *to;
  Connection* next_from;
};

struct Part {
  int32_t id, x, y, build_date;
  ShortText type;
  Connection* to[kConnections];
  Connection* from;
};

struct Database {
  int64_t parts = 0;
  std::map<int64_t, Part*> by_id;
};

uint64_t state = 1;

int32_t Draw(int64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int32_t>((state >> 33) % static_cast<uint64_t>(n));
}

ShortText Type(int n) {
  ShortText type = {{'t', 'y', 'p', 'e', static_cast<char>('0' + n)}};
  return type;
}

void MakePart(Database* db) {
  Part* part = new Part();
  part->id = static_cast<int32_t>(db->parts++);
  part->x = Draw(100000);
  part->y = Draw(100000);
  part->build_date = Draw(10 * 365);
  part->type = Type(Draw(10));
  db->by_id[part->id] = part;
}

int64_t Target(const Database& db, int64_t id) {
  if (Draw(100) >= kNearShare) return Draw(db.parts);
  const int64_t first = std::min(std::max<int64_t>(id - kNearParts / 2, 0), db.parts - kNearParts);
  return first + Draw(kNearParts);
}

void Connect(Database* db, Part* part) {
  for (Connection*& place : part->to) {
    Part* to = db->by_id.find(Target(*db, part->id))->second;
    Connection* connection = new Connection;
    connection->length = Draw(1000);
    connection->type = Type(Draw(10));
    connection->from = part;
    connection->to = to;
    connection->next_from = to->from;
    place = to->from = connection;
  }
}

Database* Build() {
  Database* db = new Database;
  state = 1;
  for (int i = 0; i < kParts; ++i) MakePart(db);
  for (int id = 0; id < kParts; ++id) Connect(db, db->by_id.find(id)->second);
  return db;
}

int64_t seen;

// Stands for the procedure of the program that uses the parts.
__attribute__((noinline)) void Use(int32_t x, int32_t y, const ShortText& type) {
  seen += x + y + type.chars[4];
}

int64_t Lookup(Database* db) {
  seen = 0;
  for (int i = 0; i < kLookups; ++i) {
    const Part* part = db->by_id.find(Draw(kParts))->second;
    Use(part->x, part->y, part->type);
  }
  return seen;
}

void Visit(const Part* part, int hops) {
  Use(part->x, part->y, part->type);
  if (hops == 0) return;
  for (const Connection* connection : part->to) Visit(connection->to, hops - 1);
}

int64_t Traverse(Database* db) {
  seen = 0;
  Visit(db->by_id.find(Draw(kParts))->second, kHops);
  return seen;
}

int64_t Insert(Database* db) {
  const int64_t first = db->parts;
  for (int i = 0; i < kInsertions; ++i) MakePart(db);
  for (int64_t id = first; id < db->parts; ++id) Connect(db, db->by_id.find(id)->second);
  return db->parts;
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const char* name = argc == 2 ? argv[1] : "";
  const auto operation = std::strcmp(name, "lookup") == 0      ? Lookup
                         : std::strcmp(name, "traversal") == 0 ? Traverse
                         : std::strcmp(name, "insert") == 0    ? Insert
                                                               : nullptr;
  if (operation == nullptr) {
    std::fprintf(stderr, "usage: oo1_malloc lookup|traversal|insert\n");
    return 2;
  }
  Database* db = Build();
  for (int i = 1; i <= kIterations + 1; ++i) {
    state = static_cast<uint64_t>(std::min(i, kIterations));
    const Clock::time_point start = Clock::now();
    const int64_t count = operation(db);
    const std::chrono::duration<double, std::micro> time = Clock::now() - start;
    std::printf("iteration count %lld elapsed_us %.2f\n", static_cast<long long>(count),
                time.count());
  }
}
