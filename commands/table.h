// The table of commands and options that man pages and completions of shells are made from
// (tools/command_pages.py). For the sources that read command lines with CLI11; exceptions are on
// there.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace tenure {

// The hidden option of each program that prints its table.
inline constexpr const char* kCommandTableOption = "--command-table";

// A command, its options and arguments, and its subcommands; without what --help hides.
inline nlohmann::ordered_json CommandTable(const CLI::App& command) {
  using Json = nlohmann::ordered_json;
  Json options = Json::array(), arguments = Json::array(), commands = Json::array();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) {
      arguments.push_back({{"name", option->get_name(true)},
                           {"text", option->get_description()},
                           {"required", option->get_required()},
                           {"several", option->get_items_expected_max() > 1}});
      continue;
    }
    Json names = Json::array();
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const bool takes_value = option->get_items_expected_max() != 0;
    const std::string value =
        option->get_option_text().empty() ? option->get_type_name() : option->get_option_text();
    options.push_back({{"names", names},
                       {"value", takes_value ? value : ""},
                       {"text", option->get_description()},
                       {"required", option->get_required()}});
  }
  for (const CLI::App* sub : command.get_subcommands({})) {
    if (!sub->get_group().empty()) commands.push_back(CommandTable(*sub));
  }
  return {{"name", command.get_name()},        {"text", command.get_description()},
          {"more", command.get_footer()},      {"options", std::move(options)},
          {"arguments", std::move(arguments)}, {"commands", std::move(commands)}};
}

}  // namespace tenure
