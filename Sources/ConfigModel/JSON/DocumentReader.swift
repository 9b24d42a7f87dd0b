// SPDX-License-Identifier: Apache-2.0

/// Reads the object that a document is, and the objects in it.
struct DocumentReader {
    /// The part of the document that has been read.
    private(set) var document = ConfigDocument()
    /// The keys that cannot be stored, by their bytes: they may be any texts.
    private(set) var leftOut: [[UInt8]: LeftOutKey] = [:]
    /// The bytes of the key that is read, or of the keys that lead to the object that is read, with a dot after each.
    private var path: [UInt8] = []
    /// The length of the path to each entry's object.
    private var pathLengths: [UInt8] = []
    /// Whether an object is a value, and not a branch of the keys.
    private(set) var isExact = false
    /// The members of a plain document that are branches.
    private(set) var branches: [ExactString: TextLocation] = [:]
    /// The place after the opening brace of the document, and then, at a distance, places at which its members begin.
    private(set) var places: [JSONScanner.Place] = []
    private let distance: Int

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - scanner: at the start of the document.
    ///   - mayBeExact: whether the document may say that it is exact.
    ///   - distance: The minimum distance between two ``places``, in bytes.
    init(
        _ scanner: consuming JSONScanner,
        mayBeExact: Bool,
        distance: Int = DividedText.distance
    ) throws(ConfigError) {
        self.distance = distance
        scanner.skipWhitespace()
        guard scanner.current != nil else {
            throw scanner.error(.syntax, "the document is empty; write at least {}")
        }
        isExact = mayBeExact ? try ExactForm.marks(scanner) : false
        if isExact { try readExactForm(&scanner) } else { try readObject(&scanner) }
        try scanner.expectEnd()
    }

    /// Reads members of a plain document, from the start of one to that of another, or to the end of the document.
    ///
    /// - Parameter end: The place of the other member; `nil` for the end of the document.
    /// - Returns: `nil` if no member starts there.
    init?(members scanner: inout JSONScanner, before end: Int?, distance: Int) throws(ConfigError) {
        self.distance = distance
        places = [scanner.place]
        var object = OpenObject(pathLength: 0, firstEntry: 0, firstLeftOut: 0)
        while scanner.offset < end ?? .max {
            try readMember(of: &object, &scanner)
            path.removeAll(keepingCapacity: true)
            guard scanner.skip(",") else {
                if end != nil { return nil }
                try scanner.expect("}", "")
                try scanner.expectEnd()
                break
            }
            scanner.skipWhitespace()
        }
        if let end, scanner.offset != end { return nil }
        branches = object.branches
    }

    private mutating func readExactForm(_ scanner: inout JSONScanner) throws(ConfigError) {
        document.kinds = []
        try scanner.object { (name, scanner) throws(ConfigError) in
            let kind = EntryKind.allCases.first { name.hasSameScalars(as: $0.listName) }
            switch kind {
            case .value:
                document.kinds.insert(.value)
                try readObject(&scanner)
            case .schema where scanner.current == UInt8(ascii: "{"):
                document.schemas = try named(.schema, &scanner).mapValues(\.value)
            case .rule where scanner.current == UInt8(ascii: "{"):
                document.rules = try named(.rule, &scanner)
            case .schema, .rule: try leaveOut("member \(name)", scanner.unexpected("an object of \(name)"), &scanner)
            case nil where name == ExactForm.version || ExactForm.reviewMembers.contains(name):
                try scanner.skipValue()
            // Members of newer versions do not prevent reading the values.
            case nil: try leaveOut("member \(name)", scanner.unknownMember(name, known: ExactForm.members), &scanner)
            }
        }
    }

    /// Reads schemas or rules. One that cannot be stored is left out, as a key is, so that the values remain usable.
    private mutating func named(
        _ kind: EntryKind,
        _ scanner: inout JSONScanner
    ) throws(ConfigError) -> [String: ConfigDocument.Entry] {
        document.kinds.insert(kind)
        var found: [String: ConfigDocument.Entry] = [:]
        try scanner.object { (name, scanner) throws(ConfigError) in
            let start = scanner.position
            do throws(ConfigError) {
                try scanner.check(name, kind)
                let location = scanner.location
                let value = try scanner.reading(kind) { (scanner) throws(ConfigError) in try scanner.value(named: name)
                }
                found[name] = ConfigDocument.Entry(value: value, location: location)
            } catch {
                guard error.isOfOneValue || error.code == .invalidKey else { throw error }
                scanner.position = start
                try leaveOut("\(kind.rawValue) \(name)", error, &scanner)
            }
        }
        return found
    }

    /// Skips a member that is not a valid value of a key.
    ///
    /// - Parameter name: the name of the member with a space, so that it is not confused with a key.
    private mutating func leaveOut(
        _ name: String,
        _ problem: ConfigError,
        _ scanner: inout JSONScanner
    ) throws(ConfigError) {
        try leaveOut(Array(name.utf8), in: nil, at: scanner.location, problem, &scanner)
    }

    // The depth of the recursion is bounded: each level uses two of the 128 characters of a key.
    private mutating func readObject(_ scanner: inout JSONScanner) throws(ConfigError) {
        try scanner.expect("{", "to open an object")
        if path.isEmpty { places = [scanner.place] }
        if scanner.skip("}") { return }
        var object = OpenObject(pathLength: path.count, firstEntry: document.entries.count, firstLeftOut: leftOut.count)
        repeat {
            try readMember(of: &object, &scanner)
            path.removeLast(path.count - object.pathLength)
        } while scanner.skip(",")
        try scanner.expect("}", "or ',' after a value")
        if path.isEmpty { branches = object.branches }
    }

    private mutating func readMember(
        of object: inout OpenObject,
        _ scanner: inout JSONScanner
    ) throws(ConfigError) {
        scanner.skipWhitespace()
        guard scanner.current == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in quotes") }
        let keyLocation = scanner.location
        if path.isEmpty, let last = places.last, scanner.offset >= last.offset + distance {
            places.append(scanner.place)
        }
        try scanner.string(appendingTo: &path)
        let key = String(decoding: path, as: UTF8.self)
        try scanner.expect(":", "after the key")
        scanner.skipWhitespace()
        let location = scanner.location
        let isBranch = scanner.current == UInt8(ascii: "{") && !isExact
        let place = document.entries.place(of: key)
        let branch = isBranch ? object : nil
        if let first = object.branches[ExactString(key)] ?? leftOutBefore(as: branch)
            ?? duplicate(at: place.index, of: branch)
        {
            let message = "duplicate key, first defined at \(first); remove one"
            throw ConfigError(.duplicateKey, message, location: keyLocation, key: key.shownAsKey)
        }
        if let problem = KeyRule.problem(in: path.span) {
            return try leaveOut(path, in: object, at: keyLocation, .invalidKey(key, problem, at: keyLocation), &scanner)
        }
        if isBranch {
            object.branches[ExactString(key)] = location
            path.append(UInt8(ascii: "."))
            return try readObject(&scanner)
        }
        let start = scanner.position
        do throws(ConfigError) {
            let value = try scanner.value(named: key)
            document.entries.append(ConfigDocument.Entry(value: value, location: location), forKey: key, at: place)
            pathLengths.append(UInt8(object.pathLength))
        } catch {
            guard error.isOfOneValue else { throw error }
            scanner.position = start
            try leaveOut(path, in: object, at: keyLocation, error, &scanner)
        }
    }

    /// Skips the value of a key that cannot be stored.
    ///
    /// - Parameter object: the object that contains the value; `nil` for other members than values.
    private mutating func leaveOut(
        _ key: [UInt8],
        in object: OpenObject?,
        at location: TextLocation,
        _ problem: ConfigError,
        _ scanner: inout JSONScanner
    ) throws(ConfigError) {
        try scanner.skipValue()
        leftOut[key] = LeftOutKey(location: location, number: leftOut.count, pathLength: object?.pathLength ?? 0)
        if document.problems.count < ConfigDocument.maximumProblems { document.problems.append(problem) }
    }

    /// The position of an earlier definition of a key.
    ///
    /// Two members with the same name are duplicates even if one is an object, so that their keys differ: other readers would
    /// drop the first. Separate objects that lead to the same keys are not.
    ///
    /// - Parameter object: the object that contains the value itself if the second definition is a branch.
    private func duplicate(at index: Int?, of object: OpenObject?) -> TextLocation? {
        guard let index else { return nil }
        // The objects in this one have longer paths.
        if let object, index < object.firstEntry || Int(pathLengths[index]) != object.pathLength { return nil }
        return document.entries.values[index].location
    }

    /// The same for a key that was left out.
    private func leftOutBefore(as object: OpenObject?) -> TextLocation? {
        guard let key = leftOut[path] else { return nil }
        if let object, key.number < object.firstLeftOut || key.pathLength != object.pathLength { return nil }
        return key.location
    }
}

/// A key that cannot be stored.
struct LeftOutKey {
    let location: TextLocation
    /// The number of keys left out before it.
    fileprivate let number: Int
    /// The length of the path to its object.
    fileprivate let pathLength: Int
}

/// An object whose end has not been read.
private struct OpenObject {
    /// The length of the path that leads to its members.
    let pathLength: Int
    /// The number of entries before it.
    let firstEntry: Int
    /// The number of keys left out before it.
    let firstLeftOut: Int
    /// The members so far that are branches.
    var branches: [ExactString: TextLocation] = [:]
}

extension ConfigError {
    /// Whether the rest of a document is valid: the error is a value that is valid JSON but cannot be stored.
    fileprivate var isOfOneValue: Bool { code == .unsupportedValue || code == .tooLarge }
}
