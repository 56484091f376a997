"""How much faster four workers play than one, where each has a processor's share of its own.

    python3 experiments/yardsticks/fleet_scaling.py bin/powderkeg --envs 1024 --pairs 3

Linux, root, cgroups of version 1 (/sys/fs/cgroup/cpu). Each worker gets a group with that share
of a processor, and the learner, with the broker inside it, all that is left, so that machines of
one processor each are simulated on one that has fewer than they have together. Pairs of runs,
one worker and four, one after the other; prints the decisions a second of each and the ratios.
"""

import argparse
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

CONFIG = """
game: jogu
seed: 1
updates: 100000
envs: ENVS
steps: 64
shards: 64
workers: 1
lag: 1
network: {hidden: [32]}
ppo: {epochs: 1, minibatch: 4096}
evaluation: {every: 0, closing_games: 20, tournament: 0}
checkpoints: {every: 100000}
"""
STEPS = 64
PERIOD = 20_000  # of the quotas, in microseconds: a long one makes a worker wait for its next turn
CGROUPS = pathlib.Path("/sys/fs/cgroup/cpu")


def children(pid):
    """The processes that a process has started."""
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in path.read_text().split()]
    return found


def updates(run):
    """How many updates a run has made."""
    path = run / "metrics.jsonl"
    return path.read_text().count('"kind":"update"') if path.exists() else 0


def measure(program, workers, quota, envs, seconds):
    """Decisions a second of a run with so many workers, after a warm-up of three updates."""
    groups = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "config.yaml").write_text(CONFIG.replace("ENVS", str(envs)))
        run = folder / "run"
        learner = subprocess.Popen(
            [program, "train", str(folder / "config.yaml"), "--run", str(run), "--workers", str(workers)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while len(pids := children(learner.pid)) < workers:
                if learner.poll() is not None:
                    raise SystemExit("the learner has ended")
                time.sleep(0.05)
            for pid in pids:
                group = CGROUPS / f"powderkeg-{pid}"
                group.mkdir()
                groups.append(group)
                (group / "cpu.cfs_period_us").write_text(str(PERIOD))
                (group / "cpu.cfs_quota_us").write_text(str(int(quota * PERIOD)))
                (group / "cgroup.procs").write_text(str(pid))
            first = updates(run) + 3
            while updates(run) < first:
                time.sleep(0.02)
            first, begin = updates(run), time.monotonic()
            while time.monotonic() < begin + seconds:
                time.sleep(0.1)
            last = updates(run)
            while updates(run) == last:  # to the end of an update
                time.sleep(0.02)
            return (updates(run) - first) * envs * STEPS / (time.monotonic() - begin)
        finally:
            learner.terminate()
            try:
                learner.wait(20)
            except subprocess.TimeoutExpired:
                learner.kill()
                learner.wait()
            for group in groups:
                for _ in range(100):
                    try:
                        group.rmdir()
                        break
                    except OSError:  # its process is still ending
                        time.sleep(0.1)


def main():
    """Measures the pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--quota", type=float, default=0.05, help="share of a processor that each worker has, 0.05 or more")
    parser.add_argument("--envs", type=int, default=1024, help="of an update, with 64 decisions each")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=30)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is ended
    ratios = []
    for _ in range(args.pairs):
        one = measure(args.program, 1, args.quota, args.envs, args.seconds)
        four = measure(args.program, 4, args.quota, args.envs, args.seconds)
        ratios.append(four / one)
        print(f"one worker {one:,.0f} decisions/s, four {four:,.0f}: {four / one:.2f} times", flush=True)
    print(f"median {statistics.median(ratios):.2f} times, {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
