// Measures how long a write takes to reach the last of many streams.
//
//   fanout livery PORT STREAMS WRITES INTERVAL_US PID
//   fanout redis  PORT STREAMS WRITES INTERVAL_US PID
//   fanout etcd   PORT STREAMS WRITES INTERVAL_US PID
//
// One thread and one epoll instance hold all streams and write, at a fixed pace, over a few connections that take
// turns, so that a slow commit does not slow the pace. A stream that is told of revision n has heard of every revision
// up to n. Prints one line: p50 and p99 of the time from sending a write to the last stream's hearing of it, and the
// most, in milliseconds; then the server's memory for a stream, in bytes.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum mode { LIVERY, REDIS, ETCD };
enum { WRITERS = 16, CARRY = 96, BUFFER = 256 * 1024 };

struct stream {
    int fd;
    bool is_ready;
    uint64_t heard;
    size_t carried;
    char carry[CARRY];
};

struct writer {
    int fd;
    long write;  // The write that is under way, or -1.
    size_t received;
    char answer[4096];
};

struct write {
    uint64_t sent, last, revision;
    int heard_by;
};

static enum mode mode;
static int port, stream_count, write_count;
static struct stream *streams;
static struct writer writers[WRITERS];
static struct write *writes;
static struct { uint64_t last; int count; } *heard;  // By revision, from `base` on.
static uint64_t base;
static size_t heard_count;
static int epoll;
static char buffer[BUFFER];

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "fanout: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int connected(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void watch(int fd, uint64_t tag) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = tag};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
}

static void send_all(int fd, const char *text, size_t count) {
    while (count > 0) {
        ssize_t sent = send(fd, text, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) continue;
        if (sent < 0) fail("send");
        text += sent;
        count -= sent;
    }
}

static void subscribe(struct stream *stream) {
    static const char livery[] = "GET /v1/default/events HTTP/1.1\r\nHost: bench\r\n\r\n";
    static const char redis[] = "SUBSCRIBE bench\r\n";
    static const char watch_body[] = "{\"create_request\":{\"key\":\"YmVuY2g=\"}}";
    stream->fd = connected();
    if (mode == LIVERY) send_all(stream->fd, livery, sizeof livery - 1);
    if (mode == REDIS) send_all(stream->fd, redis, sizeof redis - 1);
    if (mode == ETCD) {
        char request[256];
        int count = snprintf(request, sizeof request,
            "POST /v3/watch HTTP/1.1\r\nHost: bench\r\nContent-Length: %zu\r\n\r\n%s", sizeof watch_body - 1, watch_body);
        send_all(stream->fd, request, count);
    }
}

static void hear(struct stream *stream, uint64_t revision, uint64_t time) {
    if (revision <= stream->heard) return;
    uint64_t from = stream->heard + 1 > base ? stream->heard + 1 : base;
    stream->heard = revision;
    for (uint64_t each = from; each <= revision && each - base < heard_count; each++) {
        heard[each - base].count++;
        heard[each - base].last = time;
    }
}

// The number after the last separator of a line or member: an event's id, a message, a revision.
static uint64_t number_at(const char *text, const char *end) {
    uint64_t number = 0;
    while (text < end && *text >= '0' && *text <= '9') number = number * 10 + (*text++ - '0');
    return number;
}

static void scan(struct stream *stream, char *text, size_t count, uint64_t time) {
    char *end = text + count;
    static const char *ready[] = {"event: hello", "subscribe", "\"created\":true"};
    if (!stream->is_ready && memmem(text, count, ready[mode], strlen(ready[mode]))) stream->is_ready = true;
    const char *mark = mode == ETCD ? "\"mod_revision\":\"" : "\nid: ";
    size_t length = strlen(mark);
    for (char *at = text; (at = memmem(at, end - at, mark, length)) != NULL;) {
        at += length;
        char *stop = memchr(at, mode == ETCD ? '"' : '\n', end - at);
        if (!stop) break;
        char *colon = mode == ETCD ? NULL : memchr(at, ':', stop - at);
        uint64_t revision = number_at(colon ? colon + 1 : at, stop);
        if (stream->is_ready && writes) hear(stream, revision, time);
        at = stop;
    }
    stream->carried = count < CARRY ? count : CARRY;
    memmove(stream->carry, end - stream->carried, stream->carried);
}

static void receive(struct stream *stream) {
    memcpy(buffer, stream->carry, stream->carried);
    ssize_t count = recv(stream->fd, buffer + stream->carried, BUFFER - CARRY, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
        fprintf(stderr, "fanout: a stream was closed\n");
        exit(1);
    }
    scan(stream, buffer, stream->carried + count, now());
}

static void begin_write(struct writer *writer, long index) {
    char body[256], request[512];
    int count = 0;
    if (mode == LIVERY) {
        int length = snprintf(body, sizeof body, "{\"value\":\"%ld\"}", index);
        count = snprintf(request, sizeof request,
            "PUT /v1/default/entries/bench HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            "Content-Length: %d\r\n\r\n%s", length, body);
    } else if (mode == REDIS) {
        int length = snprintf(body, sizeof body, "\nid: 0:%ld\n", index + 1);
        count = snprintf(request, sizeof request, "*3\r\n$7\r\nPUBLISH\r\n$5\r\nbench\r\n$%d\r\n%s\r\n", length, body);
    } else {
        static const char value[] = "{\"key\":\"YmVuY2g=\",\"value\":\"MTIzNDU2Nzg=\"}";
        count = snprintf(request, sizeof request,
            "POST /v3/kv/put HTTP/1.1\r\nHost: bench\r\nContent-Length: %zu\r\n\r\n%s", sizeof value - 1, value);
    }
    writer->write = index;
    writer->received = 0;
    writes[index].sent = now();
    send_all(writer->fd, request, count);
}

// Takes the answer to a write, which tells the revision that it became.
static void finish_write(struct writer *writer) {
    ssize_t count = recv(writer->fd, writer->answer + writer->received, sizeof writer->answer - 1 - writer->received, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) fail("the answer to a write");
    writer->received += count;
    writer->answer[writer->received] = 0;
    if (writer->write < 0) return;
    if (mode == REDIS) {
        writes[writer->write].revision = writer->write + 1;
        writer->write = -1;
        return;
    }
    char *body = strstr(writer->answer, "\r\n\r\n");
    char *end = body ? strrchr(body, '}') : NULL;
    char *mark = end ? strstr(body, "\"revision\":") : NULL;
    if (!mark) return;
    mark += strlen("\"revision\":");
    if (*mark == '"') mark++;
    writes[writer->write].revision = number_at(mark, end);
    writer->write = -1;
}

static long resident_bytes(int pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *file = fopen(path, "r");
    long size = 0, resident = 0;
    if (!file || fscanf(file, "%ld %ld", &size, &resident) != 2) fail(path);
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static int by_value(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static struct writer *idle_writer(void) {
    for (int index = 0; index < WRITERS; index++)
        if (writers[index].write < 0) return &writers[index];
    return NULL;
}

static void wait_for_events(int timeout) {
    struct epoll_event events[512];
    int count = epoll_wait(epoll, events, 512, timeout);
    for (int index = 0; index < count; index++) {
        uint64_t tag = events[index].data.u64;
        if (tag >= 1u << 30) finish_write(&writers[tag - (1u << 30)]);
        else receive(&streams[tag]);
    }
}

static bool all_ready(void) {
    for (int index = 0; index < stream_count; index++)
        if (!streams[index].is_ready) return false;
    return true;
}

static bool all_heard(void) {
    for (int index = 0; index < write_count; index++) {
        uint64_t revision = writes[index].revision;
        if (revision == 0 || heard[revision - base].count < stream_count) return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr, "usage: fanout livery|redis|etcd PORT STREAMS WRITES INTERVAL_US PID\n");
        return 64;
    }
    mode = !strcmp(argv[1], "redis") ? REDIS : !strcmp(argv[1], "etcd") ? ETCD : LIVERY;
    port = atoi(argv[2]);
    stream_count = atoi(argv[3]);
    write_count = atoi(argv[4]);
    uint64_t interval = strtoull(argv[5], NULL, 10) * 1000;
    int pid = atoi(argv[6]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);

    epoll = epoll_create1(0);
    for (int index = 0; index < WRITERS; index++) {
        writers[index] = (struct writer){.fd = connected(), .write = -1};
        watch(writers[index].fd, (1u << 30) + index);
    }
    long before = resident_bytes(pid);
    streams = calloc(stream_count, sizeof *streams);
    for (int index = 0; index < stream_count; index++) {
        subscribe(&streams[index]);
        watch(streams[index].fd, index);
        if (index % 64 == 63) wait_for_events(0);
    }
    for (uint64_t deadline = now() + 60000000000; !all_ready() && now() < deadline;) wait_for_events(100);
    if (!all_ready()) {
        fprintf(stderr, "fanout: not every stream began\n");
        return 1;
    }
    long memory = (resident_bytes(pid) - before) / stream_count;

    struct write *all = calloc(write_count, sizeof *all);
    heard_count = (size_t)write_count * 2 + 16;
    heard = calloc(heard_count, sizeof *heard);
    // One write that does not count tells where the revisions are.
    writes = calloc(1, sizeof *writes);
    begin_write(&writers[0], 0);
    while (writers[0].write >= 0) wait_for_events(100);
    base = writes[0].revision + (mode == REDIS ? 0 : 1);
    if (mode == REDIS) base = 1;
    for (uint64_t quiet = now() + 500000000; now() < quiet;) wait_for_events(10);
    for (int index = 0; index < stream_count; index++) streams[index].heard = mode == REDIS ? 0 : base - 1;
    memset(heard, 0, heard_count * sizeof *heard);
    writes = all;

    uint64_t next = now();
    for (long index = 0; index < write_count;) {
        struct writer *writer = idle_writer();
        if (writer && now() >= next) {
            begin_write(writer, index++);
            next += interval;
            if (now() > next + 50 * interval) next = now();
        }
        wait_for_events(0);
    }
    for (uint64_t deadline = now() + 30000000000; !all_heard() && now() < deadline;) wait_for_events(100);
    if (!all_heard()) {
        fprintf(stderr, "fanout: not every stream heard of every write\n");
        return 1;
    }
    double *times = calloc(write_count, sizeof *times);
    for (int index = 0; index < write_count; index++)
        times[index] = (heard[writes[index].revision - base].last - writes[index].sent) / 1e6;
    qsort(times, write_count, sizeof *times, by_value);
    printf("%.2f %.2f %.2f %ld\n", times[write_count / 2], times[write_count * 99 / 100], times[write_count - 1], memory);
    return 0;
}
