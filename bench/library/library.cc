// The twin of bench/library with the C++ standard library.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

clock_t start;
uint64_t state;

void Begin() {
  state = 1;
  start = clock();
}

void End(const char* name, int64_t result) {
  const auto us = static_cast<double>(clock() - start);
  printf("%s %lld %.3f ms\n", name, static_cast<long long>(result), us / 1e3);
}

int64_t Next() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int64_t>(state >> 33);
}

void TextAppend() {
  std::string t;
  Begin();
  for (int i = 0; i < 500000; ++i) t += "word ";
  End("text-append", static_cast<int64_t>(t.size()));
}

void TextWriter() {
  std::ostringstream wr;
  const std::string words[] = {"alpha ", "beta ", "gamma ", "delta "};
  Begin();
  for (int i = 1; i <= 2000000; ++i) wr << words[i & 3];
  End("text-writer", static_cast<int64_t>(wr.str().size()));
}

void TextChars() {
  std::ostringstream wr;
  Begin();
  for (int i = 1; i <= 10000000; ++i) wr.put(static_cast<char>('a' + (i & 15)));
  End("put-char", static_cast<int64_t>(wr.str().size()));
}

std::string LongText() {
  std::string t;
  for (int i = 0; i < 1000000; ++i) t += static_cast<char>('a' + Next() % 26);
  return t;
}

void TextSearch() {
  state = 1;
  const std::string t = LongText();
  int64_t found = 0;
  Begin();
  for (int round = 0; round < 10; ++round) {
    for (size_t at = t.find('q'); at != t.npos; at = t.find('q', at + 1)) ++found;
  }
  End("find-char", found);
  found = 0;
  Begin();
  for (int round = 0; round < 10; ++round) {
    for (size_t at = t.find("abc"); at != t.npos; at = t.find("abc", at + 1)) ++found;
  }
  End("find-text", found);
  found = 0;
  bool quoted = false;
  Begin();
  for (int round = 0; round < 10; ++round) {
    for (size_t i = 0; i < t.size(); ++i) {
      if (t.at(i) == 'q') {
        quoted = !quoted;
      } else if (quoted) {
        ++found;
      }
    }
    asm volatile("" : : : "memory");
  }
  End("get-char-of-text", found);
}

void TextPieces() {
  state = 1;
  const std::string t = LongText();
  int64_t equal = 0;
  Begin();
  for (size_t i = 0; i <= 999990; ++i) equal += t.substr(i, 4) == "abab";
  End("sub-equal", equal);
}

void IntTable() {
  std::unordered_map<int64_t, int64_t> t;
  int64_t sum = 0;
  Begin();
  for (int i = 1; i <= 1000000; ++i) t[Next()] = i;
  End("int-table-put", static_cast<int64_t>(t.size()));
  const auto get = [&](int64_t key) {
    const auto found = t.find(key);
    if (found != t.end()) sum += found->second;
  };
  Begin();
  for (int i = 0; i < 1000000; ++i) get(Next());
  End("int-table-get", sum);
  sum = 0;
  Begin();
  for (int round = 0; round < 5; ++round) {
    for (int i = 1; i <= 1000000; ++i) get(i);
  }
  End("int-table-miss", sum);
  sum = 0;
  Begin();
  for (int i = 0; i < 1000000; ++i) {
    const auto found = t.find(Next());
    if (found == t.end()) continue;
    sum += found->second;
    t.erase(found);
  }
  End("int-table-delete", sum);
}

void SmallTable() {
  std::unordered_map<int64_t, int64_t> t;
  int64_t sum = 0;
  Begin();
  for (int i = 0; i < 1000; ++i) t[i] = i;
  for (int i = 1; i <= 10000000; ++i) {
    const auto found = t.find(i & 1023);
    if (found != t.end()) sum += found->second;
  }
  End("small-table-get", sum);
}

void TextTable() {
  std::unordered_map<std::string, int64_t> t;
  std::vector<std::string> keys;
  int64_t sum = 0;
  state = 1;
  for (int i = 0; i < 200000; ++i) keys.push_back("key" + std::to_string(Next()));
  Begin();
  for (size_t i = 0; i < keys.size(); ++i) t[keys[i]] = static_cast<int64_t>(i);
  End("text-table-put", static_cast<int64_t>(t.size()));
  Begin();
  for (int round = 0; round < 5; ++round) {
    for (const std::string& key : keys) {
      const auto found = t.find(key);
      if (found != t.end()) sum += found->second;
    }
  }
  End("text-table-get", sum);
}

void Sort() {
  std::vector<int64_t> a(2000000);
  std::vector<std::string> b;
  state = 1;
  for (int64_t& n : a) n = Next();
  Begin();
  std::sort(a.begin(), a.end());
  End("sort-integers", a[1000] + a[1000000]);
  state = 1;
  for (int i = 0; i < 200000; ++i) b.push_back(std::to_string(Next()));
  Begin();
  std::sort(b.begin(), b.end());
  End("sort-texts", std::stoll(b[1000]));
}

void MakeFile(const std::string& file) {
  std::ofstream wr(file);
  Begin();
  for (int i = 0; i < 1000000; ++i) wr << "line " << std::to_string(Next()) << " of text\n";
  End("write-lines", wr.tellp());
}

void CopyChars(const std::string& file, const std::string& copied) {
  std::ifstream rd(file);
  std::ofstream wr(copied);
  Begin();
  for (int c = rd.get(); c != EOF; c = rd.get()) wr.put(static_cast<char>(c));
  const int64_t n = wr.tellp();
  rd.close();
  wr.close();
  End("copy-chars", n);
}

void CopyBlocks(const std::string& file, const std::string& copied) {
  int64_t n = 0;
  char block[4096];
  Begin();
  for (int round = 0; round < 3; ++round) {
    std::ifstream rd(file);
    std::ofstream wr(copied);
    do {
      rd.read(block, sizeof(block));
      wr.write(block, rd.gcount());
    } while (rd);
    n = wr.tellp();
  }
  End("copy-blocks", n);
}

void ReadLines(const std::string& file) {
  std::ifstream rd(file);
  int64_t n = 0;
  Begin();
  // Each line is a new string, as with Rd.GetLine.
  for (;;) {
    std::string line;
    if (!std::getline(rd, line)) break;
    n += static_cast<int64_t>(line.size());
  }
  End("read-lines", n);
}

void FormatAndScan() {
  constexpr int kCount = 500000;
  std::vector<std::string> ints, reals;
  // As in Modula-3, room is reserved for all of them, and each is a new text.
  ints.reserve(kCount);
  reals.reserve(kCount);
  char buffer[64];
  int64_t sum = 0;
  Begin();
  for (int i = 0; i < kCount; ++i) {
    sum += static_cast<int64_t>(ints.emplace_back(std::to_string(Next())).size());
  }
  End("format-integers", sum);
  sum = 0;
  Begin();
  for (int i = 0; i < kCount; ++i) {
    const double number = static_cast<double>(Next()) / 1e6;
    sum += static_cast<int64_t>(reals.emplace_back(std::to_string(number)).size());
  }
  End("format-reals", sum);
  sum = 0;
  Begin();
  for (std::string& text : reals) {
    const double number = static_cast<double>(Next() % 100000) + 0.015625;
    text = std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), number).ptr);
    sum += static_cast<int64_t>(text.size());
  }
  End("format-shortest", sum);
  sum = 0;
  Begin();
  for (const std::string& text : ints) sum += std::stoll(text);
  End("scan-integers", sum);
  double total = 0;
  Begin();
  for (const std::string& text : reals) total += std::stod(text);
  End("scan-reals", static_cast<int64_t>(total));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string file = argv[1], copied = file + ".copy";
  TextAppend();
  TextWriter();
  TextChars();
  TextSearch();
  TextPieces();
  IntTable();
  SmallTable();
  TextTable();
  Sort();
  MakeFile(file);
  CopyChars(file, copied);
  CopyBlocks(file, copied);
  ReadLines(file);
  FormatAndScan();
}
