// SPDX-License-Identifier: Apache-2.0

// ServerLoad: what wrk does not measure. It is in C so that it costs little beside the servers that it measures.

#include "ServerLoad.h"

#include <stdio.h>
#include <string.h>

static int usage(void) {
    fputs("usage: ServerLoad fan-out PROTOCOL PORT PROCESS STREAMS WRITES [WRITE-PORT]\n"
          "       ServerLoad first-answer PORT PATH RUNS PROGRAM [ARGUMENT...]\n"
          "       ServerLoad follow-file FOLDER NAME\n"
          "\n"
          "fan-out opens STREAMS streams, writes WRITES times with 1 ms between an answer and the next write, and reports how\n"
          "long it takes from a write to the last stream that has it. PROTOCOL is livery, redis, etcd-json or etcd-grpc;\n"
          "PROCESS is the server's process id, for its memory. WRITE-PORT is where to write, if not to PORT.\n"
          "first-answer starts a server RUNS times and reports the time until it answers PATH with 200.\n"
          "follow-file shows the colour of a document on the terminal, and follows it until it is ended.\n"
          "The results of the others are lines on standard output, each a name, a space and a number; times are in microseconds.\n",
          stderr);
    return 2;
}

int main(int count, char **arguments) {
    if ((count == 7 || count == 8) && strcmp(arguments[1], "fan-out") == 0) {
        return fan_out(arguments + 2, count == 8 ? arguments[7] : arguments[3]);
    }
    if (count >= 6 && strcmp(arguments[1], "first-answer") == 0) {
        return first_answer(arguments + 2);
    }
    if (count == 4 && strcmp(arguments[1], "follow-file") == 0) return follow_file(arguments[2], arguments[3]);
    return usage();
}
