// A disk collection of a database that programs use, through their page server.
//
// Marking is one transaction that has permission to read everything: programs that want to write
// wait for it. Unreached objects are candidates. A candidate is kept, with all objects that it
// reaches, if a program still refers to it: from a variable, or by a commit since then
// (PageServer::OfferCandidates). Nobody can come to refer to the others any more. They are freed in
// small transactions, page by page, whatever programs have made of the pages meanwhile.
#pragma once

#include "dbtool/collect/collection.h"
#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

// kInUse if a program does not answer (it is in the middle of a long operation, or has stopped);
// then nothing has been freed.
Result<CollectTotals> CollectShared(OpenedStore& store, store::DatabaseId database,
                                    const CollectOptions& options);

}  // namespace tenure::dbtool
