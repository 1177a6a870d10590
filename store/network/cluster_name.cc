#include "store/network/cluster_name.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "base/mutex.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

constexpr size_t kLineBytesMost = 4096;

// Settings of URIs that stand for directories, and of this process.
struct KnownSettings {
  Mutex mutex;
  std::map<std::string, ClusterName> by_uri TN_GUARDED_BY(mutex);
  std::optional<TlsFiles> own TN_GUARDED_BY(mutex);
};

KnownSettings& TheKnownSettings() {
  static KnownSettings& known = *new KnownSettings;
  return known;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

// Nothing, with *wrong set, if one of them is not a HOST:PORT.
std::vector<HostPort> ParseServers(std::string_view text, std::string* wrong) {
  std::vector<HostPort> servers;
  while (!text.empty()) {
    const size_t end = text.find_first_of(", \t");
    const std::string_view one = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (one.empty()) continue;
    const std::optional<HostPort> server = ParseHostPort(one);
    if (!server) {
      *wrong = one;
      return {};
    }
    servers.push_back(*server);
  }
  return servers;
}

// With `for_uris` the file must not name servers or a store: the URI names them.
Result<ClusterName> ReadFile(const std::string& path, bool for_uris) {
  std::ifstream file(path);
  if (!file) return SystemFailure(errno, "cannot read " + path);
  ClusterName name;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::string line;
  int number = 0;
  const auto wrong = [&](const std::string& how) {
    return Failure(StatusCode::kInvalidArgument,
                   path + " line " + std::to_string(number) + ": " + how);
  };
  while (std::getline(file, line)) {
    ++number;
    if (line.size() > kLineBytesMost) return wrong("the line is too long");
    const std::string_view text = Trimmed(std::string_view(line).substr(0, line.find('#')));
    if (text.empty()) continue;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) return wrong("KEY = VALUE is expected");
    const std::string key(Trimmed(text.substr(0, equals)));
    const std::string value(Trimmed(text.substr(equals + 1)));
    const auto file_name = [&] { return (folder / value).lexically_normal().string(); };
    if (value.empty()) return wrong("the value of '" + key + "' is missing");
    if (key == "ca") {
      name.tls.ca = file_name();
    } else if (key == "certificate") {
      name.tls.certificate = file_name();
    } else if (key == "key") {
      name.tls.key = file_name();
    } else if (key == "patience") {
      int seconds = 0;
      const char* const end = value.data() + value.size();
      const auto [stop, error] = std::from_chars(value.data(), end, seconds);
      if (error != std::errc() || stop != end || seconds < 1 || seconds > 86400) {
        return wrong("patience '" + value + "' is not a whole number of seconds from 1 to 86400");
      }
      name.patience = std::chrono::seconds(seconds);
    } else if (key == "servers" && !for_uris) {
      std::string bad;
      name.servers = ParseServers(value, &bad);
      if (!bad.empty())
        return wrong("'" + bad + "' is not a server: HOST or HOST:PORT is expected");
    } else if (key == "store" && !for_uris) {
      if (!CheckDatabaseName(value).ok()) return wrong("'" + value + "' cannot name a store");
      name.store = value;
    } else {
      return wrong("'" + key + "' is not known: " +
                   (for_uris ? "ca, certificate, key and patience are"
                             : "servers, store, ca, certificate, key and patience are"));
    }
  }
  if (file.bad()) return SystemFailure(EIO, "cannot read " + path);
  const auto missing = [&](const char* key) {
    return Failure(StatusCode::kInvalidArgument, path + ": '" + key + "' is missing");
  };
  if (!for_uris && name.servers.empty()) return missing("servers");
  if (!for_uris && name.store.empty()) return missing("store");
  if (name.tls.ca.empty()) return missing("ca");
  if (name.tls.certificate.empty()) return missing("certificate");
  if (name.tls.key.empty()) return missing("key");
  return name;
}

// The file with the settings of URIs; empty: there is none.
std::string SettingsFile() {
  if (const char* const named = std::getenv("TENURE_CLUSTER"); named != nullptr && *named != 0) {
    return named;
  }
  std::string folder;
  if (const char* const config = std::getenv("XDG_CONFIG_HOME");
      config != nullptr && *config != 0) {
    folder = config;
  } else if (const char* const home = std::getenv("HOME"); home != nullptr && *home != 0) {
    folder = std::string(home) + "/.config";
  } else {
    return "";
  }
  const std::string file = folder + "/tenure/cluster";
  return access(file.c_str(), F_OK) == 0 ? file : "";
}

Result<ClusterName> ReadUri(const std::string& uri) {
  const auto wrong = [&](const std::string& how) {
    return Failure(StatusCode::kInvalidArgument,
                   "'" + uri + "' names no store: " + how +
                       "; tenure://HOST[:PORT][,HOST[:PORT]...]/STORE is expected");
  };
  const std::string_view rest = std::string_view(uri).substr(kClusterScheme.size());
  const size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return wrong("the store is missing");
  const std::string_view hosts = rest.substr(0, slash);
  if (hosts.find_first_of("@ \t") != std::string_view::npos) {
    return wrong("a user or a blank has no place in it");
  }
  std::string bad;
  const std::vector<HostPort> servers = ParseServers(hosts, &bad);
  if (!bad.empty()) return wrong("'" + bad + "' is not a host");
  if (servers.empty()) return wrong("the host is missing");
  std::string store(rest.substr(slash + 1));
  if (store.ends_with('/')) store.pop_back();
  if (!CheckDatabaseName(store).ok()) return wrong("'" + store + "' cannot name a store");
  ClusterName name;
  std::optional<TlsFiles> own;
  {
    KnownSettings& known = TheKnownSettings();
    const MutexLock guard(known.mutex);
    const auto found = known.by_uri.find(uri);
    if (found != known.by_uri.end()) return found->second;
    own = known.own;
  }
  if (own) {
    name.tls = *own;
  } else {
    const std::string file = SettingsFile();
    if (file.empty()) {
      return Failure(StatusCode::kNotFound,
                     "store " + uri +
                         " needs a certificate: put ca, certificate and key into the file "
                         "~/.config/tenure/cluster, or let $TENURE_CLUSTER name such a file");
    }
    TN_ASSIGN_OR_RETURN(name, ReadFile(file, /*for_uris=*/true));
  }
  name.servers = servers;
  name.store = store;
  return name;
}

}  // namespace

std::string ClusterName::uri() const {
  std::string text(kClusterScheme);
  for (const HostPort& server : servers) {
    if (!text.ends_with('/')) text += ',';
    text += server.text();
  }
  return text + "/" + store;
}

bool HasClusterFile(const std::string& directory) {
  struct stat info;
  const std::string file = directory + "/" + kClusterFile;
  return stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool IsClusterStore(const std::string& path) { return IsClusterUri(path) || HasClusterFile(path); }

Result<ClusterName> ReadClusterName(const std::string& path) {
  if (IsClusterUri(path)) return ReadUri(path);
  return ReadFile(path + "/" + kClusterFile, /*for_uris=*/false);
}

std::string ClusterUriOf(const std::string& directory) {
  if (!HasClusterFile(directory)) return directory;
  const Result<ClusterName> name = ReadClusterName(directory);
  if (!name.ok()) return directory;
  KnownSettings& known = TheKnownSettings();
  const MutexLock guard(known.mutex);
  known.by_uri[name->uri()] = *name;
  return name->uri();
}

void UseForClusterUris(const TlsFiles& tls) {
  KnownSettings& known = TheKnownSettings();
  const MutexLock guard(known.mutex);
  known.own = tls;
}

}  // namespace tenure::store
