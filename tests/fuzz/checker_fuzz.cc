// Does any program crash the checker, or keep it busy? Usage: checker_fuzz SEED
// [ITERATIONS [show]]; `show` prints the messages.
//
// Takes modules of the golden tests, the library and the examples, moves, doubles, swaps and
// removes tokens and takes tokens of other files, so that many mutants parse, and checks each as a
// program of its own with the library behind it. Checked: the checker returns, and either there is
// a program or an error. The process ends with the signal's message if it crashes.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/check/check.h"
#include "tests/support/random.h"

namespace {

using tenure::compiler::SourceFile;

constexpr int kDefaultIterations = 60;
constexpr double kMaxSecondsPerFile = 20;
constexpr size_t kMaxBytes = 30000;

char where[128];

// Prints the number of the iteration; the core file has the rest.
void OnCrash(int signal_number) {
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, where, sizeof where);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// The library's files by name.
class Library : public tenure::compiler::UnitSource {
 public:
  Library() {
    std::error_code error;
    std::filesystem::recursive_directory_iterator it("stdlib", error), end;
    for (; !error && it != end; it.increment(error)) {
      const std::string extension = it->path().extension();
      if (extension != ".i3" && extension != ".ig" && extension != ".mg") continue;
      std::string text;
      if (tenure::compiler::ReadWholeFile(it->path(), text) != 0) continue;
      const std::string name = it->path().filename();
      files_[name] = std::make_unique<SourceFile>(name, std::move(text));
    }
  }
  const SourceFile* Interface(std::string_view name, const SourceFile*) override {
    return Find(name, ".i3");
  }
  const SourceFile* GenericInterface(std::string_view name, const SourceFile*) override {
    return Find(name, ".ig");
  }
  const SourceFile* GenericModule(std::string_view name, const SourceFile*) override {
    return Find(name, ".mg");
  }
  // The bodies of the library's modules are not tested here.
  std::vector<const SourceFile*> ModulesExporting(std::string_view, const SourceFile*) override {
    return {};
  }

 private:
  const SourceFile* Find(std::string_view name, const char* extension) {
    const auto found = files_.find(std::string(name) + extension);
    return found == files_.end() ? nullptr : found->second.get();
  }
  std::map<std::string, std::unique_ptr<SourceFile>> files_;
};

using Tokens = std::vector<std::string>;

// Approximate tokens: words, numbers, quoted texts, comments, single characters; blanks belong to
// the token before them.
Tokens Split(const std::string& text) {
  Tokens tokens;
  size_t at = 0;
  while (at < text.size()) {
    const size_t start = at;
    if (std::isalnum(static_cast<unsigned char>(text[at]))) {
      while (at < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) {
        ++at;
      }
    } else if (text[at] == '"') {
      ++at;
      while (at < text.size() && text[at] != '"' && text[at] != '\n')
        at += text[at] == '\\' ? 2 : 1;
      at = std::min(at + 1, text.size());
    } else if (text.compare(at, 2, "(*") == 0) {
      const size_t close = text.find("*)", at);
      at = close == std::string::npos ? text.size() : close + 2;
    } else {
      const bool two = text.compare(at, 2, ":=") == 0 || text.compare(at, 2, "=>") == 0 ||
                       text.compare(at, 2, "..") == 0 || text.compare(at, 2, "<:") == 0 ||
                       text.compare(at, 2, "<*") == 0 || text.compare(at, 2, "*>") == 0;
      at += two ? 2 : 1;
    }
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    tokens.push_back(text.substr(start, at - start));
  }
  return tokens;
}

std::vector<Tokens> ReadCorpus() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"tests/golden/check", "tests/golden/run", "stdlib", "examples"}) {
    std::error_code error;
    std::filesystem::recursive_directory_iterator it(folder, error), end;
    for (; !error && it != end; it.increment(error)) {
      if (it->path().extension() == ".m3") paths.push_back(it->path());
    }
  }
  std::sort(paths.begin(), paths.end());  // The same corpus for the same seed.
  std::vector<Tokens> corpus;
  for (const std::filesystem::path& path : paths) {
    std::string text;
    if (tenure::compiler::ReadWholeFile(path, text) == 0 && text.size() < kMaxBytes) {
      corpus.push_back(Split(text.substr(0, text.find("(* unit:"))));
    }
  }
  return corpus;
}

class Mutator {
 public:
  Mutator(uint64_t seed, std::vector<Tokens> corpus) : random_(seed), corpus_(std::move(corpus)) {}

  std::string Next() {
    Tokens tokens = corpus_[Below(corpus_.size())];
    for (uint64_t count = 1 + Below(4); count > 0; --count) {
      // Mostly replaces words by words, since a text that does not parse is not checked.
      if (Below(4) != 0) {
        ReplaceWord(tokens);
      } else {
        Mutate(tokens);
      }
    }
    std::string text;
    for (const std::string& token : tokens) text += token;
    return text;
  }

 private:
  uint64_t Below(uint64_t limit) { return limit == 0 ? 0 : random_.Below(limit); }

  // Whether both are names, or both are keywords.
  static int Kind(const std::string& token) {
    const auto first = static_cast<unsigned char>(token[0]);
    if (std::isdigit(first)) return 1;
    if (!std::isalpha(first)) return 2;
    const bool capitals = token.size() > 1 && std::isupper(static_cast<unsigned char>(token[1]));
    return std::isupper(first) && capitals ? 3 : 4;
  }

  void ReplaceWord(Tokens& tokens) {
    if (tokens.empty()) return;
    const size_t at = Below(tokens.size());
    for (int tries = 0; tries < 20; ++tries) {
      const std::string& other = tokens[Below(tokens.size())];
      if (Kind(other) != Kind(tokens[at]) || Kind(other) == 2 || other == tokens[at]) continue;
      tokens[at] = other;
      return;
    }
  }

  void Mutate(Tokens& tokens) {
    if (tokens.size() < 2) return;
    const size_t at = Below(tokens.size()), other = Below(tokens.size());
    const Tokens& donor = corpus_[Below(corpus_.size())];
    const auto begin = tokens.begin() + static_cast<ptrdiff_t>(at);
    switch (Below(7)) {
      case 0: tokens.erase(begin); break;
      case 1: {
        const std::string again = tokens[at];
        tokens.insert(begin, again);
        break;
      }
      case 2: std::swap(tokens[at], tokens[other]); break;
      case 3: tokens[at] = tokens[other]; break;
      case 4: tokens[at] = donor[Below(donor.size())]; break;
      case 5: {
        // A piece of another file, or of this one.
        const Tokens& from = Below(2) == 0 ? donor : Tokens(tokens);
        const size_t first = Below(from.size());
        const size_t length = std::min<size_t>(1 + Below(12), from.size() - first);
        const Tokens piece(from.begin() + static_cast<ptrdiff_t>(first),
                           from.begin() + static_cast<ptrdiff_t>(first + length));
        tokens.insert(begin, piece.begin(), piece.end());
        break;
      }
      default: tokens[at] += static_cast<char>(Below(256));
    }
  }

  tenure::Random random_;
  std::vector<Tokens> corpus_;
};

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const int iterations = argc > 2 ? std::atoi(argv[2]) : kDefaultIterations;
  // A full stack needs another one for its handler.
  static char alternate[65536];
  stack_t stack = {};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = OnCrash;
  action.sa_flags = SA_ONSTACK;
  for (int number : {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS}) sigaction(number, &action, nullptr);

  Library library;
  Mutator mutator(seed, ReadCorpus());
  int legal = 0;
  for (int i = 0; i < iterations; ++i) {
    const std::string text = mutator.Next();
    std::snprintf(where, sizeof where, "seed %llu, iteration %d: crash\n",
                  static_cast<unsigned long long>(seed), i);
    const std::clock_t start = std::clock();
    const char* wrong = nullptr;
    {
      const SourceFile file("Main.m3", text);
      tenure::compiler::Diagnostics diagnostics;
      tenure::compiler::CheckOptions options;
      options.program_name = "Fuzz";
      options.units = {&file};
      options.needs_main = false;
      const auto program = tenure::compiler::CheckProgram(library, options, diagnostics);
      legal += program != nullptr;
      if ((program == nullptr) != diagnostics.has_errors())
        wrong = "no program, or one with errors";
      const std::string messages = diagnostics.Render(tenure::compiler::DiagnosticFormat::kText);
      if (argc > 3) std::fputs(messages.c_str(), stdout);
      diagnostics.Render(tenure::compiler::DiagnosticFormat::kJson);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (wrong == nullptr && seconds > kMaxSecondsPerFile) wrong = "too slow";
    if (wrong != nullptr) {
      std::printf("seed %llu, iteration %d: %s\n%s\n", static_cast<unsigned long long>(seed), i,
                  wrong, text.c_str());
      return 1;
    }
  }
  std::printf("seed %llu: %d programs checked, %d of them legal\n",
              static_cast<unsigned long long>(seed), iterations, legal);
  return 0;
}
