#!/usr/bin/env python3
"""The learning step of `powderkeg bench net`, in JAX on the processor: jitted whole, Adam by hand.

    powderkeg bench net --beside 'python3 experiments/yardsticks/jax_step.py'
"""

import jax
import jax.numpy as jnp

from contender import contend

ROWS, INPUTS, HIDDEN, ACTIONS, SEATS = 1024, 512, 256, 512, 2


def linear(key, inputs, outputs):
    """Weights and biases of a layer."""
    return jax.random.normal(key, (inputs, outputs)) / jnp.sqrt(inputs), jnp.zeros(outputs)


def loss(weights, b):
    """The loss of PPO."""
    (w1, b1), (w2, b2), (wp, bp), (wv, bv) = weights
    x = jax.nn.relu(b["observations"] @ w1 + b1)
    x = jax.nn.relu(x @ w2 + b2)
    log_policy = jax.nn.log_softmax(jnp.where(b["mask"], x @ wp + bp, -1e9))
    values = x @ wv + bv
    taken = jnp.take_along_axis(log_policy, b["action"][:, None], 1)[:, 0]
    ratio = jnp.exp(taken - b["log_prob"])
    surrogate = jnp.minimum(ratio * b["advantage"], jnp.clip(ratio, 0.8, 1.2) * b["advantage"])
    entropy = -(jnp.exp(log_policy) * log_policy).sum(1)
    value = 0.5 * ((values - b["target"]) ** 2).mean(1)
    return -surrogate.mean() + 0.5 * value.mean() - 0.01 * entropy.mean()


@jax.jit
def update(state, b):
    """Forward, backward, norm clip, Adam."""
    weights, first, second, t = state
    each = jax.tree_util.tree_map
    gradient = jax.grad(loss)(weights, b)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree_util.tree_leaves(gradient)))
    gradient = each(lambda g: g * jnp.minimum(1, 0.5 / (norm + 1e-6)), gradient)
    first = each(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
    second = each(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
    weights = each(
        lambda w, m, v: w - 3e-4 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-5), weights, first, second
    )
    return weights, first, second, t + 1


def main():
    keys = jax.random.split(jax.random.PRNGKey(1), 8)
    weights = [
        linear(keys[0], INPUTS, HIDDEN), linear(keys[1], HIDDEN, HIDDEN), linear(keys[2], HIDDEN, ACTIONS), linear(keys[3], HIDDEN, SEATS)
    ]
    action = jax.random.randint(keys[4], (ROWS,), 0, ACTIONS)
    b = {
        "observations": jax.random.normal(keys[5], (ROWS, INPUTS)),
        "mask": jax.random.bernoulli(keys[6], 0.5, (ROWS, ACTIONS)).at[jnp.arange(ROWS), action].set(True),
        "action": action,
        "log_prob": jnp.full((ROWS,), -5.0),
        "advantage": jax.random.normal(keys[7], (ROWS,)),
        "target": jnp.zeros((ROWS, SEATS)),
    }
    zero = jax.tree_util.tree_map(jnp.zeros_like, weights)
    state = [(weights, zero, zero, 1.0)]

    def step():
        state[0] = jax.block_until_ready(update(state[0], b))
        return ROWS

    contend(f"JAX {jax.__version__}", step)


if __name__ == "__main__":
    main()
