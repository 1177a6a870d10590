#include "store/network/tls_library.h"

#include <dlfcn.h>

#include <cstring>
#include <string>

#include "store/format/status_text.h"

namespace tenure::store {

namespace {

struct Loaded {
  TlsLibrary library;
  Status status;
};

Loaded Load() {
  Loaded loaded;
  void* const handle = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = dlerror();
    loaded.status =
        Failure(StatusCode::kNotSupported,
                std::string("a connection to a cluster needs OpenSSL 3 (apt-get install "
                            "libssl3): ") +
                    (why == nullptr ? "libssl.so.3 cannot be loaded" : why));
    return loaded;
  }
  const char* missing = nullptr;
  // Symbols of libcrypto are found through libssl, which needs it.
  const auto find = [&](const char* name, auto* function) {
    void* const symbol = dlsym(handle, name);
    if (symbol == nullptr) missing = name;
    std::memcpy(function, &symbol, sizeof symbol);
  };
#define TN_TLS_FIND(name) find(#name, &loaded.library.name);
  TN_TLS_FUNCTIONS(TN_TLS_FIND)
#undef TN_TLS_FIND
  if (missing != nullptr) {
    loaded.status = Failure(StatusCode::kNotSupported,
                            std::string("libssl.so.3 lacks the function ") + missing);
    return loaded;
  }
  // Threads of links may run while the process exits: OpenSSL must not free its tables then.
  loaded.library.OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, nullptr);
  return loaded;
}

}  // namespace

Result<const TlsLibrary*> LoadTlsLibrary() {
  static const Loaded& loaded = *new Loaded(Load());
  if (!loaded.status.ok()) return loaded.status;
  return &loaded.library;
}

}  // namespace tenure::store
