// SPDX-License-Identifier: Apache-2.0

// What the parts of ServerLoad share.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The commands. Each takes its arguments and returns the exit status.
int fan_out(char **arguments, const char *write_port);
int first_answer(char **arguments);
int follow_file(const char *folder, const char *name);

// Ends the program with a message and, if there is one, the system's error.
_Noreturn void fail(const char *message);

// The monotonic clock in nanoseconds.
uint64_t now(void);

// Waits until a moment of that clock.
void wait_until(uint64_t moment);

// A whole number from 1 on, or the end of the program.
long number(const char *text, const char *name);

// A connection to a port of this machine; -1 if the port is closed.
int dial(int port);

// Writes all bytes, or ends the program.
void send_all(int connection, const void *bytes, size_t count);

// Reads at least one byte, or ends the program.
size_t receive(int connection, void *bytes, size_t capacity);

// Reads exactly so many bytes, or ends the program.
void receive_all(int connection, void *bytes, size_t count);

// How streams are opened, and how values are written, with one server.
struct protocol {
    const char *name;
    // Opens a stream on a new connection, and returns when the server has begun it.
    void (*watch)(int connection);
    // Makes a new connection ready for writes; NULL if nothing has to be done.
    void (*prepare)(int connection);
    // Writes a value of MARK_LENGTH characters, and returns when the server has acknowledged it.
    void (*write)(int connection, const char *value);
    // What a value begins with in the bytes that streams carry, and the length of a value there.
    const char *mark;
    size_t length;
    // The number in a value, as it is there.
    long (*decode)(const char *value);
};

// The protocol of this name; NULL if there is none.
const struct protocol *protocol_named(const char *name);

// HTTP/2, as far as gRPC on a connection without TLS needs it.
void http2_begin(int connection);
// Sends a request with one message; `ends` marks the last one.
void grpc_request(int connection, uint32_t stream, const char *path, const void *message, size_t length, int ends);
// Reads until the first message of a stream, or until its end.
void grpc_await_message(int connection, uint32_t stream);
void grpc_await_end(int connection, uint32_t stream);

// The mark of a value: no server's own text has it. As BASE64 it is "QHM6".
#define MARK "@s:"
#define MARK_LENGTH 12
