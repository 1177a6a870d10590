#include "stabilize/state/commit_report.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace tenure::stabilize {

namespace {

// Types that are shown; the rest is summed up.
constexpr size_t kLinesMost = 20;

__attribute__((format(printf, 2, 3))) void Add(std::string& text, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

std::string NameOf(const CapturedBy& by) {
  if (by.holder == nullptr) return "the root";
  const std::string type = by.holder->name;
  if (!by.element) {
    for (uint32_t i = 0; i < by.holder->field_count; ++i) {
      const abi::FieldDescriptor& field = by.holder->fields[i];
      const size_t begin = field.bit_offset / 8;
      if (by.offset >= begin && by.offset < begin + std::max<size_t>(field.bit_size / 8, 1)) {
        return type + "." + field.name;
      }
    }
  }
  return type + (by.element ? "[]" : "") + "+" + std::to_string(by.offset);
}

void AddCounts(std::string& text, const char* title,
               std::vector<std::pair<std::string, CommitReport::Count>> counts) {
  if (counts.empty()) return;
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    if (a.second.bytes != b.second.bytes) return a.second.bytes > b.second.bytes;
    return a.first < b.first;
  });
  Add(text, "  %s:\n", title);
  CommitReport::Count rest;
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto& [name, count] = counts[i];
    if (i < kLinesMost) {
      Add(text, "    %10llu objects %12llu bytes  %.300s\n",
          static_cast<unsigned long long>(count.objects),
          static_cast<unsigned long long>(count.bytes), name.c_str());
    } else {
      rest.objects += count.objects;
      rest.bytes += count.bytes;
    }
  }
  if (rest.objects > 0) {
    Add(text, "    %10llu objects %12llu bytes  of %zu others\n",
        static_cast<unsigned long long>(rest.objects), static_cast<unsigned long long>(rest.bytes),
        counts.size() - kLinesMost);
  }
}

void AddNotKept(std::string& text, const CommitReport& report) {
  if (report.not_kept.empty()) return;
  Add(text, "  not kept (NIL when they are read again):\n");
  // Places in one field, which may be many, are one line.
  std::map<std::string, uint64_t> by_name;
  for (const auto& [by, count] : report.not_kept) by_name[NameOf(by)] += count;
  size_t lines = 0;
  for (const auto& [name, count] : by_name) {
    if (lines++ == kLinesMost) {
      Add(text, "    and %zu others\n", by_name.size() - kLinesMost);
      return;
    }
    Add(text, "    %10llu times  %.300s\n", static_cast<unsigned long long>(count), name.c_str());
  }
}

}  // namespace

std::string TextOf(const CommitReport& report) {
  const auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  std::string text;
  Add(text, "commit %llu: %llu objects, %llu bytes newly persistent\n", number(report.number),
      number(report.persisted.objects), number(report.persisted.bytes));
  std::vector<std::pair<std::string, CommitReport::Count>> types, references;
  for (const auto& [type, count] : report.by_type) types.push_back({type->name, count});
  for (const auto& [by, count] : report.by_reference) references.push_back({NameOf(by), count});
  AddCounts(text, "by type", std::move(types));
  AddCounts(text, "captured through", std::move(references));
  AddNotKept(text, report);
  Add(text, "  moved home since the last commit: %llu; still displaced: %llu on %llu pages\n",
      number(report.moved_home), number(report.displaced), number(report.governed));
  Add(text, "  written: %llu pages, %llu bytes; log: %llu bytes\n", number(report.pages_written),
      number(report.bytes_written), number(report.log_bytes));
  Add(text, "  shipped: %llu pages, %llu regions; syncs: %llu, at most %llu commits in one\n",
      number(report.pages_shipped), number(report.regions_shipped), number(report.syncs),
      number(report.largest_group));
  Add(text,
      "  found by: %llu write traps, %llu twins (%llu compared early); %llu checks that called, "
      "%llu "
      "blocks (%llu copied), %llu missed\n",
      number(report.write_faults), number(report.twins_made), number(report.twins_compared_early),
      number(report.barrier_calls), number(report.blocks_marked), number(report.blocks_copied),
      number(report.missed_barriers));
  double sum = 0;
  for (double ms : report.ms) sum += ms;
  Add(text,
      "  time: %.3f ms (comparing %.3f, roots %.3f, naming %.3f, encoding %.3f, sending %.3f, "
      "protecting %.3f)\n",
      sum, report.ms[CommitReport::kCompare], report.ms[CommitReport::kRoots],
      report.ms[CommitReport::kName], report.ms[CommitReport::kEncode],
      report.ms[CommitReport::kSend], report.ms[CommitReport::kAccept]);
  return text;
}

}  // namespace tenure::stabilize
