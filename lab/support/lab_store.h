// The stores of experiments: made for one, read cold, and removed.
#pragma once

#include <memory>
#include <string>

#include "store/server/page_server.h"

namespace tenure::lab {

// The store at `path`. Ends the program when it cannot be opened.
std::unique_ptr<store::PageServer> OpenStoreAt(const std::string& path, store::OpenMode mode);

// A store in a temporary folder, which is removed with the object.
class LabStore {
 public:
  // In `parent`; empty: where the system keeps temporary files.
  explicit LabStore(const std::string& parent);
  ~LabStore();
  LabStore(const LabStore&) = delete;
  LabStore& operator=(const LabStore&) = delete;

  std::string path() const { return folder_ + "/store"; }
  // Open, until Close.
  store::PageServer& server();
  void Close();
  // Closes the store, and has the system write its files and drop them from its cache: later reads
  // come from the device.
  void MakeCold();

 private:
  std::string folder_;
  std::unique_ptr<store::PageServer> server_;
};

}  // namespace tenure::lab
