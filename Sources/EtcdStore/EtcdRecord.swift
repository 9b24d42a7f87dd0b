// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import Foundation

    /// A JSON object, in a key of etcd or in a response, whose members are listed once, for writing and for reading.
    ///
    /// Unknown members are skipped.
    protocol EtcdRecord: EtcdField, Hashable {
        /// The members, in the order in which they are written.
        static var members: [EtcdMember<Self>] { get }

        init()

        /// Checks a record that was read.
        func check() throws(ConfigError)
    }

    extension EtcdRecord {
        /// The record as a separate JSON text.
        var json: [UInt8] { JSONWriter.object(writeMembers) }

        /// Reads a text that is one record.
        init(json: [UInt8]) throws(ConfigError) {
            var scanner = try JSONScanner(json)
            scanner.limits = .stored
            try self.init(&scanner)
        }

        func write(to json: inout JSONWriter) { json.object(writeMembers) }

        private func writeMembers(to json: inout JSONWriter) {
            for member in Self.members { member.write(self, &json) }
        }

        init(_ scanner: inout JSONScanner) throws(ConfigError) {
            var record = Self()
            var hasVersion = !Self.members.contains(where: \.isVersion)
            try scanner.object { (name, scanner) throws(ConfigError) in
                guard let member = Self.members.first(where: { $0.name == name }) else {
                    return try scanner.skipValue()
                }
                if member.isVersion { hasVersion = true }
                do throws(ConfigError) {
                    try member.read(&record, &scanner)
                } catch {
                    guard error.code == .damaged else { throw error }
                    throw ConfigError(.damaged, "'\(member.name)': \(error.message)")
                }
            }
            guard hasVersion else { throw ConfigError(.syntax, "the member 'version' is missing") }
            try record.check()
            self = record
        }

        func check() throws(ConfigError) {}
    }

    /// A member of a record.
    struct EtcdMember<Record: Sendable>: Sendable {
        typealias Path<Value> = any WritableKeyPath<Record, Value> & Sendable

        let name: String
        /// Whether a record without it is rejected.
        fileprivate var isVersion = false
        fileprivate let write: @Sendable (Record, inout JSONWriter) -> Void
        fileprivate let read: @Sendable (inout Record, inout JSONScanner) throws(ConfigError) -> Void

        /// A member that is always there.
        static func member<Value: EtcdField>(_ name: String, _ path: Path<Value>) -> EtcdMember {
            EtcdMember(name: name) { record, json in
                json.member(name) { record[keyPath: path].write(to: &$0) }
            } read: { (record, scanner) throws(ConfigError) in
                record[keyPath: path] = try Value(&scanner)
            }
        }

        /// A member that is left out where it is `nil`.
        static func optional<Value: EtcdField>(_ name: String, _ path: Path<Value?>) -> EtcdMember {
            EtcdMember(name: name) { record, json in
                if let value = record[keyPath: path] { json.member(name) { value.write(to: &$0) } }
            } read: { (record, scanner) throws(ConfigError) in
                record[keyPath: path] = try Value(&scanner)
            }
        }

        /// A number of 64 bits, as a string.
        static func quoted<Number: FixedWidthInteger & Sendable>(_ name: String, _ path: Path<Number>) -> EtcdMember {
            EtcdMember(name: name) { record, json in
                json.quoted(name, record[keyPath: path])
            } read: { (record, scanner) throws(ConfigError) in
                guard let number = Number(try scanner.text()) else { throw scanner.unexpected("a number in quotes") }
                record[keyPath: path] = number
            }
        }

        /// Bytes, as a string in base64.
        static func base64(_ name: String, _ path: Path<[UInt8]>) -> EtcdMember {
            EtcdMember(name: name) { record, json in
                json.base64(name, record[keyPath: path])
            } read: { (record, scanner) throws(ConfigError) in
                guard let data = Data(base64Encoded: try scanner.text()) else {
                    throw scanner.unexpected("bytes in base64")
                }
                record[keyPath: path] = [UInt8](data)
            }
        }

        /// The version of the format, which each such record has. Records of another version are left alone.
        static func version(_ version: UInt64) -> EtcdMember {
            EtcdMember(name: "version", isVersion: true) { _, json in
                json.member("version") { $0.number(version) }
            } read: { (_, scanner) throws(ConfigError) in
                guard try UInt64(&scanner) != version else { return }
                let message = "the store was written by another version of livery-server; install that version"
                throw ConfigError(.unsupportedValue, message, underlying: EtcdOtherVersion())
            }
        }
    }

    /// Another version of this program wrote the record.
    struct EtcdOtherVersion: Error {}

    /// A type that can be a member of a record.
    protocol EtcdField: Sendable {
        func write(to json: inout JSONWriter)
        init(_ scanner: inout JSONScanner) throws(ConfigError)
    }

    /// Numbers are at most 2^53: up to it every reader of JSON represents them exactly, and sums of some do not overflow.
    extension EtcdField where Self: BinaryInteger {
        func write(to json: inout JSONWriter) { json.number(self) }

        init(_ scanner: inout JSONScanner) throws(ConfigError) {
            // A number that the scanner rejects, such as one with more digits, is damage as well.
            guard case .integer(let number)? = try? scanner.value(),
                (0...1 << 53).contains(number)
            else { throw scanner.error(.damaged, "not a number from 0 to 2^53") }
            self.init(number)
        }
    }

    extension Int: EtcdField {}
    extension Int64: EtcdField {}
    extension UInt64: EtcdField {}

    extension Bool: EtcdField {
        func write(to json: inout JSONWriter) { json.boolean(self) }
        init(_ scanner: inout JSONScanner) throws(ConfigError) { self = try scanner.value() == .boolean(true) }
    }

    extension String: EtcdField {
        func write(to json: inout JSONWriter) { json.string(self) }
        init(_ scanner: inout JSONScanner) throws(ConfigError) { self = try scanner.text() }
    }

    extension Array: EtcdField where Element: EtcdField {
        func write(to json: inout JSONWriter) {
            json.array { array in
                for element in self { element.write(to: &array) }
            }
        }

        init(_ scanner: inout JSONScanner) throws(ConfigError) {
            var elements: [Element] = []
            try scanner.array { (scanner) throws(ConfigError) in elements.append(try Element(&scanner)) }
            self = elements
        }
    }

    extension Timestamp: EtcdField {
        func write(to json: inout JSONWriter) { json.number(milliseconds) }
        init(_ scanner: inout JSONScanner) throws(ConfigError) {
            self.init(milliseconds: try Int64(&scanner))
            guard Self.years.contains(self) else { throw scanner.error(.damaged, "a time after the year 9999") }
        }
    }

    extension Epoch: EtcdField {
        func write(to json: inout JSONWriter) { json.string(description) }
        init(_ scanner: inout JSONScanner) throws(ConfigError) { self = try scanner.parsed("epoch") }
    }

    extension ConfigDigest: EtcdField {
        func write(to json: inout JSONWriter) { json.string(description) }
        init(_ scanner: inout JSONScanner) throws(ConfigError) { self = try scanner.parsed("digest") }
    }

    extension EntryValue: EtcdField {
        func write(to json: inout JSONWriter) { json.value(self) }
        init(_ scanner: inout JSONScanner) throws(ConfigError) { self = try scanner.value() }
    }
#endif
