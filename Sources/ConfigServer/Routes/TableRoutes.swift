// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import NIOHTTP1

/// The legacy protocol, a table of texts, on the standard namespace: its clients keep working.
extension ServerServices {
    func table(_ context: RouteContext) async throws -> Reply {
        let state = try state(of: context.namespace)
        return .json(try await workers.encoded(state, for: context.caller) { state.rowsJSON })
    }

    func tableChanges(_ context: RouteContext) async throws -> Reply {
        let segment = context.parameters["timestamp"] ?? ""
        guard let moment = segment.percentDecoded().flatMap(Timestamp.init(offset:)) else {
            let detail = "invalid time; expected a time such as 2020-10-17T18:43:19.000Z"
            throw Problem(.badRequest, "invalid-timestamp", detail, field: "timestamp")
        }
        // Such a client needs all rows.
        if hub.isUnknown(moment) { return try await table(context) }
        let state = try state(of: context.namespace)
        return try await single(0) { lease in
            let (rows, bytes) = try await workers.encoded(state, for: context.caller) {
                let rows = state.rows(changedAfter: moment)
                return (rows, rows.reduce(0) { $0 + 160 + $1.key.utf8.count + $1.value.value.canonicalByteCount })
            }
            try lease.grow(to: bytes)
            return .json(try await workers.encoded(state, for: context.caller) { NamespaceState.rowsJSON(rows) })
        }
    }

    func insertRow(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let type = request.head.headers.joined("content-type").flatMap(MediaTypeName.init(field:))
        let row = try await workers.parsed(request.body, for: context.caller) { bytes in
            type == .form ? try RowRequest(form: bytes) : try RowRequest(json: bytes)
        }
        let (key, value) = try row.checked()
        let conditions = [Publish.Condition.absent(key: key)]
        let (outcome, state) = try await publish("insert", .edit([key: value]), conditions: conditions, for: context)
        guard let entry = outcome.commit?.changes[key] ?? nil else {
            let detail = "the key already exists; change it with PUT /v1/default/entries/\(key)"
            throw Problem(.conflict, "duplicate-key", detail, key: key)
        }
        return .json(InsertedRow.json(id: entry.id, key: key, value: entry.value)).naming(outcome.cursor(after: state))
    }
}

extension RowRequest {
    fileprivate init(form bytes: [UInt8]) throws(Problem) {
        self.init()
        // A third pair is one too many already.
        let form = FormPairs(bytes, atMost: 3)
        for pair in form.pairs {
            guard let name = pair.name else {
                throw Problem(.badRequest, "invalid-parameter", "the form is not valid UTF-8")
            }
            if ["key", "value"].contains(name) { continue }
            let detail = "unknown field '\(name.excerpt(ofScalars: 64))'; expected 'key' and 'value'"
            throw Problem(.badRequest, "unknown-member", detail)
        }
        key = try form.value(of: "key")
        value = try form.value(of: "value").map { .string($0) }
        if let value, value.canonicalJSON.utf8.count > EntryValue.maximumBytes {
            let detail = "the value is larger than \(EntryValue.maximumBytes) bytes"
            throw Problem(.payloadTooLarge, "too-large", detail, field: "value")
        }
    }

    fileprivate func checked() throws(Problem) -> (key: String, value: EntryValue) {
        guard let key else { throw Problem(.badRequest, "missing-member", "'key' is missing", field: "key") }
        guard let value else { throw Problem(.badRequest, "missing-member", "'value' is missing", field: "value") }
        return (try Problem.validName(key, .value), value)
    }
}

extension Timestamp {
    /// Parses a moment in UTC, or with an offset such as `+02:00` and `+0200`; digits below milliseconds are dropped.
    init?(offset text: String) {
        let precise = text.replacing(#/(\.[0-9]{3})[0-9]+/#) { $0.output.1 }
        self.init(rfc3339: precise.replacing(#/([-+][0-9]{2})([0-9]{2})$/#) { "\($0.output.1):\($0.output.2)" })
    }
}
