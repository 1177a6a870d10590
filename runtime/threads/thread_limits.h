// Which of the system's limits keeps another thread from starting.
#pragma once

namespace tenure::runtime {

// A sentence for a report, with the limit, its value and how it is raised. `error` is the system's
// error number: EAGAIN, or ENOMEM. The text is valid until the next call; one thread at a time.
// Allocates nothing.
const char* WhyNoThread(int error);

}  // namespace tenure::runtime
