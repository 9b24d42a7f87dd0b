// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Settings of threads and signals that systems have in different ways.
package enum ProcessThreads {
    /// Lets other threads of the process go before the calling one.
    package static func lowerPriority() {
        #if canImport(Glibc)
            // PRIO_PROCESS is 0. On Linux this is for the calling thread alone.
            setpriority(0, 0, 10)
        #else
            pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// Leaves a signal to a dispatch source.
    package static func deliverToDispatchSource(signal number: Int32) {
        #if !canImport(Glibc)
            // On Linux the source replaces the handler.
            signal(number, SIG_IGN)
        #endif
    }
}
