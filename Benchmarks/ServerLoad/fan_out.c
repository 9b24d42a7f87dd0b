// SPDX-License-Identifier: Apache-2.0

#include "ServerLoad.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// A stream: the last write received, and the bytes that may be the start of a value.
struct stream {
    int connection;
    long last;
    size_t kept;
    char rest[32];
};

// A write: when it was sent, and how many streams have received it or a later one.
struct write {
    _Atomic uint64_t sent;
    long arrivals;
    uint64_t last_arrival;
};

struct run {
    const struct protocol *protocol;
    int port;
    int write_port;
    long streams;
    long writes;
    struct write *log;
    _Atomic int is_written;
    uint64_t duration;
};

// The writes that are not counted: the first ones find cold caches.
enum { WARM_UP = 20 };

// How long to leave the streams alone after a look at them, in nanoseconds, if there are many. Woken up for each single
// stream, the client would take more of the processors than the server that it measures.
enum { PAUSE = 200000 };

static void *write_all(void *argument) {
    struct run *run = argument;
    int connection = dial(run->write_port);
    if (connection == -1) {
        fail("connect");
    }
    if (run->protocol->prepare != NULL) {
        run->protocol->prepare(connection);
    }
    uint64_t begin = now();
    for (long index = 0; index < run->writes; index++) {
        char value[MARK_LENGTH + 1];
        snprintf(value, sizeof value, MARK "%09ld", index % 1000000000);
        atomic_store(&run->log[index].sent, now());
        run->protocol->write(connection, value);
        wait_until(now() + 1000000);
    }
    run->duration = now() - begin;
    close(connection);
    atomic_store(&run->is_written, 1);
    return NULL;
}

static void open_streams(struct run *run, struct stream *streams, int events) {
    for (long index = 0; index < run->streams; index++) {
        struct stream *stream = &streams[index];
        *stream = (struct stream){.connection = dial(run->port), .last = -1};
        if (stream->connection == -1) {
            fail("connect");
        }
        run->protocol->watch(stream->connection);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
        if (epoll_ctl(events, EPOLL_CTL_ADD, stream->connection, &event) == -1) {
            fail("epoll_ctl");
        }
    }
}

// The newest write in the bytes that have come, or -1.
static long newest(const struct protocol *protocol, const char *bytes, size_t count) {
    long number = -1;
    size_t mark = strlen(protocol->mark);
    while (count >= protocol->length) {
        const char *found = memmem(bytes, count, protocol->mark, mark);
        if (found == NULL || (size_t)(bytes + count - found) < protocol->length) {
            break;
        }
        long decoded = protocol->decode(found);
        number = decoded > number ? decoded : number;
        count -= (size_t)(found - bytes) + protocol->length;
        bytes = found + protocol->length;
    }
    return number;
}

// Reads what a stream has, and returns how many writes have now reached all streams.
static long read_stream(struct run *run, struct stream *stream) {
    static char buffer[32 + 65536 + 1];
    memcpy(buffer, stream->rest, stream->kept);
    size_t count = stream->kept + receive(stream->connection, buffer + stream->kept, 65536);
    buffer[count] = '\0';
    uint64_t arrival = now();
    long number = newest(run->protocol, buffer, count);
    size_t kept = run->protocol->length - 1;
    stream->kept = count < kept ? count : kept;
    memcpy(stream->rest, buffer + count - stream->kept, stream->kept);

    long complete = 0;
    if (number >= run->writes) {
        return 0;
    }
    // A later write implies the earlier ones.
    while (stream->last < number) {
        struct write *write = &run->log[++stream->last];
        write->last_arrival = arrival;
        complete += ++write->arrivals == run->streams;
    }
    return complete;
}

static long read_all(struct run *run, int events) {
    struct epoll_event ready[1024];
    long complete = 0;
    uint64_t patience = 0;
    while (complete < run->writes) {
        int count = epoll_wait(events, ready, 1024, 100);
        if (count == -1 && errno != EINTR) {
            fail("epoll_wait");
        }
        for (int index = 0; index < count; index++) {
            complete += read_stream(run, ready[index].data.ptr);
        }
        if (run->streams > 1) {
            wait_until(now() + PAUSE);
        }
        if (atomic_load(&run->is_written)) {
            patience = patience == 0 ? now() + 20000000000 : patience;
            if (now() > patience) {
                break;
            }
        }
    }
    return complete;
}

// The resident memory of a process in bytes.
static double memory(long process) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%ld/status", process);
    FILE *file = fopen(path, "r");
    double kibibytes = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "VmRSS: %lf", &kibibytes);
    }
    if (file == NULL || kibibytes == 0) {
        fail("the server's memory");
    }
    fclose(file);
    return kibibytes * 1024;
}

static double own_processor_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void allow_many_files(long streams) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        if (limit.rlim_cur < (rlim_t)streams + 16) {
            errno = 0;
            fail("so many streams need a higher limit of open files: ulimit -Hn");
        }
    }
}

static void report(const struct run *run, double opened, double before, double after, double used) {
    for (long index = WARM_UP; index < run->writes; index++) {
        const struct write *write = &run->log[index];
        if (write->arrivals == run->streams) {
            printf("delay %.1f\n", (double)(write->last_arrival - write->sent) / 1000);
        }
    }
    printf("duration %.1f\n", (double)run->duration / 1000);
    printf("client %.1f\n", used);
    printf("opened %.1f\n", (opened - before) / (double)run->streams);
    printf("memory %.1f\n", (after - before) / (double)run->streams);
}

int fan_out(char **arguments, const char *write_port) {
    struct run run = {
        .protocol = protocol_named(arguments[0]),
        .port = (int)number(arguments[1], "PORT"),
        .write_port = (int)number(write_port, "WRITE-PORT"),
        .streams = number(arguments[3], "STREAMS"),
        .writes = WARM_UP + number(arguments[4], "WRITES"),
    };
    long process = number(arguments[2], "PROCESS");
    errno = 0;
    if (run.protocol == NULL) {
        fail("there is no such protocol");
    }
    allow_many_files(run.streams);
    struct stream *streams = calloc((size_t)run.streams, sizeof *streams);
    run.log = calloc((size_t)run.writes, sizeof *run.log);
    int events = epoll_create1(EPOLL_CLOEXEC);
    if (streams == NULL || run.log == NULL || events == -1) {
        fail("memory");
    }
    double before = memory(process);
    open_streams(&run, streams, events);
    double opened = memory(process);

    // Waits are exact, and not up to 50 µs longer.
    prctl(PR_SET_TIMERSLACK, 1);
    double used = own_processor_time();
    pthread_t writer;
    if (pthread_create(&writer, NULL, write_all, &run) != 0) {
        fail("pthread_create");
    }
    long complete = read_all(&run, events);
    pthread_join(writer, NULL);
    used = own_processor_time() - used;
    if (complete < run.writes) {
        errno = 0;
        fprintf(stderr, "only %ld of %ld writes reached all streams\n", complete, run.writes);
        fail("writes are missing");
    }
    report(&run, opened, before, memory(process), used);
    return 0;
}

#else

int fan_out(char **arguments, const char *write_port) {
    (void)arguments;
    (void)write_port;
    errno = 0;
    fail("fan-out needs epoll, which only Linux has");
}

#endif
