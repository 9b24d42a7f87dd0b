/// What a cache does to the file system, one step a function, so that a test can end the world after any of them.
package protocol CacheDisk: Sendable {
    /// Makes a folder and those above it, for the user alone.
    func makeFolder(_ path: String) throws(CacheDiskError)
    /// The length of a file in bytes; `nil` if there is none.
    func length(of path: String) throws(CacheDiskError) -> Int?
    /// Reads a file from an offset to its end, or as many bytes; `nil` if there is none.
    func read(_ path: String, from offset: Int, atMost count: Int) throws(CacheDiskError) -> [UInt8]?
    /// Makes a file for the user alone, empty if it was there.
    func create(_ path: String) throws(CacheDiskError)
    /// Writes at the end of a file of this length; a failure leaves the file as it was if it can.
    func append(_ bytes: [UInt8], to path: String, at length: Int) throws(CacheDiskError)
    /// Returns once a file's content would survive a loss of power.
    func flush(_ path: String) throws(CacheDiskError)
    /// Returns once a folder's names would survive a loss of power.
    func flushFolder(_ path: String) throws(CacheDiskError)
    /// Gives a file another name, in place of the one that had it.
    func move(_ path: String, to other: String) throws(CacheDiskError)
    /// Does something while no other process does the same under this lock.
    func locked<Outcome>(
        _ path: String,
        _ body: () throws(CacheDiskError) -> Outcome
    ) throws(CacheDiskError) -> Outcome
}

/// A step that the file system refused.
package struct CacheDiskError: Error, Hashable, CustomStringConvertible {
    /// What was tried, such as `open`.
    package var step: String
    /// The system's words.
    package var reason: String

    package init(step: String, reason: String) {
        self.step = step
        self.reason = reason
    }

    package var description: String { "\(step): \(reason)" }
}
