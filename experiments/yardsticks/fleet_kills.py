"""Trains Jogu with two workers of which one is killed every few seconds, and says how strong it is.

    python3 experiments/yardsticks/fleet_kills.py bin/powderkeg --run runs/kills

The configuration is that of `make train`; compare the closing evaluations of both. A worker is
killed without warning (SIGKILL), each in turn; the learner starts another in its place.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import time

from fleet_scaling import children


def main():
    """Trains, kills, tells."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--run", required=True, type=pathlib.Path)
    parser.add_argument("--config", default="experiments/configs/jogu/quick.yaml")
    parser.add_argument("--every", type=float, default=10, help="seconds between two kills")
    args = parser.parse_args()
    learner = subprocess.Popen([args.program, "train", args.config, "--run", str(args.run), "--workers", "2"])
    begin, killed = time.monotonic(), 0
    try:
        while True:
            try:
                learner.wait(args.every)
                break
            except subprocess.TimeoutExpired:
                pass
            if workers := sorted(children(learner.pid)):
                os.kill(workers[0], signal.SIGKILL)  # the oldest
                killed += 1
    finally:
        learner.terminate()
        learner.wait()
    print(f"{killed} workers killed in {time.monotonic() - begin:.0f} s; exit status {learner.returncode}")
    for line in (args.run / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["kind"] == "evaluation" and row.get("closing"):
            print(json.dumps(row))


if __name__ == "__main__":
    main()
