"""PyTorch's DataLoader reads transitions: torch_dataset.py ADDRESS. Run where torch is installed."""

import sys

import numpy as np
import powderkeg
import torch

with powderkeg.connect(sys.argv[1]) as client:
    data = client.dataset("leduc", ["random"], 30, seed=5).transitions()
batches = list(torch.utils.data.DataLoader(data.torch(), batch_size=10, shuffle=False))
for name, values in (
    ("observation", data.observations), ("mask", data.masks), ("next_observation", data.next_observations), ("next_mask", data.next_masks),
    ("action", data.actions), ("reward", data.rewards), ("return", data.returns), ("terminated", data.terminated), ("truncated", data.truncated),
):  # fmt: skip
    np.testing.assert_array_equal(torch.cat([b[name] for b in batches]).numpy(), values, name)
assert batches[0]["action"].dtype == torch.int64, batches[0]["action"].dtype
assert data.torch()[3]["observation"].tolist() == data.observations[3].tolist()
print(len(data), "transitions agree")
