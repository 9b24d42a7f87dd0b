// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A system call that failed: which one, on what, and why.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The name of the call, such as `posix_spawn`.
    package let call: String
    /// The subject of the call (mostly a path); empty if the call needs none.
    package let subject: String
    /// The value of `errno`.
    package let code: Int32

    package init(call: String, subject: String = "", code: Int32 = errno) {
        (self.call, self.subject, self.code) = (call, subject, code)
    }

    package var description: String {
        let reason = String(cString: strerror(code))
        return subject.isEmpty ? "\(call): \(reason)" : "\(call)(\(subject)): \(reason)"
    }
}

/// Makes a system call that answers −1 on failure, again if a signal interrupted it.
@discardableResult
func checked<Result: SignedInteger>(
    _ call: String,
    on subject: String = "",
    _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemError(call: call, subject: subject, code: code) }
    }
}
