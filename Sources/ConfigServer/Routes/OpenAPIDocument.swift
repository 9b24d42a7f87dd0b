// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The description of the server's interface, OpenAPI 3.1.
package enum OpenAPIDocument {
    /// As JSON.
    package static let json: [UInt8] = {
        var json = JSONWriter()
        json.object { root in
            root.member("openapi") { $0.string("3.1.0") }
            root.member("info") { member in
                member.object { info in
                    info.member("title") { $0.string("Livery") }
                    info.member("version") { $0.string(SemanticVersion.livery.description) }
                    info.member("description") { $0.string(about) }
                }
            }
            root.member("paths") { member in
                member.object { paths in
                    for path in Set(Route.all.map(\.path)).sorted() { writePath(path, to: &paths) }
                }
            }
            root.member("components") { $0.raw(OpenAPISchemas.components) }
        }
        return json.bytes
    }()

    private static let about = """
        Live remote configuration. Where the server has tokens, a request sends one as `Authorization: Bearer`. Its role \
        is `read` (configurations, history, streams), `write` (change keys as well) or `admin` (roll a whole namespace \
        back as well), in the namespaces that it names. A write beyond a quota is answered 507. Answers about a whole \
        namespace have the field `livery-max-size`, the most bytes that its snapshot may have.
        """

    private static func writePath(_ path: String, to json: inout JSONWriter) {
        json.member(path) { member in
            member.object { methods in
                for route in Route.all where route.path == path {
                    methods.member(route.verb.lowercased()) { route.writeOperation(to: &$0) }
                }
            }
        }
    }
}

extension Route {
    fileprivate func writeOperation(to json: inout JSONWriter) {
        let names = pathParameters + parameters.map(\.rawValue) + (access == .open ? [] : ["seen"])
        json.object { operation in
            operation.member("summary") { $0.string(summary) }
            operation.member("description") { $0.string(accessText) }
            operation.member("operationId") { $0.string(identifier) }
            if !names.isEmpty {
                operation.member("parameters", each: names) { $1.raw(Self.reference("parameters", $0)) }
            }
            if body != nil { operation.member("requestBody") { $0.raw(requestBody) } }
            operation.member("responses") { $0.object(writeAnswers) }
            operation.member("security") { $0.raw(access == .open ? "[]" : #"[{},{"token":[]}]"#) }
        }
    }

    private static func reference(_ kind: String, _ name: String) -> String {
        ##"{"$ref":"#/components/\##(kind)/\##(name)"}"##
    }

    private static func content(_ type: String, _ schema: String) -> String {
        #""\#(type)":{"schema":\#(reference("schemas", schema))}"#
    }

    private var accessText: String {
        switch access {
        case .open: "Needs no token."
        case .anyToken: "Needs a token, whatever its role, where the server has tokens."
        case .namespace(let role):
            "Needs a token for the namespace with the role \(role.rawValue)"
                + (role == .admin ? "" : " or a higher one") + ", where the server has tokens."
        }
    }

    private var identifier: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return verb.lowercased() + (words.isEmpty ? "Root" : words.joined())
    }

    private var requestBody: String {
        let contents = [(MediaTypeName.json, body), (.form, form)].compactMap { type, schema in
            schema.map { Self.content(type.rawValue, $0) }
        }
        return #"{"required":\#(!mayOmitBody),"content":{\#(contents.joined(separator: ","))}}"#
    }

    private func writeAnswers(to responses: inout JSONWriter) {
        for (status, schema) in answers {
            let content = schema.map { #","content":{\#(Self.content(mediaType, $0))}"# } ?? ""
            responses.member(String(status)) { $0.raw(#"{"description":"Done."\#(content)}"#) }
        }
        for status in allProblems {
            let name = [400, 404].contains(status) ? failure : "Problem"
            responses.member(String(status)) { $0.raw(Self.reference("responses", name)) }
        }
    }
}

/// The parts of the description that operations refer to.
enum OpenAPISchemas {
    /// As JSON: parameters, answers, schemas and the way to authenticate.
    static let components = #"{"parameters":\#(parameters),"responses":\#(responses),"schemas":\#(schemas),"# + security

    private static let security = #""securitySchemes":{"token":{"type":"http","scheme":"bearer"}}}"#

    private static let parameters = ##"""
        {"ns":{"name":"ns","in":"path","required":true,"schema":{"$ref":"#/components/schemas/Namespace"}},
        "key":{"name":"key","in":"path","required":true,"schema":{"$ref":"#/components/schemas/Key"}},
        "name":{"name":"name","in":"path","required":true,"schema":{"$ref":"#/components/schemas/SchemaName"}},
        "rule":{"name":"rule","in":"path","required":true,"schema":{"$ref":"#/components/schemas/RuleName"}},
        "historyRule":{"name":"rule","in":"query","schema":{"$ref":"#/components/schemas/RuleName"}},
        "namespaceField":{"name":"X-Livery-Namespace","in":"header","schema":{"$ref":"#/components/schemas/Namespace"}},
        "schemas":{"name":"schemas","in":"query","schema":{"enum":["true","false"]},
        "description":"Whether the answer has schemas as well."},
        "historySchema":{"name":"schema","in":"query","schema":{"$ref":"#/components/schemas/SchemaName"}},
        "timestamp":{"name":"timestamp","in":"path","required":true,
        "schema":{"type":"string","format":"date-time","examples":["2020-10-17T18:43:19.000Z"]}},
        "epoch":{"name":"epoch","in":"query","schema":{"$ref":"#/components/schemas/Epoch"}},
        "after":{"name":"after","in":"query","schema":{"$ref":"#/components/schemas/Revision"}},
        "at":{"name":"at","in":"query","schema":{"$ref":"#/components/schemas/Revision"},
        "description":"The state at this revision; 404 if the history does not reach back to it. Not together with `after`."},
        "historyKey":{"name":"key","in":"query","schema":{"$ref":"#/components/schemas/Key"}},
        "before":{"name":"before","in":"query","schema":{"$ref":"#/components/schemas/Revision"}},
        "limit":{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100},
        "description":"The most records. A revision is never split: a single one with more records is returned whole."},
        "ifMatch":{"name":"If-Match","in":"header","schema":{"type":"string"}},
        "ifNoneMatch":{"name":"If-None-Match","in":"header","schema":{"type":"string"}},
        "lastEventID":{"name":"Last-Event-ID","in":"header","schema":{"type":"string"}},
        "flagConfigEtag":{"name":"flagConfigEtag","in":"query","schema":{"type":"string"},
        "description":"The `etag` of the event that the request follows from. The answer is not older than that event."},
        "flagConfigLastModified":{"name":"flagConfigLastModified","in":"query","schema":{"type":["integer","string"]},
        "description":"The `lastModified` of that event; ignored."},
        "streamToken":{"name":"token","in":"query","schema":{"type":"string"},
        "description":"As in the address that comes with all flags (`eventStreams`), in place of a token in a field: it opens the stream of this namespace and nothing else, for some minutes."},
        "seen":{"name":"Livery-Revision","in":"header","schema":{"type":"string"},
        "description":"What the client has seen, as an epoch and a revision, such as 00c0ffee00c0ffee:12; anything else is ignored. The server never answers with an older state: if it does not know the revision within a second, it answers 503, and another server may know it."}}
        """##

    private static let responses = ##"""
        {"Problem":{"description":"A problem by RFC 9457.","content":{"application/problem+json":
        {"schema":{"$ref":"#/components/schemas/Problem"}}}},
        "OFREPFailure":{"description":"What is wrong with the question, or else a problem by RFC 9457.","content":{
        "application/json":{"schema":{"$ref":"#/components/schemas/OFREPFailure"}},
        "application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}}}
        """##

    private static let schemas = ##"""
        {"Namespace":{"type":"string","pattern":"^[a-z0-9-]{1,64}$"},
        "Key":{"type":"string","maxLength":128,"pattern":"^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$"},
        "Epoch":{"type":"string","pattern":"^[0-9a-f]{16}$"},
        "Revision":{"type":"integer","minimum":0,"maximum":9007199254740991},
        "Value":{"type":["string","number","boolean","array","object"],
        "description":"At most 65,535 bytes and 32 levels deep; numbers that a double keeps to their last digit."},
        "Values":{"type":"object","propertyNames":{"$ref":"#/components/schemas/Key"},
        "additionalProperties":{"$ref":"#/components/schemas/Value"}},
        "Config":{"type":"object","required":["epoch","digest"],"properties":{
        "epoch":{"$ref":"#/components/schemas/Epoch"},"digest":{"$ref":"#/components/schemas/Epoch"},
        "revision":{"$ref":"#/components/schemas/Revision"},"entries":{"$ref":"#/components/schemas/Values"},
        "reset":{"const":true},"from":{"$ref":"#/components/schemas/Revision"},
        "to":{"$ref":"#/components/schemas/Revision"},"upserts":{"$ref":"#/components/schemas/Values"},
        "deletes":{"type":"array","items":{"$ref":"#/components/schemas/Key"}},
        "rules":{"$ref":"#/components/schemas/RuleEdits"},
        "schema_digest":{"$ref":"#/components/schemas/Epoch"},"schemas":{"$ref":"#/components/schemas/SchemaValues"},
        "schema_upserts":{"$ref":"#/components/schemas/SchemaValues"},
        "schema_deletes":{"type":"array","items":{"$ref":"#/components/schemas/SchemaName"}}}},
        "SchemaName":{"type":"string","maxLength":128,
        "pattern":"^(\\*|[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*(\\.\\*)?)$",
        "description":"A key, or `app.colors.*` for all keys that begin alike, or `*` for all keys."},
        "JSONSchema":{"type":["object","boolean"],
        "description":"A JSON Schema (2020-12). An unknown keyword or format is answered 422, and so is a schema that a present value breaks."},
        "SchemaValues":{"type":"object","propertyNames":{"$ref":"#/components/schemas/SchemaName"},
        "additionalProperties":{"$ref":"#/components/schemas/JSONSchema"}},
        "SchemaEntry":{"type":"object","required":["key","schema","revision","created_at","updated_at"],"properties":{
        "key":{"$ref":"#/components/schemas/SchemaName"},"schema":{"$ref":"#/components/schemas/JSONSchema"},
        "revision":{"$ref":"#/components/schemas/Revision"},"created_at":{"type":"string","format":"date-time"},
        "updated_at":{"type":"string","format":"date-time"}}},
        "Schemas":{"type":"object","required":["epoch","revision","schema_digest","schemas"],"properties":{
        "epoch":{"$ref":"#/components/schemas/Epoch"},"revision":{"$ref":"#/components/schemas/Revision"},
        "schema_digest":{"$ref":"#/components/schemas/Epoch"},
        "schemas":{"type":"array","items":{"$ref":"#/components/schemas/SchemaEntry"}}}},
        "SchemaRequest":{"type":"object","required":["schema"],"additionalProperties":false,"properties":{
        "schema":{"$ref":"#/components/schemas/JSONSchema"},"message":{"type":"string","maxLength":1024}}},
        "RuleName":{"type":"string","maxLength":128,
        "pattern":"^(\\$evaluators|[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*)$",
        "description":"The key that the rule is for, or `$evaluators` for what the rules of the namespace share."},
        "Rule":{"type":"object",
        "description":"A flag as flagd has it: variants, defaultVariant, state, targeting, metadata, and bucketing, which is added. Of `$evaluators` the shared operations by name. What cannot be evaluated is answered 422."},
        "RuleEdits":{"type":"object","propertyNames":{"$ref":"#/components/schemas/RuleName"},
        "additionalProperties":{"anyOf":[{"$ref":"#/components/schemas/Rule"},{"type":"null"}]},
        "description":"In a change, null for a rule that is gone."},
        "RuleEntry":{"type":"object","required":["key","rule","revision","created_at","updated_at"],"properties":{
        "key":{"$ref":"#/components/schemas/RuleName"},"rule":{"$ref":"#/components/schemas/Rule"},
        "revision":{"$ref":"#/components/schemas/Revision"},"created_at":{"type":"string","format":"date-time"},
        "updated_at":{"type":"string","format":"date-time"}}},
        "Rules":{"type":"object","required":["epoch","revision","rules"],"properties":{
        "epoch":{"$ref":"#/components/schemas/Epoch"},"revision":{"$ref":"#/components/schemas/Revision"},
        "rules":{"type":"array","items":{"$ref":"#/components/schemas/RuleEntry"}}}},
        "RuleRequest":{"type":"object","required":["rule"],"additionalProperties":false,"properties":{
        "rule":{"$ref":"#/components/schemas/Rule"},"message":{"type":"string","maxLength":1024}}},
        "EvaluationContext":{"type":"object","properties":{"targetingKey":{"type":["string","null"]}},
        "description":"Who asks: what users are told apart by, and attributes of any JSON value."},
        "EvaluationRequest":{"type":"object","required":["key"],"additionalProperties":false,"properties":{
        "key":{"$ref":"#/components/schemas/Key"},"rule":{"$ref":"#/components/schemas/Rule"},
        "evaluators":{"type":"object"},"explain":{"type":"boolean"},
        "contexts":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/EvaluationContext"}}}},
        "Evaluations":{"type":"object","required":["key","results"],"properties":{
        "key":{"$ref":"#/components/schemas/Key"},"results":{"type":"array","items":{"type":"object",
        "required":["targetingKey","variant","value","reason"],"properties":{"targetingKey":{"type":["string","null"]},
        "variant":{"type":["string","null"]},"value":{},"reason":{"type":"string"},"errorCode":{"type":"string"},
        "errorDetails":{"type":"string"},"steps":{"type":"array"}}}}}},
        "OFREPRequest":{"type":"object","properties":{
        "context":{"anyOf":[{"$ref":"#/components/schemas/EvaluationContext"},{"type":"null"}]}}},
        "OFREPSuccess":{"type":"object","required":["key","reason","variant","metadata"],"properties":{
        "key":{"type":"string"},"value":{},"reason":{"type":"string"},"variant":{"type":"string"},
        "metadata":{"type":"object"}},"description":"Without `value` the caller's own default counts."},
        "OFREPFailure":{"type":"object","required":["errorCode","errorDetails"],"properties":{"key":{"type":"string"},
        "errorCode":{"type":"string"},"errorDetails":{"type":"string"}}},
        "OFREPFlags":{"type":"object","required":["flags","metadata"],"properties":{
        "flags":{"type":"array","items":{"type":"object","required":["key"]}},"metadata":{"type":"object"},
        "eventStreams":{"type":"array","items":{"type":"object","required":["type","endpoint"],"properties":{
        "type":{"const":"sse"},"endpoint":{"type":"object","required":["requestUri"],"properties":{
        "requestUri":{"type":"string","pattern":"^/"}}},"inactivityDelaySec":{"type":"integer","minimum":1}}}}}},
        "OFREPEvent":{"description":"One of the events that the body is a sequence of.","type":"object","properties":{
        "event":{"const":"message"},"id":{"type":"string"},"data":{"type":"string",
        "description":"JSON with `type` (`refetchEvaluation`), `etag` and `lastModified`, in seconds since 1970."}}},
        "Event":{"description":"One of the events that the body is a sequence of.","type":"object","properties":{
        "event":{"enum":["hello","change","head","reset"]},"id":{"type":"string"},"data":{"type":"string"}}},
        "Text":{"type":"string"},
        "Entry":{"type":"object","required":["key","value","revision","created_at","updated_at"],"properties":{
        "key":{"$ref":"#/components/schemas/Key"},"value":{"$ref":"#/components/schemas/Value"},
        "revision":{"$ref":"#/components/schemas/Revision"},"created_at":{"type":"string","format":"date-time"},
        "updated_at":{"type":"string","format":"date-time"}}},
        "Entries":{"type":"object","required":["epoch","revision","entries"],"properties":{
        "epoch":{"$ref":"#/components/schemas/Epoch"},"revision":{"$ref":"#/components/schemas/Revision"},
        "entries":{"type":"array","items":{"$ref":"#/components/schemas/Entry"}}}},
        "ValueRequest":{"type":"object","required":["value"],"additionalProperties":false,"properties":{
        "value":{"$ref":"#/components/schemas/Value"},"message":{"type":"string","maxLength":1024}}},
        "PublishRequest":{"type":"object","additionalProperties":false,"properties":{
        "set":{"$ref":"#/components/schemas/Values"},
        "unset":{"type":"array","items":{"$ref":"#/components/schemas/Key"}},
        "schemas":{"type":"object","propertyNames":{"$ref":"#/components/schemas/SchemaName"},
        "additionalProperties":{"anyOf":[{"$ref":"#/components/schemas/JSONSchema"},{"type":"null"}]}},
        "rules":{"$ref":"#/components/schemas/RuleEdits"},
        "expect":{"$ref":"#/components/schemas/Revision"},"message":{"type":"string","maxLength":1024}}},
        "PublishReceipt":{"type":"object","required":["epoch","revision","updated_at","changed"],"properties":{
        "epoch":{"$ref":"#/components/schemas/Epoch"},"revision":{"$ref":"#/components/schemas/Revision"},
        "updated_at":{"type":["string","null"],"format":"date-time"},
        "changed":{"type":"array","items":{"$ref":"#/components/schemas/Key"}},
        "changed_schemas":{"type":"array","items":{"$ref":"#/components/schemas/SchemaName"}},
        "changed_rules":{"type":"array","items":{"$ref":"#/components/schemas/RuleName"}}}},
        "RollbackRequest":{"type":"object","required":["to"],"additionalProperties":false,"properties":{
        "to":{"$ref":"#/components/schemas/Revision"},"expect":{"$ref":"#/components/schemas/Revision"},
        "message":{"type":"string","maxLength":1024}}},
        "History":{"type":"object","required":["history","next"],"properties":{
        "next":{"type":["integer","null"]},"history":{"type":"array","items":{"type":"object",
        "required":["revision","key","value","author","message","updated_at"],"properties":{
        "revision":{"$ref":"#/components/schemas/Revision"},"key":{"type":"string","maxLength":128},
        "kind":{"enum":["schema","rule"]},"value":{},"author":{"type":["string","null"]},"message":{"type":["string","null"]},
        "updated_at":{"type":"string","format":"date-time"}}}}}},
        "ServerInfo":{"type":"object","required":["version","epoch","revision","namespaces"],"properties":{
        "version":{"type":"string"},"epoch":{"$ref":"#/components/schemas/Epoch"},
        "revision":{"$ref":"#/components/schemas/Revision"},"namespaces":{"type":"array","items":{"type":"object",
        "required":["name","revision","count"],"properties":{"name":{"$ref":"#/components/schemas/Namespace"},
        "revision":{"$ref":"#/components/schemas/Revision"},"count":{"type":"integer","minimum":0}}}}}},
        "Document":{"type":"object"},
        "Status":{"type":"object","required":["status"],"properties":{"status":{"type":"string"}}},
        "Row":{"type":"object","required":["key","value"],"additionalProperties":false,"properties":{
        "key":{"$ref":"#/components/schemas/Key"},"value":{"$ref":"#/components/schemas/Value"}}},
        "FormRow":{"type":"object","required":["key","value"],"additionalProperties":false,"properties":{
        "key":{"$ref":"#/components/schemas/Key"},"value":{"type":"string"}}},
        "InsertedRow":{"type":"object","required":["id","key","value"],"properties":{
        "id":{"type":"integer","minimum":1},"key":{"$ref":"#/components/schemas/Key"},"value":{"type":"string"}}},
        "Rows":{"type":"array","items":{"type":"object","required":["id","key","value","created_at","updated_at"],
        "properties":{"id":{"type":"integer","minimum":1},"key":{"$ref":"#/components/schemas/Key"},
        "value":{"type":"string"},"created_at":{"type":"string","format":"date-time"},
        "updated_at":{"type":"string","format":"date-time"}}}},
        "Problem":{"type":"object","required":["type","title","status","detail"],"properties":{
        "type":{"type":"string","format":"uri"},"title":{"type":"string"},"status":{"type":"integer"},
        "detail":{"type":"string"},"key":{"type":"string"},"field":{"type":"string"},"location":{"type":"string"},
        "revision":{"$ref":"#/components/schemas/Revision"},
        "violations":{"type":"array","items":{"type":"object","required":["pointer","message"],"properties":{
        "key":{"$ref":"#/components/schemas/Key"},"schema":{"$ref":"#/components/schemas/SchemaName"},
        "rule":{"$ref":"#/components/schemas/RuleName"},"pointer":{"type":"string"},"keyword_pointer":{"type":"string"},"limit":{},"found":{},
        "message":{"type":"string"}}}}}}}
        """##
}
