#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the splits that ConfigRulesTests compares with, by flagd's Python packages of one algorithm:

    python3 -m venv env && env/bin/pip install PACKAGE
    env/bin/python buckets.py ALGORITHM SEED CASES >> buckets.jsonl

flagd-1: openfeature-provider-flagd==0.3.0, flagd-2: openfeature-flagd-core==1.0.0, flagd-3: openfeature-flagd-core==2.0.0

Each line has the algorithm, the key of the flag, the targeting key, the attributes, the arguments of `fractional`, and the
variant, or null.
"""

import json
import logging
import random
import sys

from openfeature.evaluation_context import EvaluationContext

try:
    from openfeature.contrib.tools.flagd.core.targeting.targeting import targeting
except ImportError:
    from openfeature.contrib.provider.flagd.resolvers.process.targeting import targeting

logging.disable(logging.CRITICAL)


def main(algorithm, seed, cases):
    random.seed(f"{algorithm} {seed}")
    text = lambda: "".join(random.choice("ab-z0é水😀") for _ in range(random.randrange(1, 24)))
    for _ in range(cases):
        flag, user, email = random.choice(["a", "app.color", text()]), text(), text()
        attributes = {"email": email, "n": random.choice([0, 7, 1.5, True])}
        source = random.choice([
            [], [], [{"var": "email"}], [{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}],
            [{"cat": ["salt", {"var": "targetingKey"}]}], [{"var": "n"}],
        ])
        count = random.randrange(1, 5)
        highest = random.choice([1, 3, 100, 1000, 400_000_000])
        parts = [[f"v{i}", random.randrange(0 if i else 1, highest + 1)] for i in range(count)]
        if random.random() < 0.2:
            parts[0] = ["v0"]
        arguments = source + parts
        variant = targeting(flag, {"fractional": arguments}, EvaluationContext(user, attributes))
        print(json.dumps([algorithm, flag, user, attributes, arguments, variant], ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
