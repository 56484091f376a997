"""Compares an NPZ file, loaded in one line, with what Go has replayed.

compare.py FILE.npz EXPECTED.json
"""
import json
import sys

import numpy as np

data = np.load(sys.argv[1])

with open(sys.argv[2], encoding="utf-8") as f:
    expected = json.load(f)

names = sorted(expected["columns"])
assert sorted(data.files) == names, (sorted(data.files), names)
for name in names:
    want = expected["columns"][name]
    got = data[name]
    assert got.dtype == np.dtype(want["dtype"]), (name, got.dtype, want["dtype"])
    assert list(got.shape) == want["shape"], (name, got.shape, want["shape"])
    if want["values"] is not None:
        values = np.array(want["values"], dtype=want["dtype"]).reshape(want["shape"])
        assert np.array_equal(got, values), name

# What the README promises about lists, text, metadata and rewards.
rows = len(data["action"])
chance = [data["chance"][a:b].tolist() for a, b in zip(data["chance_offsets"], data["chance_offsets"][1:])]
assert chance == expected["chance"], "chance"
text = [bytes(data["text"][a:b]).decode() for a, b in zip(data["text_offsets"], data["text_offsets"][1:])]
assert text == expected["text"], "text"
meta = json.loads(bytes(data["metadata"]))
fields = {f["name"]: slice(f["offset"], f["offset"] + f["size"]) for f in meta["layout"]["fields"]}
assert data["observation"][:, fields["seat"]].argmax(axis=1).tolist() == data["actor"].tolist(), "seat"
assert data["mask"][np.arange(rows), data["action"]].all(), "legal"
first = data["step"] == 0
total = np.add.reduceat(data["rewards"], np.flatnonzero(first))
assert np.array_equal(total, data["returns"][first]), "rewards add up to returns"
own = data["returns"][np.arange(rows), data["actor"]]
assert own.shape == (rows,)
print(rows, "rows agree")
