#include "node/node_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/exit_status.h"
#include "base/shown_text.h"
#include "base/terminal_text.h"
#include "commands/advice.h"
#include "commands/table.h"

namespace tenure::node {

namespace {

constexpr const char* kAbout =
    "Serves the stores of a group of PostgreSQL servers to programs on other machines, over TLS.\n"
    "Nodes of a group find each other through it: each store has one leader among them, and\n"
    "another takes over when the leader is gone. Programs open tenure://HOST:PORT/STORE.\n"
    "Prints \"serving at HOST:PORT\" when it is ready.";
constexpr const char* kMore =
    "Exit status: 0 ended by a signal, or done, 2 wrong usage, 3 it could not be done.\n"
    "An option can stand in the file that --config names, as NAME = VALUE.";

void AddGroup(CLI::App& app, NodeOptions& options) {
  app.add_option("--group", options.group,
                 "the PostgreSQL servers, as libpq reads it: \"host=a,b,c dbname=tenure "
                 "user=tenure sslmode=verify-full target_session_attrs=read-write\"")
      ->option_text("CONNINFO");
  app.add_flag("--allow-asynchronous", options.allow_asynchronous,
               "for experiments: one PostgreSQL server suffices. When its machine or disk is lost, "
               "commits are lost that programs were told are durable");
}

void AddAll(CLI::App& app, NodeOptions* options, std::string* role) {
  app.footer(kMore);
  app.set_config("--config", "", "a file with these options")->option_text("FILE");
  AddGroup(app, *options);
  app.add_option("--listen", options->listen, "where programs connect (port: 7300)")
      ->option_text("HOST:PORT");
  app.add_option("--address", options->address,
                 "how programs on other machines reach this node (default: as --listen)")
      ->option_text("HOST:PORT");
  app.add_option("--name", options->name,
                 "this node's name, which no other node of the group has (default: the address)")
      ->option_text("NAME");
  app.add_option("--ca", options->tls.ca,
                 "certificate of the authority that signs for programs and nodes")
      ->option_text("FILE");
  app.add_option("--certificate", options->tls.certificate,
                 "this node's certificate, which names its host")
      ->option_text("FILE");
  app.add_option("--key", options->tls.key, "the certificate's key")->option_text("FILE");
  app.add_option("--lease", options->lease_seconds,
                 "seconds after which another node takes over from a silent one; the same for all "
                 "nodes of the group (1 to 60; default: 4)")
      ->option_text("SECONDS")
      ->check(CLI::Range(1.0, 60.0));
  app.add_option("--session-timeout", options->session_timeout,
                 "seconds after which a program that is away need not be waited for by 'tenure db "
                 "gc'; it must then open its databases anew (1 to 86400; default: 300)")
      ->option_text("SECONDS")
      ->check(CLI::Range(1, 86400));
  app.add_option("--cache", options->cache_bytes,
                 "memory for pages of each store, with suffix K, M or G (default: 256M)")
      ->option_text("SIZE")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));

  CLI::App* const init = app.add_subcommand("init", "makes the tables of a new group");
  CLI::App* const create = app.add_subcommand("create", "makes a store");
  CLI::App* const grant = app.add_subcommand("grant", "gives a program a role for a store");
  CLI::App* const stat = app.add_subcommand("stat", "lists nodes, stores, leaders and roles");
  for (CLI::App* const command : {init, create, grant, stat}) AddGroup(*command, *options);
  app.require_subcommand(0, 1);
  create->add_option("STORE", options->store, "its name")->type_name("")->required();
  create->add_option("--owner", options->owner, "who gets the role owner: a common name (CN)")
      ->option_text("SUBJECT");
  grant->add_option("STORE", options->store, "its name")->type_name("")->required();
  grant->add_option("SUBJECT", options->subject, "the common name (CN) in a certificate")
      ->type_name("")
      ->required();
  grant->add_option("ROLE", *role, "reader, writer, owner; none takes the role away")
      ->type_name("")
      ->required()
      ->check(OneOf({"reader", "writer", "owner", "none"}));
  RefuseEmptyValues(app);
}

}  // namespace

store::PostgresOptions NodeOptions::postgres() const {
  store::PostgresOptions result;
  result.connection = group;
  result.quorum = !allow_asynchronous;
  return result;
}

int ParseNodeOptions(const std::vector<std::string>& words, NodeOptions* options) {
  CLI::App app(kAbout, "tenure node");
  std::string role;
  AddAll(app, options, &role);
  if (words.size() == 1 && words[0] == kCommandTableOption) {
    std::printf("%s\n", nlohmann::ordered_json::array({CommandTable(app)}).dump(1).c_str());
    return std::fflush(stdout) == 0 ? kExitOk : kExitEnvironment;
  }
  const auto wrong = [](const std::string& problem) {
    std::fprintf(stderr, "tenure node: %s\nTry 'tenure node --help'.\n",
                 ShownText(problem).c_str());
    return static_cast<int>(kExitUsage);
  };
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    std::fputs(ForTerminal(STDOUT_FILENO, app.help()).c_str(), stdout);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return kExitOk;
    std::fprintf(stderr, "tenure node: cannot write to standard output\n");
    return kExitEnvironment;
  } catch (const CLI::ParseError& problem) {
    return wrong(DescribeParseError(app, problem));
  }
  if (app.got_subcommand("init")) options->command = NodeCommand::kInit;
  if (app.got_subcommand("create")) options->command = NodeCommand::kCreate;
  if (app.got_subcommand("grant")) options->command = NodeCommand::kGrant;
  if (app.got_subcommand("stat")) options->command = NodeCommand::kStat;
  for (const store::StoreRole each :
       {store::StoreRole::kReader, store::StoreRole::kWriter, store::StoreRole::kOwner}) {
    if (role == NameOf(each)) options->role = each;
  }
  const auto missing = [&](const char* option) {
    return wrong(std::string("the option ") + option + " is missing");
  };
  if (options->group.empty()) return missing("--group");
  if (options->command != NodeCommand::kServe) return -1;
  if (options->listen.empty()) return missing("--listen");
  if (options->tls.ca.empty()) return missing("--ca");
  if (options->tls.certificate.empty()) return missing("--certificate");
  if (options->tls.key.empty()) return missing("--key");
  return -1;
}

}  // namespace tenure::node
