"""Golden values of rliable for train/suite: interquartile mean, performance profile and probability of improvement.

    python3 -m venv v && v/bin/pip install rliable==1.2.0 'pandas<3'
    v/bin/python experiments/yardsticks/rliable_golden.py > train/suite/testdata/rliable.json
"""

import json

import numpy as np
from rliable import library, metrics

rng = np.random.default_rng(20261122)
thresholds = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25]
cases = []
for runs, tasks in [(1, 1), (2, 3), (3, 1), (5, 5), (5, 19), (7, 4), (10, 26)]:
    # Two decimals, so that scores are equal now and then, and some on a threshold.
    x = np.round(rng.normal(0.6, 0.5, (runs, tasks)), 2)
    y = np.round(rng.normal(0.5, 0.4, (runs + 1, tasks)), 2)
    profile, _ = library.create_performance_profile({"x": x}, np.array(thresholds), reps=2)
    cases.append({
        "x": x.tolist(),
        "y": y.tolist(),
        "iqm": float(metrics.aggregate_iqm(x)),
        "profile": [float(v) for v in profile["x"]],
        "improvement": float(metrics.probability_of_improvement(x, y)),
    })
print(json.dumps({"rliable": "1.2.0", "thresholds": thresholds, "cases": cases}))
