// Shows the thread sanitizer the lock of `Synchronization.Mutex` on Linux. Linked only where LARDER_TSAN is set: see
// Package.swift.
//
// A mutex that is free is taken by an atomic exchange that is compiled into our code, and seen. One that is contended is
// handed over by the kernel (FUTEX_LOCK_PI), asked by two functions of the Swift library, which is not instrumented: the
// sanitizer does not see that one thread let go before another took it, and calls all that it guards a race. Here are
// these functions again, under the same names: they say so, and call the library's own.

#if defined(__linux__) && __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef SWIFT void (*Lock)(uint32_t, SELF void *);
typedef SWIFT bool (*TryLock)(SELF void *);
typedef SWIFT void (*Unlock)(SELF void *);

static Lock libraryLock;
static TryLock libraryTryLock;
static Unlock libraryUnlock;

__attribute__((constructor)) static void findLibrary(void) {
    libraryLock = (Lock)dlsym(RTLD_NEXT, LOCK);
    libraryTryLock = (TryLock)dlsym(RTLD_NEXT, TRY_LOCK);
    libraryUnlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lockSlow(uint32_t thread, SELF void *mutex) {
    libraryLock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool tryLockSlow(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT bool tryLockSlow(SELF void *mutex) {
    bool isTaken = libraryTryLock(mutex);
    if (isTaken) __tsan_acquire(mutex);
    return isTaken;
}

SWIFT void unlockSlow(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlockSlow(SELF void *mutex) {
    __tsan_release(mutex);
    libraryUnlock(mutex);
}

#endif
