"""Behaviour cloning: a network learns to play as an agent of the server does, from a dataset
of its play, and beats the random player.

    powderkeg export tictactoe --agent "scripted(slips=0.3)" --episodes 20000 --format npz --out games
    python clone_torch.py --data games [--seconds 60]

Without --data the server plays the games at once (--game, --agent, --episodes). The slips
lead the agent into more situations than it would get into.
"""

from __future__ import annotations

import argparse

import curve
import torch
from ppo_torch import logits, policy
from weights_torch import from_checkpoint, to_checkpoint

import powderkeg
from powderkeg import weights


def read(client: powderkeg.Client, o: argparse.Namespace) -> powderkeg.Transitions:
    """Returns the dataset, and sets the game to that which it is of."""
    if o.data:
        data = powderkeg.load_dataset(o.data)
    else:
        with client.dataset(o.game, [o.agent], o.episodes, seed=o.seed) as dataset:
            data = dataset.transitions()
    o.game = data.info["config"]["game"]
    print(data)
    return data


def main() -> None:
    o = curve.options(
        __doc__, "tictactoe", agent=("scripted(slips=0.3)", "agent of the server to clone"), episodes=(20000, "games of it"),
        data=("", "folder of a dataset; the server plays one without"), minibatch=(512, "decisions per gradient"),
        rate=(1e-3, "learning rate"), hidden=(128, "width of the two hidden layers"),
        save=("", "folder of a checkpoint to write"),
    )  # fmt: skip
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client:
        data = read(client, o)
        obs, masks, actions = (torch.from_numpy(x) for x in (data.observations, data.masks, data.actions))
        start = weights.new(client.spec(o.game), [o.hidden, o.hidden], seed=o.seed)
        net = from_checkpoint(start)
        adam = torch.optim.Adam(net.parameters(), lr=o.rate)
        # A tenth of the games is kept to see how well the play of others is foretold.
        kept = torch.from_numpy(data.episodes % 10 == 0)
        learnt, held = torch.nonzero(~kept)[:, 0], torch.nonzero(kept)[:4096, 0]
        decisions = updates = 0
        with curve.Curve(client, o, logits(net)) as learning:
            while learning.goes_on(decisions):
                chosen = learnt[torch.randint(len(learnt), (o.minibatch,))]
                loss = -policy(net, obs[chosen], masks[chosen])[0].log_prob(actions[chosen]).mean()
                adam.zero_grad()
                loss.backward()
                adam.step()
                decisions, updates = decisions + o.minibatch, updates + 1
                if updates % 500 == 0:
                    with torch.no_grad():
                        foretold = policy(net, obs[held], masks[held])[0]
                    right = (foretold.probs.argmax(1) == actions[held]).float().mean()
                    print(f"update {updates}: loss {loss:.3f}; of games kept apart {right:.1%} of the actions foretold", flush=True)
        if o.save:
            weights.save(o.save, to_checkpoint(net, start))


if __name__ == "__main__":
    main()
