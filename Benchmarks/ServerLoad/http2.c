// SPDX-License-Identifier: Apache-2.0

#include "ServerLoad.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// RFC 9113, section 6.
enum { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };

struct frame {
    uint8_t type;
    uint8_t flags;
    uint32_t stream;
    size_t length;
    uint8_t payload[65536];
};

static void put_frame_head(uint8_t *head, size_t length, uint8_t type, uint8_t flags, uint32_t stream) {
    head[0] = (uint8_t)(length >> 16);
    head[1] = (uint8_t)(length >> 8);
    head[2] = (uint8_t)length;
    head[3] = type;
    head[4] = flags;
    for (int index = 0; index < 4; index++) {
        head[5 + index] = (uint8_t)(stream >> (24 - 8 * index));
    }
}

// Windows as large as they may be, so that they never have to be opened again.
void http2_begin(int connection) {
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    static const uint8_t settings[] = {0, 4, 0x7F, 0xFF, 0xFF, 0xFF};
    static const uint8_t window[] = {0x7F, 0, 0, 0};
    uint8_t head[9];
    send_all(connection, preface, sizeof preface - 1);
    put_frame_head(head, sizeof settings, SETTINGS, 0, 0);
    send_all(connection, head, sizeof head);
    send_all(connection, settings, sizeof settings);
    put_frame_head(head, sizeof window, WINDOW_UPDATE, 0, 0);
    send_all(connection, head, sizeof head);
    send_all(connection, window, sizeof window);
}

// HPACK (RFC 7541): fields of the static table, and literals that are not kept, so that there is no state.
static size_t put_headers(uint8_t *block, const char *path) {
    static const uint8_t start[] = {0x83, 0x86, 0x01, 9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 0x04};
    static const char type[] = "application/grpc";
    static const uint8_t te[] = {0x00, 2, 't', 'e', 8, 't', 'r', 'a', 'i', 'l', 'e', 'r', 's'};
    uint8_t *end = block;
    memcpy(end, start, sizeof start);
    end += sizeof start;
    *end++ = (uint8_t)strlen(path);
    memcpy(end, path, strlen(path));
    end += strlen(path);
    *end++ = 0x0F; // content-type, number 31 of the static table
    *end++ = 31 - 15;
    *end++ = sizeof type - 1;
    memcpy(end, type, sizeof type - 1);
    end += sizeof type - 1;
    memcpy(end, te, sizeof te);
    return (size_t)(end + sizeof te - block);
}

void grpc_request(int connection, uint32_t stream, const char *path, const void *message, size_t length, int ends) {
    uint8_t bytes[512];
    size_t headers = put_headers(bytes + 9, path);
    put_frame_head(bytes, headers, HEADERS, END_HEADERS, stream);
    uint8_t *data = bytes + 9 + headers;
    put_frame_head(data, 5 + length, DATA, ends ? END_STREAM : 0, stream);
    // Not compressed, and four bytes of length: gRPC's own frame.
    memset(data + 9, 0, 4);
    data[13] = (uint8_t)length;
    memcpy(data + 14, message, length);
    send_all(connection, bytes, (size_t)(data + 14 + length - bytes));
}

static void receive_frame(int connection, struct frame *frame) {
    uint8_t head[9];
    receive_all(connection, head, sizeof head);
    frame->length = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
    frame->type = head[3];
    frame->flags = head[4];
    frame->stream = (uint32_t)(head[5] & 0x7F) << 24 | (uint32_t)head[6] << 16 | (uint32_t)head[7] << 8 | head[8];
    errno = 0;
    if (frame->length > sizeof frame->payload) {
        fail("a frame is longer than allowed");
    }
    receive_all(connection, frame->payload, frame->length);
    if (frame->type == RST_STREAM || frame->type == GOAWAY) {
        errno = 0;
        fail("the server has refused a gRPC request");
    }
    if ((frame->type == SETTINGS || frame->type == PING) && !(frame->flags & ACK)) {
        size_t length = frame->type == PING ? frame->length : 0;
        put_frame_head(head, length, frame->type, ACK, 0);
        send_all(connection, head, sizeof head);
        send_all(connection, frame->payload, length);
    }
}

static void await(int connection, uint32_t stream, uint8_t type) {
    struct frame frame;
    while (1) {
        receive_frame(connection, &frame);
        if (frame.stream != stream) {
            continue;
        }
        int is_end = frame.flags & END_STREAM && frame.type == HEADERS;
        if (type == HEADERS && is_end) {
            return;
        }
        if (type == DATA && frame.type == DATA) {
            return;
        }
        if (is_end) {
            errno = 0;
            fail("the server has ended a gRPC stream");
        }
    }
}

void grpc_await_message(int connection, uint32_t stream) {
    await(connection, stream, DATA);
}

void grpc_await_end(int connection, uint32_t stream) {
    await(connection, stream, HEADERS);
}
