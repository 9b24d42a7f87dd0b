// SPDX-License-Identifier: Apache-2.0

#include "ServerLoad.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Starts the program and discards its output.
static pid_t start(char **program) {
    pid_t child = fork();
    if (child == -1) {
        fail("fork");
    }
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        if (nothing != -1) {
            dup2(nothing, 0);
            dup2(nothing, 1);
            dup2(nothing, 2);
        }
        execvp(program[0], program);
        _exit(127);
    }
    return child;
}

// Whether the server answers with 200 now.
static int answers(int port, const char *request) {
    int connection = dial(port);
    if (connection == -1) {
        return 0;
    }
    static const char success[] = "HTTP/1.1 200";
    char bytes[sizeof success - 1];
    size_t count = 0;
    ssize_t last = send(connection, request, strlen(request), MSG_NOSIGNAL);
    while (last > 0 && count < sizeof bytes) {
        last = recv(connection, bytes + count, sizeof bytes - count, 0);
        count += last > 0 ? (size_t)last : 0;
    }
    close(connection);
    return count == sizeof bytes && memcmp(bytes, success, sizeof bytes) == 0;
}

static uint64_t measure(int port, const char *request, char **program) {
    uint64_t begin = now();
    pid_t child = start(program);
    while (!answers(port, request)) {
        if (waitpid(child, NULL, WNOHANG) != 0 || now() - begin > 30000000000) {
            errno = 0;
            fail("the server did not come up");
        }
        // Time for the server, which shares the processors with this program.
        wait_until(now() + 100000);
    }
    uint64_t end = now();
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    return end - begin;
}

int first_answer(char **arguments) {
    int port = (int)number(arguments[0], "PORT");
    long runs = number(arguments[2], "RUNS");
    char request[1024];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", arguments[1]);
    for (long run = 0; run < runs; run++) {
        printf("first %.1f\n", (double)measure(port, request, arguments + 3) / 1000);
    }
    return 0;
}
