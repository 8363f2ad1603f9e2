/* A disk of which only what was synced survives: for LD_PRELOAD, by tests/test_power_loss.py.
 *
 * Each fsync and fdatasync of a file in the folder SYNCED_FROM copies that file, whole, to the folder SYNCED_TO. As long
 * as there is a file SYNC_FAILS, each of them fails as on a disk that is broken. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int keep(int file) {
    static __thread char content[1 << 16];
    const char *from = getenv("SYNCED_FROM"), *to = getenv("SYNCED_TO");
    char link[64], path[2048], part[4096], whole[4096];
    struct stat about;
    const char *broken = getenv("SYNC_FAILS");
    if (broken && !access(broken, F_OK)) {
        errno = EIO;
        return -1;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || !from || !to || fstat(file, &about) || !S_ISREG(about.st_mode)) return 0;
    path[length] = 0;
    if (strncmp(path, from, strlen(from)) || path[strlen(from)] != '/') return 0;
    snprintf(whole, sizeof whole, "%s%s", to, strrchr(path, '/'));
    snprintf(part, sizeof part, "%s.%d", whole, gettid());
    int copy = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (copy < 0) abort();
    /* Read through the file that is open: to open and close it again would let go of the process's locks on it. */
    for (off_t at = 0; (length = pread(file, content, sizeof content, at)) > 0; at += length)
        if (write(copy, content, length) != length) abort();
    if (length < 0 || close(copy) || rename(part, whole)) abort();
    return 0;
}

int fsync(int file) { return keep(file); }
int fdatasync(int file) { return keep(file); }
