#!/usr/bin/env python3
"""A whole loop of PPO by self-play in PyTorch over OpenSpiel's states, as one would write it in an
afternoon: the work of `powderkeg bench train experiments/yardsticks/GAME.yaml`, decision by decision.

64 games side by side for 64 decisions each; one network plays every seat, two hidden layers of 256; 4
epochs in minibatches of 512; returns to the end of the game, bootstrapped where the rollout ends. A unit is a
decision that was played and learned from.

    powderkeg bench train experiments/yardsticks/leduc.yaml --beside 'python3 experiments/yardsticks/torch_ppo.py leduc_poker'
"""

import argparse
import os
import random

import numpy as np
import pyspiel
import torch
from torch import nn

from contender import contend

ENVS, STEPS, EPOCHS, MINIBATCH, HIDDEN = 64, 64, 4, 512, 256


class Learner:
    """Games, a network, and what an update needs of both."""

    def __init__(self, name):
        self.game = pyspiel.load_game(name)
        self.tensor = self.game.get_type().provides_information_state_tensor
        size = self.game.information_state_tensor_size() if self.tensor else self.game.observation_tensor_size()
        actions = self.game.num_distinct_actions()
        self.torso = nn.Sequential(nn.Linear(size, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.policy, self.value = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)
        self.weights = [*self.torso.parameters(), *self.policy.parameters(), *self.value.parameters()]
        self.optimiser = torch.optim.Adam(self.weights, lr=1e-3)
        self.states = [self.begin() for _ in range(ENVS)]
        shape = (STEPS, ENVS)
        self.observations, self.masks = np.zeros((*shape, size), np.float32), np.zeros((*shape, actions), bool)
        self.actions, self.seats = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.log_probs, self.values, self.returns = (np.zeros(shape, np.float32) for _ in range(3))

    def begin(self):
        return self.settle(self.game.new_initial_state())

    @staticmethod
    def settle(state):
        """Draws chance until a seat is to act."""
        while state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes())
            state.apply_action(random.choices(actions, odds)[0])
        return state

    def forward(self, observations, masks):
        x = self.torso(observations)
        return torch.distributions.Categorical(logits=self.policy(x).masked_fill(~masks, -1e9)), self.value(x)[:, 0]

    def play(self):
        """A rollout. What has not ended is worth what the network said of it."""
        open_decisions = [[[] for _ in range(self.game.num_players())] for _ in range(ENVS)]
        for t in range(STEPS):
            for i, state in enumerate(self.states):
                seat = self.seats[t, i] = state.current_player()
                self.observations[t, i] = state.information_state_tensor(seat) if self.tensor else state.observation_tensor(seat)
                self.masks[t, i] = state.legal_actions_mask(seat)
            with torch.no_grad():
                policy, values = self.forward(torch.from_numpy(self.observations[t]), torch.from_numpy(self.masks[t]))
                actions = policy.sample()
            self.actions[t], self.log_probs[t], self.values[t] = actions.numpy(), policy.log_prob(actions).numpy(), values.numpy()
            for i, state in enumerate(self.states):
                open_decisions[i][self.seats[t, i]].append(t)
                state.apply_action(int(self.actions[t, i]))
                self.settle(state)
                if state.is_terminal():
                    for seat, value in enumerate(state.returns()):
                        self.returns[open_decisions[i][seat], i] = value
                        open_decisions[i][seat] = []
                    self.states[i] = self.begin()
        for i, seats in enumerate(open_decisions):
            for decisions in seats:
                self.returns[decisions, i] = self.values[decisions, i]

    def learn(self):
        rows = STEPS * ENVS
        observations, masks, actions, log_probs, returns, values = (
            torch.from_numpy(x.reshape(rows, *x.shape[2:]))
            for x in (self.observations, self.masks, self.actions, self.log_probs, self.returns, self.values)
        )
        advantages = returns - values
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for _ in range(EPOCHS):
            for some in torch.randperm(rows).split(MINIBATCH):
                policy, now = self.forward(observations[some], masks[some])
                ratio = (policy.log_prob(actions[some]) - log_probs[some]).exp()
                surrogate = torch.minimum(ratio * advantages[some], ratio.clamp(0.8, 1.2) * advantages[some])
                loss = -surrogate.mean() + 0.5 * (now - returns[some]).square().mean() - 0.01 * policy.entropy().mean()
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.weights, 0.5)
                self.optimiser.step()

    def update(self):
        self.play()
        self.learn()
        return ENVS * STEPS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game of OpenSpiel's, such as leduc_poker or connect_four")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads of PyTorch")
    args = parser.parse_args()
    torch.manual_seed(1)
    random.seed(1)
    torch.set_num_threads(args.threads)
    contend(f"PyTorch {torch.__version__.split('+')[0]} over OpenSpiel", Learner(args.game).update)


if __name__ == "__main__":
    main()
