#pragma once

namespace tenure::dbtool {

// `tenure serve [--group GROUP] DIR`: serves the store until SIGTERM or SIGINT
// (docs/page_server.md). The exit status: 0; 1 when the store cannot be served; 2 for a wrong
// command line.
int Serve(int argc, char** argv);

}  // namespace tenure::dbtool
