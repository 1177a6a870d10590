#include "base/near_names.h"

#include <algorithm>

#include "base/edit_distance.h"

namespace tenure {
namespace {

// Costs: 0 for capitals and underscores, then the edit distance; abbreviations cost more than any
// accepted distance, and more the more letters they leave out; names that resemble the wanted name
// little cost kUnlike and their distance.
constexpr size_t kAbbreviation = 10;
constexpr size_t kUnlike = 100;

// Names longer than this are compared only by capitals: the distance takes quadratic time.
constexpr size_t kLongest = 100;

std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == '_') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

// The greatest distance at which one name may be taken for another.
size_t MostEdits(size_t length) { return length < 3 ? 0 : length < 5 ? 1 : length < 9 ? 2 : 3; }

bool IsSubsequence(std::string_view part, std::string_view whole) {
  size_t found = 0;
  for (const char c : whole) {
    if (found < part.size() && part[found] == c) ++found;
  }
  return found == part.size();
}

size_t CostOf(std::string_view wanted, std::string_view candidate) {
  if (wanted == candidate) return 0;
  if (wanted.size() > kLongest || candidate.size() > kLongest) return kUnlike + kLongest;
  const size_t distance = EditDistance(wanted, candidate);
  const std::string_view shorter = wanted.size() < candidate.size() ? wanted : candidate;
  const std::string_view longer = wanted.size() < candidate.size() ? candidate : wanted;
  if (distance <= MostEdits(longer.size()) && distance < shorter.size()) return distance;
  if (shorter.size() >= 3 && shorter.front() == longer.front()) {
    const size_t left_out = longer.size() - shorter.size();
    if (longer.starts_with(shorter)) return kAbbreviation + left_out;
    if (left_out <= 2 * shorter.size() && IsSubsequence(shorter, longer)) {
      return kAbbreviation + left_out + 1;
    }
  }
  return kUnlike + distance;
}

}  // namespace

NearNames::NearNames(std::string_view wanted) : wanted_(wanted), plain_(Plain(wanted)) {}

void NearNames::Consider(std::string_view candidate) {
  if (candidate.empty() || candidate == wanted_) return;
  for (const Candidate& known : candidates_) {
    if (known.name == candidate) return;
  }
  const std::string plain = Plain(candidate);
  const size_t cost = CostOf(plain_, plain);
  candidates_.push_back({std::string(candidate), cost});
  if (cost >= kUnlike) return;
  if (!best_.empty() && cost >= best_cost_) {
    // If two names are equally near, the choice is a guess; names that differ in capitals alone are
    // not.
    if (cost == best_cost_ && cost > 0) is_sure_ = false;
    return;
  }
  best_ = candidate;
  best_cost_ = cost;
  const size_t longest = std::max(plain.size(), plain_.size());
  is_sure_ = cost == 0 || (cost == 1 && longest >= 4) || (cost == 2 && longest >= 7);
}

bool NearNames::is_abbreviation() const { return !best_.empty() && best_cost_ >= kAbbreviation; }

std::vector<std::string> NearNames::Nearest(size_t count) const {
  std::vector<Candidate> sorted = candidates_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  std::vector<std::string> names;
  for (const Candidate& candidate : sorted) {
    if (names.size() == count) break;
    names.push_back(candidate.name);
  }
  return names;
}

std::string JoinNames(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace tenure
