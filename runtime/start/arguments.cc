#include "runtime/start/arguments.h"

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

// Flags of the environment are for all programs that run there.
enum class FlagSource { kArguments, kEnvironment };

bool TakeFlag(std::string_view word, FlagSource source, const FlagRules& rules,
              Arguments& arguments, Options& options, std::string& error) {
  arguments.parameters.emplace_back(word);
  const OptionVerdict verdict = ParseOption(word, options, error);
  if (verdict != OptionVerdict::kUnknown) return verdict == OptionVerdict::kTaken;
  const std::string where = source == FlagSource::kEnvironment ? " in TENURE_OPTIONS" : "";
  const std::string meant = OptionMeant(word);
  if (!meant.empty()) {
    error = "there is no flag @M3" + std::string(word.substr(0, word.find('='))) + where +
            "; did you mean " + meant + "? (@M3help lists the flags)";
    return false;
  }
  if (rules.program_has_flags || source == FlagSource::kEnvironment) return true;
  error = "there is no flag @M3" + std::string(word.substr(0, word.find('='))) +
          ", and this program has none of its own (@M3help lists the flags)";
  return false;
}

}  // namespace

bool ParseArguments(int argc, const char* const* argv, const char* environment_options,
                    const FlagRules& rules, Arguments& arguments, Options& options,
                    std::string& error) {
  std::string_view rest =
      environment_options == nullptr || !rules.allowed ? "" : environment_options;
  while (!rest.empty()) {
    const size_t end = rest.find_first_of(" \t\n");
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (word.starts_with(kPrefix)) word.remove_prefix(kPrefix.size());
    if (word.empty()) continue;
    if (!TakeFlag(word, FlagSource::kEnvironment, rules, arguments, options, error)) return false;
  }
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (i == 0 || !word.starts_with(kPrefix)) {
      arguments.program.emplace_back(word);
      continue;
    }
    if (!rules.allowed) {
      error = std::string(word) +
              ": a program that runs with another user's rights (set-user-ID, set-group-ID) takes "
              "no flags of the run time";
      return false;
    }
    if (!TakeFlag(word.substr(kPrefix.size()), FlagSource::kArguments, rules, arguments, options,
                  error))
      return false;
  }
  return true;
}

const Arguments& ProcessArguments() { return Stored(); }

void SetProcessArguments(Arguments arguments) { Stored() = std::move(arguments); }

}  // namespace tenure::runtime
