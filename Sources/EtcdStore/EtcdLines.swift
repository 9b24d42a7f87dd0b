#if Etcd
    /// The lines of a stream, cut where it has cut them and nowhere else.
    struct EtcdLines {
        private var rest: [UInt8] = []

        /// Takes in a piece of the stream.
        ///
        /// - Returns: the lines that are whole now, without those that are empty.
        mutating func append(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
            var parts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let last = parts.removeLast()
            var lines: [[UInt8]] = []
            for part in parts {
                lines.append(rest + part)
                rest = []
            }
            rest += last
            return lines.filter { !$0.isEmpty }
        }
    }
#endif
