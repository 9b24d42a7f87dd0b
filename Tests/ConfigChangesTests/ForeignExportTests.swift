// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Testing

struct ForeignExportTests {
    /// Files in the forms of the products' documentation.
    @Test(
        arguments: [
            // The file of a data source, an answer of the REST API, and one flag of it.
            (
                #"""
                {"flags": {"new-checkout": {"key": "new-checkout", "version": 7, "on": true, "prerequisites": [],
                "targets": [{"values": ["u1"], "variation": 0}], "rules": [], "fallthrough": {"variation": 1},
                "offVariation": 1, "variations": [true, false], "salt": "abc"}}, "segments": {}}
                """#, .launchDarkly
            ),
            (
                #"""
                {"items": [{"key": "a", "kind": "boolean", "variations": [{"_id": "1", "value": true}],
                "temporary": true, "environments": {"production": {"on": false}}}], "totalCount": 1}
                """#, .launchDarkly
            ),
            (#"{"flagValues": {"a": "red"}}"#, .launchDarkly),
            (#"{"key": "a", "_version": 3, "variations": [{"value": 1}], "environments": {}}"#, .launchDarkly),
            (
                #"{"items": [{"key": "a", "kind": "boolean", "_version": 3, "variations": [{"value": true}]}]}"#,
                .launchDarkly
            ),
            (
                #"""
                {"path": "/", "data": {"flags": {"a": {"key": "a", "version": 7, "on": true, "fallthrough": {"variation": 1},
                "variations": [true, false]}}, "segments": {}}}
                """#, .launchDarkly
            ),
            (
                #"""
                {"toggles": [{"name": "a", "enabled": true, "variant": {"name": "disabled", "enabled": false},
                "impressionData": false}]}
                """#, .unleash
            ),
            (
                #"""
                {"version": 2, "features": [{"name": "a", "type": "release", "project": "default", "stale": false,
                "impressionData": false, "environments": [{"name": "production", "enabled": true}]}]}
                """#, .unleash
            ),
            (
                #"""
                {"status": 200, "features": {"a": {"defaultValue": null}, "b": {}},
                "dateUpdated": "2026-01-01T00:00:00Z"}
                """#, .growthBook
            ),
            (
                #"{"features": {}, "encryptedFeatures": "vMSg2Bj/", "dateUpdated": "2026-01-01T00:00:00Z"}"#,
                .growthBook
            ),
            (
                #"""
                {"count": 1, "next": null, "previous": null, "results": [{"id": 1, "name": "a", "type": "STANDARD",
                "default_enabled": false, "initial_value": null}]}
                """#, .flagsmith
            ),
            (
                #"{"a": {"rule": "key eq \"x\"", "percentage": 100, "true": true, "false": false, "default": false}}"#,
                .goFeatureFlag
            ),
            (#"{"version": {"versionNumber": "3", "updateTime": "2026-01-01T00:00:00Z"}}"#, .firebase),
            (#"{"parameters": {}, "version": {"versionNumber": "3"}}"#, .firebase),
            (
                #"""
                {"features": [{"name": "betaAccess", "type": "release", "project": "default", "impressionData": false}],
                "featureStrategies": [{"name": "flexibleRollout", "featureName": "betaAccess",
                "parameters": {"groupId": "betaAccess", "rollout": "50"}, "constraints": [], "segments": []}]}
                """#, .unleash
            ),
            (
                #"{"version": 1, "features": [{"name": "a", "enabled": true, "strategies": [{"name": "default"}]}]}"#,
                .unleash
            ),
            (
                #"""
                {"status": 200, "features": {"new-ui": {"defaultValue": false, "rules": [{"condition": {"country": "US"},
                "force": true}]}}, "dateUpdated": "2026-01-01T00:00:00Z"}
                """#, .growthBook
            ),
            (
                #"{"features": {"a": {"defaultValue": 1}, "b": {"defaultValue": 2, "rules": [{"coverage": 0.5}]}}}"#,
                .growthBook
            ),
            (
                #"""
                {"features": [{"id": "a", "valueType": "boolean", "defaultValue": "false",
                "environments": {"production": {"enabled": true, "rules": []}}}], "limit": 10, "offset": 0}
                """#, .growthBook
            ),
            (
                #"""
                {"id": 1, "api_key": "B62", "project": {"name": "p", "segments": []}, "feature_states": [{"enabled": true,
                "feature_state_value": null, "feature": {"id": 1, "name": "a", "type": "STANDARD"}}]}
                """#, .flagsmith
            ),
            (#"[{"id": 1, "feature": {"name": "a"}, "feature_state_value": "foo", "enabled": true}]"#, .flagsmith),
            (
                #"""
                [{"name": "a", "default_enabled": false, "is_server_key_only": false, "initial_value": null,
                "multivariate": [], "value": null, "enabled": true}]
                """#, .flagsmith
            ),
            (
                #"""
                {"p": {"u": "https://cdn-global.configcat.com", "r": 0, "s": "c2FsdA=="}, "f": {"a": {"t": 0,
                "v": {"b": true}, "i": "d1f4"}, "b": {"t": 1, "v": {"s": "x"}, "r": [], "p": []}}}
                """#, .configCat
            ),
            (#"{"p": {"u": "https://x", "r": 0}, "f": {"a": {"v": true, "i": "1", "p": [], "r": []}}}"#, .configCat),
            (#"{"f": {"a": {"v": {"b": true}, "t": 0, "i": "1"}}}"#, .configCat),
            (
                #"""
                {"version": "1.2", "namespace": "default", "flags": [{"key": "a", "name": "A", "type": "VARIANT_FLAG_TYPE",
                "enabled": true, "variants": [{"key": "x"}], "rules": [{"segment": "s", "distributions": []}]}],
                "segments": [{"key": "s", "name": "S", "match_type": "ALL_MATCH_TYPE"}]}
                """#, .flipt
            ),
            (
                #"""
                {"new-admin": {"variations": {"on": true, "off": false}, "targeting": [{"query": "admin eq true",
                "variation": "on"}], "defaultRule": {"percentage": {"on": 20, "off": 80}}}}
                """#, .goFeatureFlag
            ),
            (
                #"""
                {"conditions": [{"name": "iOS", "expression": "device.os == 'ios'"}], "parameters": {"a": {"defaultValue":
                {"useInAppDefault": true}, "conditionalValues": {"iOS": {"value": "x"}}, "valueType": "STRING"}}}
                """#, .firebase
            ),
            (#"{"parameterGroups": {"New UI": {"parameters": {"a": {"defaultValue": {"value": "1"}}}}}}"#, .firebase),
            (#"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}"#, .flagd),
            (#"[{"flags": [{"key": "a", "state": "ENABLED", "variants": {"on": 1}}], "metadata": {}}]"#, .flagd),
            (#"{"flags": {"a": {"variants": {"on": true}, "defaultVariant": null}}}"#, .flagd),
            (#"{"flags": {"a": {"on": false, "version": 2, "variations": [1, 2]}}}"#, .launchDarkly),
            (
                #"{"features": [{"name": "a", "strategies": []}, {"name": "b", "strategies": [{"name": "default"}]}]}"#,
                .unleash
            ),
            (#"{"namespace": "default", "flags": [{"key": "a", "name": "A", "enabled": true}]}"#, .flipt),
            (#"{"flags": [{"key": "a", "enabled": true, "rollouts": []}]}"#, .flipt),
        ] as [(String, ForeignExport)]
    )
    func filesOfOtherProductsAreRecognized(json: String, product: ForeignExport) throws {
        #expect(ForeignExport(json: Array(json.utf8)) == product)
        let error = #expect(throws: ConfigError.self) { try ForeignExport.refuse(Array(json.utf8), source: "f.json") }
        #expect(error?.code == .rejected && error?.source == "f.json")
        #expect(error?.message.contains(product.rawValue) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            "", "5", "{}", "[]", "{", #"{"a": {"b": 1}}"#, #"{"flags": {"a": true, "b": false}}"#,
            #"{"flags": {"a": {"on": true, "color": "red"}}}"#, #"{"flags": {"a": {"variations": 3, "on": true}}}"#,
            #"{"flags": [{"key": "a", "enabled": true}]}"#, #"{"flags": {"a": {"variants": ["x"]}, "b": 1}}"#,
            #"{"items": [{"key": "a", "variations": [1]}]}"#, #"{"key": "a", "variations": [1]}"#,
            #"{"features": {"a": {"defaultValue": 1}}}"#, #"{"features": [{"name": "a"}]}"#,
            #"{"features": {"a": {"defaultValue": 1, "rules": ["x"]}}}"#, #"{"features": [], "featureStrategies": []}"#,
            #"{"feature_states": [{"enabled": true}]}"#, #"{"p": {"u": "x"}, "f": {"a": {"v": 1}}}"#,
            #"{"f": {"a": {"v": 1, "t": 0}}}"#, #"{"a": {"variations": {"x": 1}, "defaultRule": {}}, "b": 2}"#,
            #"{"a": {"variations": {"x": 1}}}"#, #"{"parameters": {"a": {"defaultValue": 3}}}"#,
            #"{"parameters": {"a": {"defaultValue": {"value": 3}}}}"#, #"{"parameters": {"a": 1}, "conditions": []}"#,
            #"{"parameters": {"a": {"defaultValue": {"value": "x"}, "unit": "s"}}}"#,
            #"{"parameters": {"a": {"defaultValue": {"value": "x"}}}, "retries": 3}"#,
            #"{"flags": [{"key": "de", "name": "Germany", "enabled": true, "url": "de.png"}]}"#,
            #"{"p": {"x": 1.5}, "f": {"gravity": {"v": 9.81, "t": 0.5}}}"#,
            #"{"features": [{"name": "retry", "strategies": ["linear", "exponential"]}]}"#,
            #"{"features": [{"name": "retry", "strategies": []}]}"#,
            #"{"flags": {"dark": {"on": true, "variations": ["a", "b"]}}}"#,
            #"{"flags": {"germany": {"variants": {"old": "a.png", "new": "b.png"}}}}"#,
            #"{"features": {"dark": {"defaultValue": true, "environments": {"test": false}}}}"#,
            #"{"features": {"dark": {"defaultValue": true, "environments": {}}}}"#,
            #"{"items": [{"key": "a", "_version": 3, "variations": [1]}]}"#, #"{"data": {"flags": {"a": true}}}"#,
            #"{"toggles": [{"name": "a", "enabled": true}]}"#, #"{"toggles": {"a": {"variant": {}}}}"#,
            #"{"features": [{"name": "a", "type": "release", "stale": false}]}"#,
            #"{"features": {"a": {}}, "dateUpdated": "2026-01-01"}"#, #"{"encryptedFeatures": "x"}"#,
            #"{"features": {"a": {"defaultValue": 1, "unit": "s"}}, "dateUpdated": 3}"#,
            #"{"results": [{"name": "a", "enabled": true}]}"#,
            #"{"a": {"percentage": 100, "true": "yes", "false": "no"}}"#,
            #"{"version": {"versionNumber": "3"}}"#, #"{"version": {"versionNumber": 3}, "parameters": {}}"#,
            #"{"livery": 1, "entries": {"flags": {"a": {"variants": {"on": true}}}}}"#,
            #"{"livery": 1, "rules": {"a": {"variants": {"on": true}, "defaultVariant": "on"}}}"#,
        ]
    )
    func documentsOfValuesAreNot(json: String) throws {
        #expect(ForeignExport(json: Array(json.utf8)) == nil)
        try ForeignExport.refuse(Array(json.utf8), source: "f.json")
    }
}
