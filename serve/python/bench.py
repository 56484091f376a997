"""Measures a server from Python: round trips of single steps and acts, and the
throughput of a vectorised environment, all seats played here, and one seat against
opponents as powderkeg.gymnasium_vector.VectorEnv has it. The two take turns, so that what
else the machine does weighs on both.

    python bench.py [ADDRESS] [--game leduc] [--envs 1024] [--seconds 3] [--agent random]
                    [--opponents random] [--json]
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Dict, List, Optional

import numpy as np

import powderkeg
from powderkeg.gymnasium_vector import VectorEnv


def quantiles(name: str, seconds: List[float]) -> Dict[str, float]:
    """Returns p50 and p99 in seconds."""
    if not seconds:
        return {}
    p50, p99 = np.quantile(seconds, [0.5, 0.99])
    return {f"{name}_p50_seconds": float(p50), f"{name}_p99_seconds": float(p99)}


def single(client: powderkeg.Client, game: str, agent: Optional[str], seconds: float) -> Dict[str, Any]:
    """Measures steps of random play, and an act at each decision."""
    env = client.make(game, seed=1)
    bot = client.load_agent(game, agent) if agent else None
    rng = np.random.default_rng(1)
    acts: List[float] = []
    steps: List[float] = []
    step, end = env.last, time.perf_counter() + seconds
    while time.perf_counter() < end:
        if step.done:
            step = env.reset()
            continue
        if bot is not None:
            begin = time.perf_counter()
            bot.act(env)
            acts.append(time.perf_counter() - begin)
        action = rng.choice(step.legal)
        begin = time.perf_counter()
        step = env.step(action)
        steps.append(time.perf_counter() - begin)
    env.close()
    return {"acts": len(acts), **quantiles("act", acts), "steps": len(steps), **quantiles("step", steps)}


def vector(client: powderkeg.Client, game: str, envs: int, seconds: float, opponents: str) -> Dict[str, Any]:
    """Measures vectorised steps of random play, the choice of actions included."""
    rng = np.random.default_rng(1)
    vec = client.make_vec(game, envs)
    gym = VectorEnv(game, envs, opponents=opponents, client=client)
    masks = [vec.reset(seed=1).masks, gym.reset(seed=1)[1]["action_mask"].view(np.uint8)]
    took, steps = [0.0, 0.0], [0, 0]

    def step(which: int) -> None:
        actions = powderkeg.random_actions(masks[which], rng)
        masks[which] = vec.step(actions).masks if which == 0 else gym.step(actions)[4]["action_mask"].view(np.uint8)

    while took[0] < seconds:
        for which in (0, 1):
            begin, end = time.perf_counter(), time.perf_counter() + seconds / 10
            while time.perf_counter() < end:
                step(which)
                steps[which] += 1
            took[which] += time.perf_counter() - begin
    vec.close()
    gym.close()
    native, against = (n * envs / t for n, t in zip(steps, took))
    return {
        "envs": envs, "vec_steps": steps[0], "vec_decisions_per_second": native,
        "opponents": opponents, "gymnasium_decisions_per_second": against, "vec_over_gymnasium": native / against,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--envs", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--agent", help="agent string; without one no acts are measured")
    parser.add_argument("--opponents", default="random", help="agent string of the other seats of VectorEnv")
    parser.add_argument("--json", action="store_true")
    o = parser.parse_args()
    with powderkeg.connect(o.address) as client:
        result = {"game": o.game, **single(client, o.game, o.agent, o.seconds)}
        result.update(vector(client, o.game, o.envs, o.seconds, o.opponents))
    if o.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:28} {value:.6g}" if isinstance(value, float) else f"{name:28} {value}")


if __name__ == "__main__":
    main()
