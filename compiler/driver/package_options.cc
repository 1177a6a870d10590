#include "compiler/driver/package_options.h"

#include <CLI/CLI.hpp>

namespace tenure::compiler {

namespace {

constexpr const char* kNew =
    "NAME may be a path: the directory is made, with sources in src, a test in tests, README.md "
    "and\n"
    "tenure.toml. An existing directory must be empty.";

constexpr const char* kSources =
    "A dependency is the directory of --path, or a repository: --git URL with --tag, --commit or "
    "--branch; "
    "without\n"
    "one of them the newest tag that is a version, or else the newest commit. NAME may be left out "
    "if the\n"
    "package names itself in its tenure.toml.";

void AddDirectory(CLI::App* command, std::string& directory) {
  command->add_option("--package", directory, "the package (default: the current directory)")
      ->option_text("DIR");
}

CLI::App* AddNew(CLI::App& app, PackageOptions& options) {
  CLI::App* command = app.add_subcommand("new", "make a package: a program, or a library");
  command->footer(kNew);
  command->add_option("NAME", options.name, "the package's name")->type_name("")->required();
  command->add_flag("--library", options.library, "units for other packages, no program");
  return command;
}

CLI::App* AddClean(CLI::App& app, PackageOptions& options, std::string& directory) {
  CLI::App* command = app.add_subcommand("clean", "remove what builds made");
  command->footer("Removes .tenure from DIR and from the packages in DIR/tests.");
  command->add_option("DIR", directory, "the package (default: the current directory)")
      ->type_name("");
  command->add_flag("--cache", options.clean_cache,
                    "remove the user's cache instead: object files of the library, fetched "
                    "packages");
  return command;
}

CLI::App* AddAdd(CLI::App& app, PackageOptions& options, std::string& directory) {
  CLI::App* command = app.add_subcommand("add", "add a dependency to tenure.toml, or change one");
  command->footer(kSources);
  command->add_option("NAME", options.dependency, "the package that is needed")->type_name("");
  command->add_option("SOURCE", options.source, "a directory or a URL: as --path or --git")
      ->type_name("");
  CLI::Option* path = command->add_option("--path", options.path, "it is in this directory");
  path->option_text("DIR");
  CLI::Option* git = command->add_option("--git", options.git, "it is in this repository");
  git->option_text("URL")->excludes(path);
  CLI::Option* tag = command->add_option("--tag", options.tag, "as this tag has it");
  tag->option_text("TAG");
  CLI::Option* commit = command->add_option("--commit", options.commit, "as this commit has it");
  commit->option_text("COMMIT")->excludes(tag);
  command
      ->add_option("--branch", options.branch,
                   "as the newest commit of this branch has it; the next one at 'tenure update'")
      ->option_text("BRANCH")
      ->excludes(tag)
      ->excludes(commit);
  command->add_option("--directory", options.subdirectory, "in this directory of the repository")
      ->option_text("DIR");
  AddDirectory(command, directory);
  return command;
}

CLI::App* AddNamed(CLI::App& app, const char* name, const char* what, bool required,
                   PackageOptions& options, std::string& directory) {
  CLI::App* command = app.add_subcommand(name, what);
  CLI::Option* names =
      command->add_option("NAME", options.names, required ? "the dependencies" : "only these");
  names->type_name("")->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (required) names->required();
  AddDirectory(command, directory);
  return command;
}

}  // namespace

CLI::App* AddPackageCommand(CLI::App& app, PackageCommand command, PackageOptions& options,
                            std::string& directory) {
  switch (command) {
    case PackageCommand::kNew: return AddNew(app, options);
    case PackageCommand::kClean: return AddClean(app, options, directory);
    case PackageCommand::kAdd: return AddAdd(app, options, directory);
    case PackageCommand::kRemove:
      return AddNamed(app, "remove", "remove a dependency from tenure.toml", true, options,
                      directory);
    case PackageCommand::kUpdate:
      return AddNamed(app, "update", "write tenure.lock anew, from the present dependencies", false,
                      options, directory);
    case PackageCommand::kVendor: {
      CLI::App* vendor =
          app.add_subcommand("vendor", "copy the fetched dependencies to the package's vendor/");
      AddDirectory(vendor, directory);
      return vendor;
    }
  }
  return nullptr;
}

}  // namespace tenure::compiler
