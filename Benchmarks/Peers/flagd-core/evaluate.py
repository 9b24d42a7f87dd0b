# SPDX-License-Identifier: Apache-2.0
"""Evaluates one flag again and again with flagd's own evaluator, and prints the nanoseconds of one evaluation.

The arguments are the flags as flagd's file has them, the context, the key and how often."""

import json
import sys
import time

from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext

flags, members, key, count = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3], int(sys.argv[4])
core = FlagdCore()
core.set_flags(flags)
context = EvaluationContext(members.pop("targetingKey", None), members)
for _ in range(100):
    core.resolve_string_value(key, "", context)
start = time.process_time_ns()
for _ in range(count):
    variant = core.resolve_string_value(key, "", context).variant
print((time.process_time_ns() - start) / count, variant)
