// SPDX-License-Identifier: Apache-2.0

#include "ServerLoad.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads until the bytes contain a text, and ends the program if they contain another one first.
static void await_text(int connection, const char *text, const char *refusal) {
    char bytes[8192];
    size_t count = 0;
    while (count < sizeof bytes - 1) {
        count += receive(connection, bytes + count, sizeof bytes - 1 - count);
        bytes[count] = '\0';
        if (strstr(bytes, text) != NULL) {
            return;
        }
        if (refusal != NULL && strstr(bytes, refusal) != NULL) {
            break;
        }
    }
    fprintf(stderr, "instead of %s the server said: %.*s\n", text, (int)count, bytes);
    exit(1);
}

static void send_text(int connection, const char *text) {
    send_all(connection, text, strlen(text));
}

// Sends a request with a JSON body, and reads the whole answer, which has to be one of success.
static void exchange_json(int connection, const char *method, const char *path, const char *body) {
    char bytes[8192];
    int length = snprintf(bytes, sizeof bytes,
                          "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          method, path, strlen(body), body);
    send_all(connection, bytes, (size_t)length);
    size_t count = 0;
    while (count < sizeof bytes - 1) {
        count += receive(connection, bytes + count, sizeof bytes - 1 - count);
        bytes[count] = '\0';
        char *end = strstr(bytes, "\r\n\r\n");
        if (end == NULL) {
            continue;
        }
        char *field = strcasestr(bytes, "\r\ncontent-length:");
        if (strncmp(bytes, "HTTP/1.1 2", 10) != 0 || field == NULL) {
            break;
        }
        if (strtoul(field + 17, NULL, 10) <= count - (size_t)(end + 4 - bytes)) {
            return;
        }
    }
    fprintf(stderr, "a write was answered with: %.*s\n", (int)count, bytes);
    exit(1);
}

static long decode_digits(const char *value) {
    return strtol(value + strlen(MARK), NULL, 10);
}

// MARK: Livery

static void livery_watch(int connection) {
    send_text(connection, "GET /v1/default/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
    await_text(connection, "event: hello", "HTTP/1.1 4");
}

static void livery_write(int connection, const char *value) {
    char body[64];
    snprintf(body, sizeof body, "{\"value\":\"%s\"}", value);
    exchange_json(connection, "PUT", "/v1/default/entries/fan.out", body);
}

// MARK: Redis

static void redis_write(int connection, const char *value) {
    char command[64];
    snprintf(command, sizeof command, "PUBLISH fan.out %s\r\n", value);
    send_text(connection, command);
    await_text(connection, "\r\n", "-ERR");
}

static void redis_watch(int connection) {
    send_text(connection, "SUBSCRIBE fan.out\r\n");
    await_text(connection, "subscribe", "-ERR");
}

// MARK: etcd, through its JSON gateway

static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A value, whose length is a multiple of three.
static void base64(char *text, const char *value) {
    for (; *value != '\0'; value += 3) {
        uint32_t bits = (uint32_t)value[0] << 16 | (uint32_t)value[1] << 8 | (uint32_t)value[2];
        for (int shift = 18; shift >= 0; shift -= 6) {
            *text++ = base64_digits[bits >> shift & 63];
        }
    }
    *text = '\0';
}

static long decode_base64(const char *text) {
    char value[MARK_LENGTH + 1] = "";
    for (int group = 0; group < MARK_LENGTH / 3; group++) {
        uint32_t bits = 0;
        for (int index = 0; index < 4; index++) {
            const char *digit = strchr(base64_digits, text[group * 4 + index]);
            bits = bits << 6 | (uint32_t)(digit == NULL ? 0 : digit - base64_digits);
        }
        for (int index = 0; index < 3; index++) {
            value[group * 3 + index] = (char)(bits >> (16 - 8 * index));
        }
    }
    return decode_digits(value);
}

static void etcd_json_watch(int connection) {
    static const char body[] = "{\"create_request\":{\"key\":\"ZmFuLm91dA==\"}}";
    char request[256];
    snprintf(request, sizeof request,
             "POST /v3/watch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\n\r\n%s",
             sizeof body - 1, body);
    send_text(connection, request);
    await_text(connection, "\"created\":true", "HTTP/1.1 4");
}

static void etcd_json_write(int connection, const char *value) {
    char text[MARK_LENGTH / 3 * 4 + 1], body[128];
    base64(text, value);
    snprintf(body, sizeof body, "{\"key\":\"ZmFuLm91dA==\",\"value\":\"%s\"}", text);
    exchange_json(connection, "POST", "/v3/kv/put", body);
}

// MARK: etcd, by gRPC

static void etcd_grpc_watch(int connection) {
    // WatchRequest { create_request { key: "fan.out" } }
    static const char message[] = "\x0A\x09\x0A\x07" "fan.out";
    http2_begin(connection);
    grpc_request(connection, 1, "/etcdserverpb.Watch/Watch", message, sizeof message - 1, 0);
    grpc_await_message(connection, 1);
}

static void etcd_grpc_write(int connection, const char *value) {
    // The one connection that writes counts its streams, which have odd numbers.
    static uint32_t stream = 1;
    // PutRequest { key: "fan.out", value }
    char message[64];
    int length = snprintf(message, sizeof message, "\x0A\x07" "fan.out" "\x12%c%s", MARK_LENGTH, value);
    grpc_request(connection, stream, "/etcdserverpb.KV/Put", message, (size_t)length, 1);
    grpc_await_end(connection, stream);
    stream += 2;
}

static const struct protocol protocols[] = {
    {"livery", livery_watch, NULL, livery_write, MARK, MARK_LENGTH, decode_digits},
    {"redis", redis_watch, NULL, redis_write, MARK, MARK_LENGTH, decode_digits},
    {"etcd-json", etcd_json_watch, NULL, etcd_json_write, "QHM6", MARK_LENGTH / 3 * 4, decode_base64},
    {"etcd-grpc", etcd_grpc_watch, http2_begin, etcd_grpc_write, MARK, MARK_LENGTH, decode_digits},
};

const struct protocol *protocol_named(const char *name) {
    for (size_t index = 0; index < sizeof protocols / sizeof *protocols; index++) {
        if (strcmp(protocols[index].name, name) == 0) {
            return &protocols[index];
        }
    }
    return NULL;
}
