#include "runtime/arguments.h"

#include <string_view>
#include <utility>

namespace tenure::runtime {
namespace {

constexpr std::string_view kPrefix = "@M3";

Arguments& Stored() {
  // Never destroyed: exit actions may ask for arguments.
  static auto* arguments = new Arguments;
  return *arguments;
}

bool TakeFlag(std::string_view word, Arguments& arguments, Options& options, std::string& error) {
  arguments.parameters.emplace_back(word);
  return ParseOption(word, options, error) != OptionVerdict::kBad;
}

}  // namespace

bool ParseArguments(int argc, const char* const* argv, const char* environment_options,
                    Arguments& arguments, Options& options, std::string& error) {
  std::string_view rest = environment_options == nullptr ? "" : environment_options;
  while (!rest.empty()) {
    const size_t end = rest.find_first_of(" \t\n");
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (word.starts_with(kPrefix)) word.remove_prefix(kPrefix.size());
    if (!word.empty() && !TakeFlag(word, arguments, options, error)) return false;
  }
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (i > 0 && word.starts_with(kPrefix)) {
      if (!TakeFlag(word.substr(kPrefix.size()), arguments, options, error)) return false;
    } else {
      arguments.program.emplace_back(word);
    }
  }
  return true;
}

const Arguments& ProcessArguments() { return Stored(); }

void SetProcessArguments(Arguments arguments) { Stored() = std::move(arguments); }

}  // namespace tenure::runtime
