#include "compiler/testing/coverage.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "abi/coverage.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> SplitTabs(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

uint32_t Number(const std::string& text) {
  return static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
}

template <typename Map, typename Count>
size_t Hit(const Map& map, Count count) {
  return static_cast<size_t>(
      std::ranges::count_if(map, [&](const auto& it) { return count(it.second) > 0; }));
}

bool IsBelow(const std::string& path, const std::string& directory) {
  return !directory.empty() && path.starts_with(directory) &&
         (directory.back() == '/' || path.size() == directory.size() ||
          path[directory.size()] == '/');
}

}  // namespace

size_t FileCoverage::LinesHit() const {
  return Hit(lines, [](uint64_t count) { return count; });
}
size_t FileCoverage::BranchesHit() const {
  return Hit(branches, [](uint64_t count) { return count; });
}
size_t FileCoverage::ProceduresHit() const {
  return Hit(procedures, [](const Procedure& it) { return it.count; });
}

bool Coverage::Add(std::string_view file) {
  abi::CoverageFileHeader header;
  if (file.size() < sizeof header) return false;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.magic != abi::CoverageFileHeader::kMagic) return false;
  file.remove_prefix(sizeof header);
  if (header.count > file.size() / sizeof(uint64_t)) return false;
  const char* counters = file.data();
  std::string_view map = file.substr(header.count * sizeof(uint64_t));
  if (map.size() != header.map_bytes) return false;
  for (uint64_t i = 0; i < header.count; ++i) {
    const size_t end = map.find('\n');
    if (end == std::string_view::npos) return false;
    uint64_t count;
    std::memcpy(&count, counters + i * sizeof count, sizeof count);
    const std::string_view line = map.substr(0, end);
    const auto found = counts_.find(line);
    if (found != counts_.end()) {
      found->second += count;
    } else {
      counts_.emplace(line, count);
    }
    map.remove_prefix(end + 1);
  }
  return true;
}

std::map<std::string, FileCoverage> Coverage::Files(
    const std::vector<std::string>& left_out) const {
  std::map<std::string, FileCoverage> files;
  std::map<std::string, std::string> absolute;  // by the path in the maps
  for (const auto& [line, count] : counts_) {
    const std::vector<std::string> fields = SplitTabs(line);
    if (fields.size() < 4) continue;
    std::string& path = absolute[fields[1]];
    std::error_code ignored;
    if (path.empty())
      path = fs::weakly_canonical(fs::absolute(fields[1], ignored), ignored).string();
    if (path.empty() || !fs::exists(path, ignored)) continue;  // generated for the tests
    if (std::ranges::any_of(left_out, [&](const auto& it) { return IsBelow(path, it); })) continue;
    FileCoverage& file = files[path];
    const uint32_t number = Number(fields[2]);
    if (fields[0] == "L") {
      uint64_t& most = file.lines[number];
      most = std::max(most, count);
    } else if (fields[0] == "B" && fields.size() >= 5) {
      file.branches[{number, Number(fields[3]), Number(fields[4])}] += count;
    } else if (fields[0] == "P") {
      FileCoverage::Procedure& procedure = file.procedures[fields[3]];
      procedure.line = number;
      procedure.count += count;
    }
  }
  return files;
}

std::string LcovText(const std::map<std::string, FileCoverage>& files) {
  std::string text;
  for (const auto& [path, file] : files) {
    text += "TN:\nSF:" + path + "\n";
    for (const auto& [name, procedure] : file.procedures) {
      text += "FN:" + std::to_string(procedure.line) + "," + name + "\n";
    }
    for (const auto& [name, procedure] : file.procedures) {
      text += "FNDA:" + std::to_string(procedure.count) + "," + name + "\n";
    }
    text += "FNF:" + std::to_string(file.procedures.size()) +
            "\nFNH:" + std::to_string(file.ProceduresHit()) + "\n";
    // A choice is a block: its number counts the choices of the line. A choice that was never met
    // has "-" for its ways.
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> met;
    for (const auto& [branch, count] : file.branches) met[{branch.line, branch.column}] += count;
    uint32_t line = 0, column = 0, block = 0;
    for (const auto& [branch, count] : file.branches) {
      if (branch.line != line) {
        block = 0;
      } else if (branch.column != column) {
        ++block;
      }
      line = branch.line;
      column = branch.column;
      text += "BRDA:" + std::to_string(line) + "," + std::to_string(block) + "," +
              std::to_string(branch.way) + "," +
              (met[{line, column}] == 0 ? "-" : std::to_string(count)) + "\n";
    }
    text += "BRF:" + std::to_string(file.branches.size()) +
            "\nBRH:" + std::to_string(file.BranchesHit()) + "\n";
    for (const auto& [number, count] : file.lines) {
      text += "DA:" + std::to_string(number) + "," + std::to_string(count) + "\n";
    }
    text += "LF:" + std::to_string(file.lines.size()) + "\nLH:" + std::to_string(file.LinesHit()) +
            "\nend_of_record\n";
  }
  return text;
}

std::string CoverageSummary(const std::map<std::string, FileCoverage>& files) {
  size_t lines = 0, lines_hit = 0, branches = 0, branches_hit = 0;
  for (const auto& [path, file] : files) {
    lines += file.lines.size();
    lines_hit += file.LinesHit();
    branches += file.branches.size();
    branches_hit += file.BranchesHit();
  }
  const auto percent = [](size_t part, size_t whole) {
    return whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  char text[160];
  std::snprintf(text, sizeof text, "%zu of %zu lines (%.1f %%), %zu of %zu branches (%.1f %%)",
                lines_hit, lines, percent(lines_hit, lines), branches_hit, branches,
                percent(branches_hit, branches));
  return text;
}

}  // namespace tenure::compiler
