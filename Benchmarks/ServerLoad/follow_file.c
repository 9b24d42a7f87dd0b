// SPDX-License-Identifier: Apache-2.0

// The minimal program that follows a file: inotify, and one write per change.

#include "ServerLoad.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

// As many bytes as livery writes for a recolour of 80×24 in 256 colours.
#define FRAME_LENGTH 276

// The place of the first colour, such as #FFB6C1, in a document; NULL if there is none, as while it is being written.
static const char *find_color(const char *path, char *document, size_t capacity) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    ssize_t length = read(file, document, capacity - 1);
    close(file);
    if (length < 0) return NULL;
    document[length] = 0;
    const char *color = strchr(document, '#');
    return color != NULL && strlen(color) > 7 ? color : NULL;
}

// Shows the colour of the document on a cleared screen, and its name in the row at the bottom.
static void show(const char *path) {
    char document[4096];
    const char *color = find_color(path, document, sizeof document);
    if (color == NULL) return;
    unsigned red, green, blue;
    if (sscanf(color, "#%2x%2x%2x", &red, &green, &blue) != 3) return;
    unsigned index = 16 + red / 43 * 36 + green / 43 * 6 + blue / 43;
    char frame[FRAME_LENGTH + 1];
    int head = snprintf(frame, sizeof frame, "\033[48;5;%um\033[2J\033[24;1H%.7s\033[12;1H", index, color);
    memset(frame + head, ' ', (size_t)(FRAME_LENGTH - head));
    if (write(STDOUT_FILENO, frame, FRAME_LENGTH) != FRAME_LENGTH) fail("write");
}

int follow_file(const char *folder, const char *name) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) fail("the path is too long");
    int events = inotify_init1(IN_CLOEXEC);
    if (events < 0 || inotify_add_watch(events, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0) fail("inotify");
    show(path);
    while (1) {
        char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
        ssize_t length = read(events, buffer, sizeof buffer);
        if (length <= 0) fail("inotify");
        int has_changed = 0;
        for (char *place = buffer; place < buffer + length;) {
            const struct inotify_event *event = (const struct inotify_event *)place;
            has_changed |= event->len > 0 && strcmp(event->name, name) == 0;
            place += sizeof *event + event->len;
        }
        if (has_changed) show(path);
    }
}
