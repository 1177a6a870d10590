#include "compiler/format/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tenure::compiler {

namespace {

constexpr int kMostEdits = 4000;  // the search takes memory and time with the square of them
constexpr size_t kContext = 3;

void AppendLine(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// "12,3", "12" for one line; a range without lines names the line before it.
std::string RangeText(size_t begin, size_t end) {
  if (end - begin == 1) return std::to_string(begin + 1);
  return std::to_string(begin == end ? begin : begin + 1) + "," + std::to_string(end - begin);
}

}  // namespace

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// The shortest edit script of Myers ("An O(ND) Difference Algorithm", 1986), from its end.
std::vector<LineChange> FindLineChanges(const std::vector<std::string_view>& a,
                                        const std::vector<std::string_view>& b) {
  size_t first = 0, a_end = a.size(), b_end = b.size();
  while (first < a_end && first < b_end && a[first] == b[first]) ++first;
  while (a_end > first && b_end > first && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;
  if (first == a_end && first == b_end) return {};
  const std::vector<LineChange> whole = {{first, a_end, first, b_end}};
  const long n = static_cast<long>(a_end - first), m = static_cast<long>(b_end - first);
  const auto same = [&](long x, long y) {
    return a[first + static_cast<size_t>(x)] == b[first + static_cast<size_t>(y)];
  };
  // turns[d][k + d]: how far diagonal k = x - y was reached with d edits; -1: not at all.
  std::vector<std::vector<long>> turns;
  struct Step {
    long x;  // where edit d arrives on the diagonal; -1: nowhere
    bool removes;
  };
  const auto step_to = [&](long d, long k) -> Step {
    if (d == 0) return {0, false};
    const auto former = [&](long diagonal) {
      if (diagonal < 1 - d || diagonal > d - 1) return -1L;
      return turns[static_cast<size_t>(d - 1)][static_cast<size_t>(diagonal + d - 1)];
    };
    const long removing = former(k - 1), inserting = former(k + 1);
    const bool may_remove = removing >= 0 && removing < n;
    const bool may_insert = inserting >= 0 && inserting - k <= m;
    if (may_remove && (!may_insert || removing + 1 >= inserting)) return {removing + 1, true};
    return {may_insert ? inserting : -1, false};
  };
  for (long d = 0, done = 0; done == 0; ++d) {
    if (d > kMostEdits) return whole;
    std::vector<long> reach(static_cast<size_t>(2 * d + 1), -1);
    for (long k = -d; k <= d; k += 2) {
      long x = step_to(d, k).x;
      if (x < 0) continue;
      while (x < n && x - k < m && same(x, x - k)) ++x;
      reach[static_cast<size_t>(k + d)] = x;
      if (x == n && x - k == m) done = 1;
    }
    turns.push_back(std::move(reach));
  }
  std::vector<LineChange> changes;
  long k = n - m;
  for (long d = static_cast<long>(turns.size()) - 1; d > 0; --d) {
    const Step step = step_to(d, k);
    const long from_x = step.removes ? step.x - 1 : step.x;
    k += step.removes ? -1 : 1;
    const long from_y = from_x - k;
    const LineChange change = {first + static_cast<size_t>(from_x),
                               first + static_cast<size_t>(step.x),
                               first + static_cast<size_t>(from_y),
                               first + static_cast<size_t>(from_y + (step.removes ? 0 : 1))};
    if (!changes.empty() && changes.back().a == change.a_end && changes.back().b == change.b_end) {
      changes.back().a = change.a;
      changes.back().b = change.b;
    } else {
      changes.push_back(change);
    }
  }
  std::ranges::reverse(changes);
  return changes;
}

std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = LinesOf(before), b = LinesOf(after);
  const std::vector<LineChange> changes = FindLineChanges(a, b);
  std::string out;
  for (size_t i = 0; i < changes.size();) {
    size_t last = i;
    while (last + 1 < changes.size() && changes[last + 1].a - changes[last].a_end <= 2 * kContext)
      ++last;
    const size_t lead = std::min(kContext, changes[i].a);
    const size_t trail = std::min(kContext, a.size() - changes[last].a_end);
    if (out.empty()) {
      out = "--- " + std::string(name) + "\n+++ " + std::string(name) + "\n";
    }
    out += "@@ -" + RangeText(changes[i].a - lead, changes[last].a_end + trail) + " +" +
           RangeText(changes[i].b - lead, changes[last].b_end + trail) + " @@\n";
    size_t at = changes[i].a - lead;
    for (; i <= last; ++i) {
      for (; at < changes[i].a; ++at) AppendLine(out, ' ', a[at]);
      for (; at < changes[i].a_end; ++at) AppendLine(out, '-', a[at]);
      for (size_t k = changes[i].b; k < changes[i].b_end; ++k) AppendLine(out, '+', b[k]);
    }
    for (const size_t end = at + trail; at < end; ++at) AppendLine(out, ' ', a[at]);
  }
  return out;
}

}  // namespace tenure::compiler
