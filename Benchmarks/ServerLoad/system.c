// SPDX-License-Identifier: Apache-2.0

#include "ServerLoad.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void fail(const char *message) {
    if (errno != 0) {
        perror(message);
    } else {
        fprintf(stderr, "%s\n", message);
    }
    exit(1);
}

uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void wait_until(uint64_t moment) {
    // Until a moment and not for a time, so that a signal cannot stretch the wait.
    for (uint64_t present = now(); present < moment; present = now()) {
        uint64_t rest = moment - present;
        struct timespec pause = {.tv_sec = (time_t)(rest / 1000000000), .tv_nsec = (long)(rest % 1000000000)};
        nanosleep(&pause, NULL);
    }
}

long number(const char *text, const char *name) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || *end != '\0' || end == text || value < 1) {
        fprintf(stderr, "%s is a whole number from 1 on, not '%s'\n", name, text);
        exit(2);
    }
    return value;
}

int dial(int port) {
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connection == -1) {
        fail("socket");
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == -1) {
        close(connection);
        return -1;
    }
    int yes = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

void send_all(int connection, const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(connection, bytes, count, MSG_NOSIGNAL);
        if (sent == -1 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            fail("send");
        }
        bytes = (const char *)bytes + sent;
        count -= (size_t)sent;
    }
}

size_t receive(int connection, void *bytes, size_t capacity) {
    ssize_t count;
    do {
        count = recv(connection, bytes, capacity, 0);
    } while (count == -1 && errno == EINTR);
    if (count == 0) {
        errno = 0;
        fail("the server has closed a connection");
    }
    if (count < 0) {
        fail("recv");
    }
    return (size_t)count;
}

void receive_all(int connection, void *bytes, size_t count) {
    while (count > 0) {
        size_t received = receive(connection, bytes, count);
        bytes = (char *)bytes + received;
        count -= received;
    }
}
