#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes what ConfigRulesTests compares with, by PyPI's openfeature-flagd-core 2.0.0:

    python3 -m venv env && env/bin/pip install openfeature-flagd-core==2.0.0
    env/bin/python generate.py SEED RULES > pairs.jsonl

The first line has contexts: a targeting key and attributes. Each other line has a flag as a text of JSON, what the evaluator
gives for it, and which of these it gives for the next 20 contexts: a reason with the variant, or an error code. Where Livery goes another way than the evaluator, in one of the ways of `Deviations`, the line has what Livery
gives, and the evaluator's answer after a tab.
"""

import contextlib
import importlib
import io
import json
import logging
import math
import random
import sys

from json_logic import builtins
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import OpenFeatureError

logging.disable(logging.CRITICAL)
# The package has a function of the same name.
targeting_module = importlib.import_module("openfeature.contrib.tools.flagd.core.targeting.targeting")
# `$flagd.timestamp` is the same in every file.
targeting_module.time.time = lambda: 1_795_000_000
ORIGINAL = dict(targeting_module.OPERATORS)
NAMES = ["pink", "blue", "green", "true", "false", "1"]


class Deviations:
    """The operators as Livery has them: README.md says for each who is right."""

    def __init__(self):
        plain_text, plain_number = builtins.to_string, builtins.to_number

        def text(value):
            if value is None:
                return ""
            if isinstance(value, bool):
                return "true" if value else "false"
            if isinstance(value, float) and math.isfinite(value):
                return shortest(value)
            if isinstance(value, list):
                return ",".join(text(item) for item in value)
            return plain_text(value)

        def number(value):
            if isinstance(value, (list, dict)):
                return math.nan
            if isinstance(value, str) and not value.strip():
                return 0
            if isinstance(value, str) and ("_" in value or not value.isascii() or value.strip().lower().lstrip("+-") in ("nan", "inf", "infinity")):
                return math.nan
            return plain_number(value)

        self.patches = {"to_string": text, "to_number": number}
        self.operators = {name: self.safe(name, operator) for name, operator in ORIGINAL.items()}
        self.operators["==="] = lambda data=None, a=None, b=None, *rest: same(a, b)
        self.operators["!=="] = lambda data=None, a=None, b=None, *rest: not same(a, b)
        self.operators["=="] = lambda data=None, a=None, b=None, *rest: equal(a, b)
        self.operators["!="] = lambda data=None, a=None, b=None, *rest: not equal(a, b)
        self.operators["in"] = self.contains
        for name, ordered in {
            "<": less, ">": lambda a, b: less(b, a), "<=": lambda a, b: less(a, b) or equal(a, b), ">=": lambda a, b: less(b, a) or equal(a, b),
        }.items():
            self.operators[name] = between(ordered)
        self.operators["-"] = lambda data=None, *values: self.subtract(*values)
        self.operators["/"] = lambda data=None, a=None, b=None, *rest: self.divide(a, b)
        self.operators["%"] = lambda data=None, a=None, b=None, *rest: self.modulo(a, b)
        self.operators["log"] = lambda data=None, a=None, *rest: a
        fractional = self.operators["fractional"]
        self.operators["fractional"] = lambda data, *args: fractional(data if isinstance(data, dict) else {}, *whole(args))
        version = self.operators["sem_ver"]
        self.operators["sem_ver"] = lambda data, *args: version(data, *(text(arg) if isinstance(arg, float) else arg for arg in args))
        for name in ("+", "*", "min", "max"):
            self.operators[name] = self.rounded(self.operators[name])

    @staticmethod
    def safe(name, operator):
        def called(data, *args):
            try:
                return operator(data, *(args[:2] if name == "var" else args))
            except (TypeError, ValueError, ZeroDivisionError, AttributeError, OverflowError, KeyError):
                return None

        return called

    @staticmethod
    def rounded(operator):
        return lambda data, *args: whole(operator(data, *(int(arg) if isinstance(arg, bool) else arg for arg in args)))

    def contains(self, data=None, needle=None, haystack=None, *rest):
        if isinstance(haystack, list):
            return any(same(item, needle) for item in haystack)
        if needle is None:
            return False
        return builtins.op_in(data, needle, haystack)

    def subtract(self, a, *rest):
        a = builtins.to_number(a)
        return whole(a - builtins.to_number(rest[0]) if rest else -a)

    def divide(self, a, b):
        a, b = builtins.to_number(a), builtins.to_number(b)
        return None if b == 0 else whole(a / b)

    def modulo(self, a, b):
        a, b = builtins.to_number(a), builtins.to_number(b)
        if b == 0:
            return None
        return whole(math.fmod(a, b)) if math.isfinite(a) and not math.isnan(b) else math.nan

    def __enter__(self):
        self.kept = {name: getattr(builtins, name) for name in self.patches}
        for name, patch in self.patches.items():
            setattr(builtins, name, patch)
        targeting_module.OPERATORS.clear()
        targeting_module.OPERATORS.update(self.operators)

    def __exit__(self, *unused):
        for name, function in self.kept.items():
            setattr(builtins, name, function)
        targeting_module.OPERATORS.clear()
        targeting_module.OPERATORS.update(ORIGINAL)


def equal(a, b):
    """As flagd's engine in Go: null equals null alone, texts are compared, anything else as numbers."""
    if a is None or b is None:
        return a is None and b is None
    if isinstance(a, str) and isinstance(b, str):
        return a == b
    return builtins.to_number(a) == builtins.to_number(b)


def less(a, b):
    if isinstance(a, str) and isinstance(b, str):
        return a < b
    return builtins.to_number(a) < builtins.to_number(b)


def between(ordered):
    return lambda data=None, a=None, b=None, *rest: ordered(a, b) and (not rest or ordered(b, rest[0]))


def same(a, b):
    """The same value of the same type, where 1 and 1.0 are one value and a Boolean is no number. Arrays and objects never are."""
    if isinstance(a, (list, dict)) or isinstance(b, (list, dict)):
        return False
    if isinstance(a, bool) or isinstance(b, bool):
        return isinstance(a, bool) and isinstance(b, bool) and a == b
    return a == b


def whole(value):
    """What has no fraction is an integer, as in every value of Livery."""
    if isinstance(value, (list, tuple)):
        return type(value)(whole(item) for item in value)
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53 - 1:
        return int(value)
    return value


def shortest(number):
    """A double as JavaScript writes it."""
    if number.is_integer() and abs(number) < 1e21:
        return str(int(number))
    text = repr(number)
    if "e" in text:
        digits, exponent = text.split("e")
        if -7 < int(exponent) < 0:
            return format(number, "f").rstrip("0") if len(digits) < 4 else format(number, f".{len(digits) - 2 - int(exponent)}f").rstrip("0")
        return f"{digits}e{'+' if int(exponent) > 0 else ''}{int(exponent)}"
    return text


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, *choices):
        return self.random.choice(choices)

    def scalar(self):
        return self.one(
            None, True, False, 0, 1, 2, -1, 7, 18, 65, 0.5, 1.5, -2.25, "", "0", "1", "18", "es", "de", "a", "abc", "é", "2.1.0", "v1.2",
            "1.0.0-rc.1", "3", "user@livery.example", "@livery.example", " 7 ", "x y", 1e20, 123456789,
        )

    def value(self, depth=2, objects=True):
        """A value, without objects where they would be taken for operations."""
        kind = self.random.random()
        if depth == 0 or kind < 0.75:
            return self.scalar()
        if kind < 0.9 or not objects:
            return [self.value(depth - 1, objects) for _ in range(self.random.randrange(4))]
        return {self.one("a", "b", "é", "long name"): self.value(depth - 1) for _ in range(self.random.randrange(3))}

    def path(self):
        return self.one(
            "language", "age", "version", "email", "groups", "groups.0", "groups.1", "address.city", "address", "tags.length",
            "email.0", "beta", "score", "targetingKey", "$flagd.flagKey", "nothing", "", "a", "current", "accumulator", "0", "address.no.one",
        )

    def context(self):
        attributes = {}
        for name, values in {
            "language": ["es", "de", "en", "", None, "es-MX"], "age": [17, 18, 65, 0, -1, "18", 18.5, "x", None, True],
            "version": ["2.1.0", "1.9.9", "v2.1", "2", "2.1.0-rc.1", "x", 2, 2.1, "2.1.0+7"],
            "email": ["ada@livery.example", "bob@other.example", "", None, 7], "beta": [True, False, None, "true", 1, 0],
            "score": [0.1, 0.5, 1e-7, 1e20, 3.0, -0.0, 100000000000000000000.5, 65504.0, 1.5],
        }.items():
            if self.random.random() < 0.7:
                attributes[name] = self.random.choice(values)
        if self.random.random() < 0.6:
            attributes["groups"] = [self.value(1) for _ in range(self.random.randrange(4))]
        if self.random.random() < 0.5:
            attributes["address"] = self.one({"city": "Kyiv"}, {"city": None, "no": {"one": 1}}, {}, "Rome", [1])
        if self.random.random() < 0.4:
            attributes["tags"] = self.one(["x"], [], "abc", {"length": 9})
        if self.random.random() < 0.3:
            attributes["a"] = self.value()
        key = self.one(None, "", "user-1", "user-2", "user-3", "é", "a" * 40, str(self.random.randrange(10**6)))
        return {"targetingKey": key, "attributes": attributes}

    def part(self, depth):
        """An operand: mostly something from the context."""
        kind = self.random.random()
        if depth == 0 or kind < 0.25:
            return self.value(objects=False)
        if kind < 0.6:
            path = self.path()
            return self.one({"var": path}, {"var": [path]}, {"var": [path, self.scalar()]})
        return self.expression(depth - 1)

    def usable(self, value, types):
        return value if isinstance(value, types) else {"var": self.path()}

    def expression(self, depth):
        part = lambda: self.part(depth)
        several = lambda most, least=0: [part() for _ in range(self.random.randrange(least, most + 1))]
        # What is written out is refused unless the operator can use it.
        usable = lambda *types: self.usable(part(), (dict,) + types)
        kind = self.one(
            "compare", "compare", "equal", "equal", "logic", "logic", "arithmetic", "text", "list", "in", "in", "version", "version",
            "ends", "if", "not", "missing", "split", "var",
        )
        if kind == "compare":
            return {self.one("<", "<=", ">", ">="): [part() for _ in range(self.one(2, 2, 2, 3))]}
        if kind == "equal":
            return {self.one("==", "==", "!=", "===", "!=="): [part(), part()]}
        if kind == "logic":
            return {self.one("and", "or"): several(3, 1)}
        if kind == "arithmetic":
            name = self.one("+", "-", "*", "/", "%", "min", "max")
            return {name: several(2, 2) if name in "/%" else several(2 if name == "-" else 3, 1)}
        if kind == "text":
            return self.one({"cat": several(3)}, {"substr": [part(), part()]}, {"substr": [part(), part(), part()]}, {"log": [part()]})
        if kind == "list":
            name = self.one("map", "filter", "all", "some", "none", "reduce", "merge")
            if name == "merge":
                return {name: several(3)}
            items = self.one({"var": "groups"}, {"var": "tags"}, [part(), part()], usable(list))
            return {name: [items, part()] + ([self.scalar()] if name == "reduce" else [])}
        if kind == "in":
            return {"in": [part(), self.one([part(), part(), self.scalar()], usable(list, str))]}
        if kind == "version":
            operator = self.one("=", "!=", "<", "<=", ">", ">=", "^", "~")
            return {"sem_ver": [self.one({"var": "version"}, usable()), operator, self.one("2.1.0", "2", "v2.1", "2.1.0-rc.1", {"var": "version"})]}
        if kind == "ends":
            return {self.one("starts_with", "ends_with"): [self.one({"var": "email"}, usable(str)), self.one("ada", "@livery.example", usable(str))]}
        if kind == "if":
            return {"if": several(5)}
        if kind == "not":
            return {self.one("!", "!!"): [part()]}
        if kind == "missing":
            return self.one({"missing": [self.path(), self.path()]}, {"missing_some": [self.one(1, 2), [self.path(), self.path()]]})
        if kind == "split":
            return self.split(depth)
        return {"var": self.one(usable(str), self.path(), [self.path(), part()])}

    def split(self, depth):
        variants = self.random.sample(NAMES, self.random.randrange(1, 4))
        weight = lambda: self.one(1, 10, 25, 50, 99, 0, -3, 1000000, {"var": "age"}, {"-": [10, {"var": "age"}]})
        parts = [self.one([name], [name, weight()], [name, weight()]) for name in variants]
        parts.append(["pink", 1])
        by = self.one(None, None, {"var": "email"}, {"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}, {"var": "score"}, {"var": "address"}, {"var": "groups"}, {"var": "a"}, self.part(depth))
        if isinstance(by, list):
            by = None
        return {"fractional": ([] if by is None else [by]) + parts}

    def result(self, depth):
        kind = self.random.random()
        if kind < 0.5 or depth == 0:
            return self.one(*NAMES, True, False, None)
        if kind < 0.75:
            return self.split(1)
        if kind < 0.9:
            return {"if": [self.expression(2), self.result(depth - 1), self.result(depth - 1)]}
        return self.expression(2)

    def flag(self):
        kind = self.random.random()
        targeting = None
        if kind < 0.55:
            parts = []
            for _ in range(self.random.randrange(1, 4)):
                parts += [self.expression(2), self.result(1)]
            targeting = {"if": parts + ([self.result(1)] if self.random.random() < 0.7 else [])}
        elif kind < 0.75:
            targeting = self.split(1)
        elif kind < 0.95:
            targeting = self.expression(2)
        elif kind < 0.98:
            targeting = {}
        flag = {"state": "ENABLED" if self.random.random() < 0.98 else "DISABLED", "variants": {name: index for index, name in enumerate(NAMES)}}
        if self.random.random() < 0.8:
            flag["defaultVariant"] = self.one("pink", "blue", "green", True, None)
        if targeting is not None:
            flag["targeting"] = targeting
        return flag


def answer(core, context):
    evaluation = EvaluationContext(context["targetingKey"], context["attributes"])
    try:
        # What `log` writes is not for this file.
        with contextlib.redirect_stdout(io.StringIO()):
            details = core._resolve("flag", None, evaluation, None)
    except OpenFeatureError as error:
        return error.error_code.value
    except Exception:
        return "raises"
    return details.reason.value + ("" if details.variant is None else " " + details.variant)


def main():
    generator, deviations = Generator(int(sys.argv[1])), Deviations()
    contexts = [generator.context() for _ in range(400)]
    write([[context["targetingKey"], context["attributes"]] for context in contexts])
    for number in range(int(sys.argv[2])):
        flag = generator.flag()
        core = FlagdCore()
        core.set_flags({"flags": {"flag": json.loads(json.dumps(flag))}})
        answers = []
        for index in range(20):
            context = contexts[(number * 20 + index) % len(contexts)]
            theirs = answer(core, context)
            with deviations:
                livery = answer(core, context)
            answers.append(livery if livery == theirs else livery + "\t" + theirs)
        known = sorted(set(answers))
        write([json.dumps(flag, ensure_ascii=False), known, "".join("0123456789abcdefghij"[known.index(found)] for found in answers)])


def write(line):
    print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


main()
