// Guesses at unknown words of a command line: the text of the message when CLI11 refuses a line.
// For the sources that read command lines with CLI11; exceptions are on there.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/near_names.h"

namespace tenure {

// The names of other tools for things, and our names for these.
using OtherNames = std::map<std::string, std::string>;

// Accepts these words; the message for any other names the nearest.
inline CLI::Validator OneOf(std::vector<std::string> words) {
  return {[words = std::move(words)](std::string& given) {
            if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
            NearNames near(given);
            for (const std::string& word : words) near.Consider(word);
            return "'" + given + "' is none of " + JoinNames(words, "and") +
                   (near.best().empty() ? "" : "; did you mean " + near.best() + "?");
          },
          ""};
}

// Accepts whole numbers that are not less than `least`.
inline CLI::Validator WholeNumber(uint64_t least) {
  return {[least](std::string& given) {
            uint64_t number = 0;
            const char* const end = given.data() + given.size();
            const auto [rest, error] = std::from_chars(given.data(), end, number);
            return error == std::errc() && rest == end && number >= least
                       ? std::string()
                       : "'" + given + "' is not a whole number from " + std::to_string(least);
          },
          ""};
}

// Accepts numbers above 0, also with a fraction.
inline CLI::Validator PositiveNumber() {
  return {[](std::string& given) {
            double number = 0;
            const char* const end = given.data() + given.size();
            const auto [rest, error] = std::from_chars(given.data(), end, number);
            return error == std::errc() && rest == end && number > 0
                       ? std::string()
                       : "'" + given + "' is not a number above 0";
          },
          ""};
}

// Makes each option and argument of `app` and its commands refuse an empty value, which mostly
// comes from a variable of a script that has not been set; but for those that are named.
inline void RefuseEmptyValues(CLI::App& app, const std::vector<std::string>& except = {}) {
  for (CLI::Option* option : app.get_options()) {
    const bool takes_value = option->get_items_expected_max() != 0;
    if (!takes_value || std::ranges::find(except, option->get_name(true)) != except.end()) continue;
    option->check(
        [](const std::string& value) { return value.empty() ? "the value is empty" : ""; });
  }
  for (CLI::App* command : app.get_subcommands({})) RefuseEmptyValues(*command, except);
}

// The command of `app` that was probably meant by `word`; empty if none resembles it.
inline std::string CommandMeant(const CLI::App& app, const std::string& word,
                                const OtherNames& others = {}) {
  const auto other = others.find(word);
  if (other != others.end()) return other->second;
  NearNames near(word);
  for (const CLI::App* command : app.get_subcommands({})) near.Consider(command->get_name());
  return near.best();
}

namespace command_line {

// `app`, then those of its commands that stand on the line.
inline std::vector<const CLI::App*> OnTheLine(const CLI::App& app) {
  std::vector<const CLI::App*> found = {&app};
  for (const CLI::App* command : app.get_subcommands()) found.push_back(command);
  return found;
}

inline const CLI::Option* FindOption(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name(true) == name || option->check_name(name)) return option;
  }
  return nullptr;
}

inline void ConsiderOptions(const CLI::App& command, NearNames& near) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& known : option->get_lnames()) near.Consider(known);
  }
}

// Advice about a word that begins with a dash and is not an option of the command; may be empty.
inline std::string OptionAdvice(const CLI::App& app, const std::string& word,
                                const OtherNames& others) {
  constexpr size_t kMostOwners = 3;
  const std::string name = word.substr(0, word.find('='));
  const auto other = others.find(name);
  if (other != others.end()) return "did you mean " + other->second + "?";
  const size_t begin = name.find_first_not_of('-');
  if (begin == std::string::npos) return "";
  NearNames near(name.substr(begin));
  for (const CLI::App* command : OnTheLine(app)) ConsiderOptions(*command, near);
  std::vector<std::string> owners;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (FindOption(*command, name) != nullptr) {
      owners.push_back("'" + app.get_name() + " " + command->get_name() + "'");
    }
  }
  // One slip is likelier than an option of another command, which is likelier than two.
  if (near.is_sure() || (owners.empty() && !near.best().empty())) {
    return "did you mean --" + near.best() + "?";
  }
  if (!owners.empty()) {
    return owners.size() > kMostOwners ? name + " stands behind a command that has it"
                                       : name + " belongs to " + JoinNames(owners, "and");
  }
  NearNames elsewhere(name.substr(begin));
  for (const CLI::App* command : app.get_subcommands({})) ConsiderOptions(*command, elsewhere);
  return elsewhere.is_sure() ? "other commands have --" + elsewhere.best() : "";
}

}  // namespace command_line

// Why `app`, which has thrown `error`, does not accept the line. One sentence, without a full stop.
inline std::string DescribeParseError(const CLI::App& app, const CLI::ParseError& error,
                                      const OtherNames& other_options = {}) {
  // A mistyped option often makes CLI11 miss an argument first.
  std::vector<std::string> unexpected = app.remaining(true), advice;
  const bool has_option =
      std::any_of(unexpected.begin(), unexpected.end(),
                  [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (has_option || error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    std::string text = "arguments that were not expected:";
    for (const std::string& word : unexpected) {
      text += " " + word;
      if (word.size() < 2 || word[0] != '-') continue;
      const std::string about = command_line::OptionAdvice(app, word, other_options);
      if (!about.empty()) advice.push_back(about);
    }
    for (const std::string& about : advice) text += "; " + about;
    return text;
  }
  const std::string text = error.what();
  for (const CLI::App* command : command_line::OnTheLine(app)) {
    if (error.get_name() == "ArgumentMismatch") {
      // "-o: 1 required TEXT missing"
      const std::string name = text.substr(0, text.find(':'));
      const CLI::Option* option = command_line::FindOption(*command, name);
      if (option != nullptr && text.ends_with(" missing")) {
        const std::string value =
            option->get_option_text().empty() ? option->get_type_name() : option->get_option_text();
        return name + " lacks its " + value + ": " + option->get_description();
      }
    } else if (error.get_name() == "RequiredError") {
      // "FILE is required"
      const CLI::Option* option =
          command_line::FindOption(*command, text.substr(0, text.find(' ')));
      if (option != nullptr && !option->get_description().empty()) {
        return text + ": " + option->get_description();
      }
    }
  }
  return text;
}

}  // namespace tenure
