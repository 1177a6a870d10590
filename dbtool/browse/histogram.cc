#include "dbtool/browse/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dbtool/browse/cells.h"

namespace tenure::dbtool {

namespace {

constexpr size_t kBins = 20;
constexpr size_t kValuesShown = 12;

}  // namespace

void Histogram::Add(const Datum& value) {
  ++count_;
  switch (value.kind) {
    case DatumKind::kNone: ++none_; return;
    case DatumKind::kInteger: numbers_.push_back(static_cast<double>(value.number)); return;
    case DatumKind::kReal:
      whole_ = false;
      if (std::isfinite(value.real)) {
        numbers_.push_back(value.real);
      } else {
        ++values_[RealText(value.real, value.single)];
      }
      return;
    case DatumKind::kSet: {
      const Status read = ForEachRunOfSet(value, [&](__int128 first, __int128 last) {
        for (__int128 i = first; i <= last && i - first < 1000; ++i) {
          ++values_[OrdinalText(*value.type->index, i)];
        }
        return true;
      });
      if (!read.ok()) view_.Report(read);
      return;
    }
    case DatumKind::kReference: {
      const Result<ObjectPtr> object = view_.source().Load(value.reference);
      if (!object.ok()) {
        ++values_["(damaged)"];
        return;
      }
      if (!IsText(view_, (*object)->type())) {
        ++values_[(*object)->type().name];
        return;
      }
      const auto text = ReadText(*object, 60);
      if (text.ok() && *text) lengths_.push_back(static_cast<double>((*text)->length));
      ShowLimits limits;
      limits.characters = 60;
      ++values_[view_.values().Text(value, limits)];
      return;
    }
    default: {
      ShowLimits limits;
      limits.elements = 5;
      limits.characters = 60;
      ++values_[view_.values().Text(value, limits)];
      return;
    }
  }
}

Json Histogram::Numbers(std::vector<double> numbers, bool whole) {
  std::ranges::sort(numbers);
  // The distance of two doubles, and a sum of some, may be no double.
  static_assert(std::numeric_limits<long double>::max_exponent > 2000);
  const long double least = numbers.front(), most = numbers.back();
  long double sum = 0;
  for (const double number : numbers) sum += number;
  // Integers get bins of whole numbers.
  long double width = (most - least) / kBins;
  if (whole) width = std::max(1.0L, std::ceil((most - least + 1) / kBins));
  const size_t bins = width == 0 ? 1
                      : whole    ? static_cast<size_t>((most - least) / width) + 1
                                 : kBins;
  std::vector<uint64_t> counts(bins);
  for (const double number : numbers) {
    const long double bin = width == 0 ? 0 : (number - least) / width;
    ++counts[std::min(bins - 1, static_cast<size_t>(bin))];
  }
  Json list = Json::array();
  for (size_t i = 0; i < bins; ++i) {
    const long double from = least + static_cast<long double>(i) * width;
    const long double to = whole ? from + width - 1 : std::min(most, from + width);
    list.push_back({{"from", static_cast<double>(from)},
                    {"to", static_cast<double>(to)},
                    {"count", counts[i]}});
  }
  return {{"kind", "numbers"},
          {"bins", std::move(list)},
          {"least", numbers.front()},
          {"median", numbers[numbers.size() / 2]},
          {"most", numbers.back()},
          {"mean", static_cast<double>(sum / static_cast<long double>(numbers.size()))}};
}

Json Histogram::ToJson() const {
  Json out = {{"kind", "values"}};
  if (!numbers_.empty()) {
    out = Numbers(numbers_, whole_);
    for (const auto& [value, count] : values_) {
      out["beside"].push_back({{"value", value}, {"count", count}});
    }
  } else {
    std::vector<std::pair<std::string, uint64_t>> sorted(values_.begin(), values_.end());
    std::ranges::stable_sort(sorted,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    Json bins = Json::array();
    uint64_t others = 0;
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (i >= kValuesShown) {
        others += sorted[i].second;
        continue;
      }
      bins.push_back({{"value", sorted[i].first}, {"count", sorted[i].second}});
    }
    out["bins"] = std::move(bins);
    out["others"] = others;
    out["distinct"] = values_.size();
  }
  if (!lengths_.empty()) out["lengths"] = Numbers(lengths_, true);
  out["none"] = none_;
  out["count"] = count_;
  return out;
}

}  // namespace tenure::dbtool
