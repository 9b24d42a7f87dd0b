/// The parts of the description that operations refer to.
enum OpenAPISchemas {
    /// As JSON: parameters, answers, schemas and the way to authenticate.
    static let components = #"{"parameters":\#(parameters),"responses":\#(responses),"schemas":\#(schemas),"# + security

    private static let security = #""securitySchemes":{"token":{"type":"http","scheme":"bearer"}}}"#

    private static let parameters = ##"""
        {"ns":{"name":"ns","in":"path","required":true,"schema":{"$ref":"#/components/schemas/Namespace"}},
        "key":{"name":"key","in":"path","required":true,"schema":{"$ref":"#/components/schemas/Key"}},
        "timestamp":{"name":"timestamp","in":"path","required":true,
        "schema":{"type":"string","format":"date-time","examples":["2020-10-17T18:43:19.000Z"]}},
        "epoch":{"name":"epoch","in":"query","schema":{"$ref":"#/components/schemas/Epoch"}},
        "after":{"name":"after","in":"query","schema":{"$ref":"#/components/schemas/Revision"}},
        "historyKey":{"name":"key","in":"query","schema":{"$ref":"#/components/schemas/Key"}},
        "before":{"name":"before","in":"query","schema":{"$ref":"#/components/schemas/Revision"}},
        "limit":{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100},
        "description":"The most records. A revision is never split: a single one with more records is returned whole."},
        "ifMatch":{"name":"If-Match","in":"header","schema":{"type":"string"}},
        "ifNoneMatch":{"name":"If-None-Match","in":"header","schema":{"type":"string"}},
        "lastEventID":{"name":"Last-Event-ID","in":"header","schema":{"type":"string"}},
        "seen":{"name":"Livery-Revision","in":"header","schema":{"type":"string"},
        "description":"What the client has seen, as an epoch and a revision, such as 00c0ffee00c0ffee:12; anything else is ignored. The server never answers with an older state: if it does not know the revision within a second, it answers 503, and another server may know it."}}
        """##

    private static let responses = ##"""
        {"Problem":{"description":"A problem by RFC 9457.","content":{"application/problem+json":
        {"schema":{"$ref":"#/components/schemas/Problem"}}}}}
        """##

    private static let schemas = ##"""
        {"Namespace":{"type":"string","pattern":"^[a-z0-9-]{1,64}$"},
        "Key":{"type":"string","maxLength":128,"pattern":"^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$"},
        "Epoch":{"type":"string","pattern":"^[0-9a-f]{16}$"},
        "Revision":{"type":"integer","minimum":0,"maximum":9007199254740991},
        "Value":{"oneOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},
        {"type":"array","maxItems":0},{"type":"array","minItems":1,"items":{"type":"string"}},
        {"type":"array","minItems":1,"items":{"type":"number"}},
        {"type":"array","minItems":1,"items":{"type":"boolean"}}]},
        "Values":{"type":"object","propertyNames":{"$ref":"#/components/schemas/Key"},
        "additionalProperties":{"$ref":"#/components/schemas/Value"}},
        "Config":{"type":"object","required":["epoch","digest"],"properties":{
        "epoch":{"$ref":"#/components/schemas/Epoch"},"digest":{"$ref":"#/components/schemas/Epoch"},
        "revision":{"$ref":"#/components/schemas/Revision"},"entries":{"$ref":"#/components/schemas/Values"},
        "reset":{"const":true},"from":{"$ref":"#/components/schemas/Revision"},
        "to":{"$ref":"#/components/schemas/Revision"},"upserts":{"$ref":"#/components/schemas/Values"},
        "deletes":{"type":"array","items":{"$ref":"#/components/schemas/Key"}}}},
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
        "expect":{"$ref":"#/components/schemas/Revision"},"message":{"type":"string","maxLength":1024}}},
        "PublishReceipt":{"type":"object","required":["epoch","revision","updated_at","changed"],"properties":{
        "epoch":{"$ref":"#/components/schemas/Epoch"},"revision":{"$ref":"#/components/schemas/Revision"},
        "updated_at":{"type":["string","null"],"format":"date-time"},
        "changed":{"type":"array","items":{"$ref":"#/components/schemas/Key"}}}},
        "RollbackRequest":{"type":"object","required":["to"],"additionalProperties":false,"properties":{
        "to":{"$ref":"#/components/schemas/Revision"},"message":{"type":"string","maxLength":1024}}},
        "History":{"type":"object","required":["history","next"],"properties":{
        "next":{"type":["integer","null"]},"history":{"type":"array","items":{"type":"object",
        "required":["revision","key","value","author","message","updated_at"],"properties":{
        "revision":{"$ref":"#/components/schemas/Revision"},"key":{"$ref":"#/components/schemas/Key"},
        "value":{},"author":{"type":["string","null"]},"message":{"type":["string","null"]},
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
        "revision":{"$ref":"#/components/schemas/Revision"}}}}
        """##
}
