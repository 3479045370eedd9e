#include "baseline.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

uint64_t baseline_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t baseline_run_program(const char *path, const char *argument) {
    char *arguments[] = {(char *)path, (char *)argument, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int status = 0;
    uint64_t start = baseline_now();
    int failure = posix_spawn(&child, path, &actions, NULL, arguments, environ);
    if (failure || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "larder-bench: %s failed: %s\n", path, failure ? strerror(failure) : "see above");
        exit(1);
    }
    uint64_t elapsed = baseline_now() - start;
    posix_spawn_file_actions_destroy(&actions);
    return elapsed;
}

// On Linux from /proc/self/status, where the peak can be forgotten (proc(5), clear_refs).

uint64_t baseline_peak_memory(void) {
#ifdef __linux__
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %lu kB", &kilobytes) == 1) break;
    if (file) fclose(file);
    return (uint64_t)kilobytes * 1024;
#else
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss;
#endif
}

void baseline_forget_peak(void) {
#ifdef __linux__
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file) return;
    fputs("5", file);
    fclose(file);
#endif
}
