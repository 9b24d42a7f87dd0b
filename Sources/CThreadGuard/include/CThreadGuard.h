// SPDX-License-Identifier: Apache-2.0

// Ends the program where the system lets it start no thread, such as beyond the limit of processes or of memory.
#pragma once

// From now on, a thread that cannot be started within 2 s ends the process with this message on standard error and this exit
// code, after the terminal has been restored. Only with glibc: elsewhere, and with a sanitizer, nothing changes.
void lvy_end_without_threads(const char *message, int exit_code);
