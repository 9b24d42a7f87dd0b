# SPDX-License-Identifier: Apache-2.0
"""Evaluates flags again and again with flagd's own evaluator, and prints the nanoseconds of one round and the last variant.

The arguments are the flags as flagd's file has them, the context, the keys with commas in between, the number of rounds, and the
number of users: each round is for another one, with a context of its own; 0 for the user of the context in each."""

import json
import sys
import time

from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext

flags, members, keys = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].split(",")
count, users = int(sys.argv[4]), int(sys.argv[5])
core = FlagdCore()
core.set_flags(flags)
context = EvaluationContext(members.pop("targetingKey", None), members)
for _ in range(100):
    core.resolve_string_value(keys[0], "", context)
start = time.process_time_ns()
if users:
    for number in range(count):
        context = EvaluationContext(f"user-{number % users}", members)
        for key in keys:
            variant = core.resolve_string_value(key, "", context).variant
else:
    for _ in range(count):
        variant = core.resolve_string_value(keys[0], "", context).variant
print((time.process_time_ns() - start) / count, variant)
