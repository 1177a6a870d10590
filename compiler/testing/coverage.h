// The coverage of a test run: reads the files of its processes (abi/coverage.h), adds the counts
// up, and writes them for people and for lcov.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::compiler {

struct FileCoverage {
  struct Branch {
    uint32_t line;
    uint32_t column;  // of the choice
    uint32_t way;     // the nth way out of the choice
    friend auto operator<=>(const Branch&, const Branch&) = default;
  };
  struct Procedure {
    uint32_t line = 0;
    uint64_t count = 0;
  };
  std::map<uint32_t, uint64_t> lines;  // how often the line's most frequent statement began
  std::map<Branch, uint64_t> branches;
  std::map<std::string, Procedure> procedures;

  size_t LinesHit() const;
  size_t BranchesHit() const;
  size_t ProceduresHit() const;
};

class Coverage {
 public:
  // Adds the counts of one process. False if the text is not a whole file of coverage.
  bool Add(std::string_view file);

  // By absolute path, without the files below the directories that are left out.
  std::map<std::string, FileCoverage> Files(const std::vector<std::string>& left_out) const;

 private:
  // By the map's line; the same place may be counted in several units.
  std::map<std::string, uint64_t, std::less<>> counts_;
};

// A tracefile of lcov.
std::string LcovText(const std::map<std::string, FileCoverage>& files);

// "12 of 15 lines (80.0 %), 5 of 8 branches (62.5 %)".
std::string CoverageSummary(const std::map<std::string, FileCoverage>& files);

// Pages below the directory: index.html, and one for each file. Empty, or what went wrong.
std::string WriteCoveragePages(const std::map<std::string, FileCoverage>& files,
                               const std::string& directory);

}  // namespace tenure::compiler
