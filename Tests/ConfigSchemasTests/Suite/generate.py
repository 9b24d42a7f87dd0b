#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the fixtures of this folder.

    generate.py suite DIRECTORY > suite.jsonl
    generate.py pairs SEED SCHEMAS > pairs.jsonl

The first takes the folder json/tests/draft2020-12 of the source archive of PyPI's jsonschema 4.26.0, which is a copy of
https://github.com/json-schema-org/JSON-Schema-Test-Suite (MIT, see LICENSE). The second makes schemas and twenty values
for each at random, and writes what jsonschema 4.26.0 says of them: a line has a schema, its values, and for each value 1
if it is valid and 0 if not. It avoids what the two decide differently on purpose:

- Python's patterns take Unicode's digits and letters for \\d and \\w, and let $ match before a final line break.
- jsonschema divides doubles, so that 0.3 is no multiple of 0.1 to it, and 2^53 - 1 is one of 1.5.
- jsonschema checks few formats without other packages; what it says of ipv4, ipv6, date and uuid is compared.
"""

import json
import os
import random
import sys

# Other formats than Livery's are annotations in these files, and format.json demands that all of them are.
LEFT_OUT = {"format.json", "optional/format-assertion.json", "optional/dependencies-compatibility.json"}
FORMATS = ["date-time", "date", "time", "duration", "email", "uuid", "ipv4", "ipv6", "hostname", "uri", "uri-reference",
           "uri-template", "iri", "iri-reference", "json-pointer", "relative-json-pointer", "regex", "unknown"]
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def suite(directory):
    names = [name for name in os.listdir(directory) if name.endswith(".json")]
    names += ["optional/" + name for name in os.listdir(directory + "/optional") if name.endswith(".json")]
    names += ["optional/format/" + name + ".json" for name in FORMATS]
    for name in sorted(set(names) - LEFT_OUT):
        with open(os.path.join(directory, name), encoding="utf-8") as file:
            groups = json.load(file)
        for group in groups:
            tests = [[test["description"], text(test["data"]), test["valid"]] for test in group["tests"]]
            line = {"file": name[:-5], "group": group["description"], "schema": text(group["schema"]), "tests": tests}
            print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


NAMES = ["a", "b", "ab", "abc", "c1", "é", "x/y", "~"]
TEXTS = ["", "a", "b", "ab", "aab", "abc", "abab", "12", "a1", "é", "😀", "x y", "192.0.2.1", "::1", "1:2", "256.1.1.1",
         "2024-02-29", "2023-02-29", "2026-1-1", "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"]
NUMBERS = [0, 1, 2, 3, 5, 6, 10, -1, -4, 0.5, 0.25, 1.5, 2.5, -0.75, 3.0, 1e20, 1e-7, 9007199254740991]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
KEYWORDS = {
    "string": ["minLength", "maxLength", "pattern", "format"],
    "number": ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    "array": ["items", "prefixItems", "contains", "minContains", "maxContains", "uniqueItems", "minItems", "maxItems",
              "unevaluatedItems"],
    "object": ["properties", "patternProperties", "additionalProperties", "propertyNames", "required",
               "dependentRequired", "dependentSchemas", "minProperties", "maxProperties", "unevaluatedProperties"],
}


class Maker:
    """Schemas, and values of which some are made to fit them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.definitions = []

    def chance(self, probability):
        return self.random.random() < probability

    def document(self):
        self.definitions = ["d%d" % number for number in range(self.random.choice([0, 0, 1, 2]))]
        schema = self.schema(3, True)
        if isinstance(schema, dict) and self.definitions:
            schema["$defs"] = {name: self.schema(2, False) for name in self.definitions}
        return schema

    def schema(self, depth, may_refer):
        """may_refer: whether the value here is a part of the one that the schema as a whole is for."""
        if self.chance(0.04):
            return self.chance(0.6)
        if may_refer and self.definitions and self.chance(0.25):
            return {"$ref": "#/$defs/" + self.random.choice(self.definitions)}
        schema = {}
        kind = self.random.choice(["string", "number", "number", "array", "object", "object", "any"])
        if kind == "any":
            self.add_general(schema)
        else:
            if self.chance(0.4):
                schema["type"] = self.random.choice([kind, kind, "integer" if kind == "number" else kind, ["null", kind]])
            for keyword in self.random.sample(KEYWORDS[kind], self.random.choice([1, 1, 2, 3])):
                schema[keyword] = self.keyword(keyword, depth - 1)
        if depth > 0 and self.chance(0.35):
            self.add_combination(schema, depth - 1, may_refer)
        return schema

    def add_general(self, schema):
        keyword = self.random.choice(["type", "type", "enum", "const"])
        if keyword == "type":
            schema["type"] = self.random.sample(TYPES, self.random.randint(1, 4))
        elif keyword == "enum":
            schema["enum"] = [self.value(1) for _ in range(self.random.randint(1, 5))]
        else:
            schema["const"] = self.value(1)

    def add_combination(self, schema, depth, may_refer):
        keyword = self.random.choice(["allOf", "anyOf", "anyOf", "oneOf", "oneOf", "not", "if"])
        part = lambda: self.schema(depth, may_refer)
        if keyword == "not":
            schema["not"] = part()
        elif keyword == "if":
            for name in ["if"] + [name for name in ["then", "else"] if self.chance(0.7)]:
                schema[name] = part()
        else:
            schema[keyword] = [part() for _ in range(self.random.randint(1, 3))]

    def keyword(self, keyword, depth):
        part = lambda: self.schema(depth, True) if depth > 0 else {"type": self.random.choice(TYPES)}
        some_names = lambda: self.random.sample(NAMES, self.random.randint(0, 2))
        if keyword in ("minLength", "minItems", "minProperties", "minContains"):
            return self.random.choice([0, 1, 1, 2, 2.0, 3])
        if keyword in ("maxLength", "maxItems", "maxProperties", "maxContains"):
            return self.random.choice([0, 1, 2, 2, 3, 3.0])
        if keyword == "pattern":
            return self.pattern()
        if keyword == "format":
            return self.random.choice(["date", "uuid", "ipv4", "ipv6"])
        if keyword == "multipleOf":
            return self.random.choice([1, 2, 3, 5, 0.5, 0.25])
        if keyword in KEYWORDS["number"]:
            return self.random.choice(NUMBERS)
        if keyword == "prefixItems":
            return [part() for _ in range(self.random.randint(1, 3))]
        if keyword == "uniqueItems":
            return self.chance(0.8)
        if keyword == "properties":
            return {name: part() for name in self.random.sample(NAMES, self.random.randint(1, 3))}
        if keyword == "patternProperties":
            return {self.pattern(): part() for _ in range(self.random.randint(1, 2))}
        if keyword == "dependentSchemas":
            # For the value itself, so that a reference could be part of a circle.
            return {name: self.schema(depth, False) if depth > 0 else {"minProperties": 2} for name in some_names()}
        if keyword in ("additionalProperties", "unevaluatedItems", "unevaluatedProperties"):
            return self.random.choice([False, part()])
        if keyword == "propertyNames":
            return {self.random.choice(["pattern"]): self.pattern()} if self.chance(0.7) else {"maxLength": 2}
        if keyword == "required":
            return some_names()
        if keyword == "dependentRequired":
            return {name: some_names() for name in some_names()}
        return part()

    def pattern(self, depth=2):
        def term():
            # No repeats of repeats, on which Python takes exponential time.
            if depth > 0 and self.chance(0.3):
                return self.random.choice(["(", "(?:"]) + self.pattern(depth - 1) + ")" + self.random.choice(["", "?"])
            atom = self.random.choice(["a", "b", "c", "[ab]", "[^a]", "[a-c0-9]", ".", "\\d", "\\D", "\\s", "é", "1"])
            return atom + self.random.choice(["", "", "", "*", "+", "?", "{2}", "{1,2}", "*?", "{0,3}?"])

        def branch():
            return "".join(term() for _ in range(self.random.randint(1, 3)))

        body = "|".join(branch() for _ in range(self.random.choice([1, 1, 1, 2])))
        if depth < 2:
            return body
        return self.random.choice(["", "^"]) + body + self.random.choice(["", "$"])

    def value(self, depth):
        kind = self.random.choice(["scalar", "text", "number", "array", "object", "object"])
        if kind == "scalar":
            return self.random.choice([None, True, False])
        if kind == "text":
            return self.random.choice(TEXTS)
        if kind == "number" or depth == 0:
            return self.random.choice(NUMBERS)
        count = self.random.choice([0, 1, 2, 2, 3])
        if kind == "array":
            return [self.value(depth - 1) for _ in range(count)]
        return {name: self.value(depth - 1) for name in self.random.sample(NAMES, count)}

    def fitting(self, schema, depth):
        """A value that keeps some of what a schema demands."""
        if not isinstance(schema, dict) or self.chance(0.15):
            return self.value(1)
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword in schema and self.chance(0.4):
                return self.fitting(self.random.choice(schema[keyword]), depth)
        for keyword in ("then", "else", "if"):
            if keyword in schema and self.chance(0.3):
                return self.fitting(schema[keyword], depth)
        if "$ref" in schema:
            return self.fitting(self.root["$defs"][schema["$ref"].split("/")[-1]], depth)
        if "const" in schema or "enum" in schema:
            return self.random.choice(schema.get("enum", [schema.get("const")]))
        kinds = [kind for kind in KEYWORDS if any(keyword in schema for keyword in KEYWORDS[kind])]
        kind = self.random.choice(kinds) if kinds else "any"
        if kind == "string":
            return self.random.choice(TEXTS)
        if kind == "number":
            return self.random.choice(NUMBERS + [schema.get(keyword, 1) for keyword in KEYWORDS["number"]])
        if kind == "array" and depth > 0:
            return self.fitting_array(schema, depth - 1)
        if kind == "object" and depth > 0:
            return self.fitting_object(schema, depth - 1)
        return self.value(1)

    def fitting_array(self, schema, depth):
        elements = [self.fitting(part, depth) for part in schema.get("prefixItems", [])]
        for _ in range(self.random.choice([0, 0, 1, 2])):
            elements.append(self.fitting(schema.get("items", schema.get("contains", True)), depth))
        return elements

    def fitting_object(self, schema, depth):
        members = {}
        for name, part in schema.get("properties", {}).items():
            if self.chance(0.8):
                members[name] = self.fitting(part, depth)
        for name in schema.get("required", []):
            members.setdefault(name, self.value(1))
        for _ in range(self.random.choice([0, 0, 1, 2])):
            part = schema.get("additionalProperties", True)
            members.setdefault(self.random.choice(NAMES), self.fitting(part, depth))
        return members


def pairs(seed, count):
    import jsonschema

    checker = jsonschema.FormatChecker(formats=["date", "uuid", "ipv4", "ipv6"])
    maker = Maker(seed)
    made = 0
    while made < count:
        maker.root = maker.document()
        values = [maker.fitting(maker.root, 4) for _ in range(15)] + [maker.value(2) for _ in range(5)]
        if len(text(maker.root)) > 700 or len(text(values)) > 900:
            continue
        jsonschema.Draft202012Validator.check_schema(maker.root)
        validator = jsonschema.Draft202012Validator(maker.root, format_checker=checker)
        verdicts = "".join("01"[validator.is_valid(value)] for value in values)
        # A schema that says the same of every value shows little.
        if len(set(verdicts)) == 1 and maker.chance(0.8):
            continue
        made += 1
        print(text([text(maker.root), values, verdicts]))


if __name__ == "__main__":
    if sys.argv[1] == "suite":
        suite(sys.argv[2])
    else:
        pairs(int(sys.argv[2]), int(sys.argv[3]))
