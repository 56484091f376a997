"""Datasets as transitions, and their files in the libraries that people read them with."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import tracemalloc
import unittest
import warnings
from pathlib import Path
from typing import Any, Dict, List, Tuple
from unittest import mock

import numpy as np

import powderkeg
from powderkeg import program

from . import served

#: Game, agents, episodes, cap on decisions.
CASES: Tuple[Tuple[str, List[str], int, int], ...] = (
    ("leduc", ["random", "scripted"], 30, 0),
    ("jogu(first=wu)", ["scripted"], 3, 0),
    ("connect4", ["random"], 12, 9),
    ("domination(players=3)", ["random"], 1, 200),
    ("bloc", ["random"], 2, 60),
)


def export(folder: str, case: Tuple[str, List[str], int, int], *more: str) -> None:
    """Runs powderkeg export, with three episodes a file."""
    game, agents, episodes, cap = case
    words = [w for a in agents for w in ("--agent", a)]
    command = [
        program.find(), "export", game, *words, "--episodes", str(episodes), "--max-decisions", str(cap), "--seed", "5",
        "--shard-episodes", "3", "--out", folder, *more,
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)


class TransitionsTest(served.ServedTest):
    def lived(self, case: Tuple[str, List[str], int, int]) -> List[Dict[str, Any]]:
        """Plays the rows of a dataset again, and returns what each seat lives through."""
        game, agents, episodes, cap = case
        env = self.client.make(game, max_decisions=cap)
        rows = self.client.dataset(game, agents, episodes, seed=5, max_decisions=cap)
        seats = range(env.spec.seats)
        all_: List[Dict[str, Any]] = []
        open_: Dict[int, Dict[str, Any]] = {}
        for batch in rows:
            for i, action in enumerate(batch.actions):
                if batch.steps[i] == 0:
                    env.reset(int(batch.seeds[i]))
                    open_ = {}
                step = env.last
                first = step.actor not in open_
                if not first:
                    open_[step.actor].update(next=step.observation, next_mask=step.mask)
                open_[step.actor] = {
                    "seat": step.actor, "observation": step.observation, "mask": step.mask, "action": action, "reward": 0.0, "first": first,
                    "terminated": False, "truncated": False, "episode": batch.episodes[i], "return": batch.returns[i][step.actor],
                }  # fmt: skip
                all_.append(open_[step.actor])
                step = env.step(int(action))
                for seat in open_:
                    open_[seat]["reward"] += float(step.rewards[seat])
                if step.done:
                    for seat in seats:
                        if seat in open_:
                            end = {"next": env.observe(seat).values, "next_mask": 0 * step.mask}
                            open_[seat].update(end, terminated=step.terminated, truncated=step.truncated)
        return all_

    def same(self, data: powderkeg.Transitions, want: List[Dict[str, Any]]) -> None:
        for name, values in (
            ("seat", data.actors), ("observation", data.observations), ("mask", data.masks), ("action", data.actions), ("first", data.is_first),
            ("terminated", data.terminated), ("truncated", data.truncated), ("next", data.next_observations), ("next_mask", data.next_masks),
            ("episode", data.episodes), ("return", data.returns),
        ):  # fmt: skip
            np.testing.assert_array_equal(values, np.array([w[name] for w in want]), name)
        np.testing.assert_allclose(data.rewards, [w["reward"] for w in want], rtol=0, atol=1e-6)
        self.assertEqual((data.masks.dtype, data.is_first.dtype, data.terminated.dtype, data.rewards.dtype), (bool, bool, bool, np.float32))

    def test_transitions_are_what_each_seat_lives_through(self) -> None:
        for case in CASES:
            want = self.lived(case)
            game, agents, episodes, cap = case
            with self.subTest(game, of="stream"), self.client.dataset(game, agents, episodes, seed=5, max_decisions=cap, rows=100) as rows:
                self.same(rows.transitions(), want)
            for form in ("npz", "parquet", "arrow"):
                with self.subTest(game, of=form), tempfile.TemporaryDirectory() as folder:
                    export(folder, case, "--format", form)
                    self.same(powderkeg.load_dataset(folder), want)
                    self.same(powderkeg.load_dataset(folder, seat=1), [w for w in want if w["seat"] == 1])
                    if episodes > 4:
                        self.same(powderkeg.load_dataset(folder, episodes=4), [w for w in want if w["episode"] < 4])
                        file = min(Path(folder).glob(f"*.{form}"))
                        self.same(powderkeg.load_dataset(file, episodes=2), [w for w in want if w["episode"] < 2])

    def test_the_libraries_read_the_files(self) -> None:
        import duckdb
        import pandas
        import polars
        import pyarrow.dataset
        import pyarrow.feather

        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as arrow:
            export(folder, CASES[0], "--text")
            export(arrow, CASES[0], "--text", "--format", "arrow")
            data = powderkeg.load_dataset(folder)
            n = len(data)
            frame = pandas.read_parquet(folder)
            table = pyarrow.dataset.dataset(folder, format="parquet").to_table()
            frames = {
                "pandas": frame, "polars": polars.read_parquet(f"{folder}/*.parquet").to_pandas(), "pyarrow": table.to_pandas(),
                "arrow": pyarrow.dataset.dataset(arrow, format="arrow").to_table().to_pandas(),
                "polars, arrow": polars.concat([polars.read_ipc(f) for f in sorted(Path(arrow).glob("*.arrow"))]).to_pandas(),
                "feather": pandas.concat([pandas.read_feather(f) for f in sorted(Path(arrow).glob("*.arrow"))]),
            }  # fmt: skip
            for name, f in frames.items():
                with self.subTest(name):
                    self.assertEqual(len(f), n)
                    np.testing.assert_array_equal(np.stack([np.asarray(x) for x in f["observation"]]), data.observations)
                    np.testing.assert_array_equal(f["action"], data.actions)
                    self.assertEqual(f["terminated"].dtype, bool)
                    self.assertEqual(len(f[f["terminated"]]), 30)
                    self.assertEqual(int(f["final_observation"].map(len).gt(0).sum()), int((data.terminated | data.truncated).sum()))
                    self.assertTrue(f["text"].iloc[0].startswith("seat 0: "))
            actors, actions = duckdb.sql(f"select actor, action from '{folder}/*.parquet' order by episode, step").fetchnumpy().values()
            np.testing.assert_array_equal(actors, data.actors)
            np.testing.assert_array_equal(actions, data.actions)

    def test_pandas_and_polars(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            export(folder, CASES[0])
            data = powderkeg.load_dataset(folder)
        names = [data.info["actions"][a] for a in data.actions]
        frame = data.pandas()
        self.assertEqual(list(frame["action"]), names)
        np.testing.assert_array_equal(np.stack(frame["next_observation"]), data.next_observations)
        self.assertAlmostEqual(frame[frame.actor == 0].groupby("episode")["reward"].sum().sum(), float(data.rewards[data.actors == 0].sum()), 4)
        table = data.polars()
        self.assertEqual(table["action"].to_list(), names)
        np.testing.assert_array_equal(table["observation"].to_numpy(), data.observations)
        np.testing.assert_array_equal(table["next_mask"].to_numpy(), data.next_masks)
        self.assertEqual(table["return"].to_list(), data.returns.tolist())
        np.testing.assert_array_equal(data.field("private"), data.observations[:, data.fields["private"].slice])
        with self.assertRaisesRegex(KeyError, "no field 'hand'; fields: "):
            data.field("hand")
        self.assertEqual(repr(data), f"Transitions({len(data)} of 30 games of leduc by random, scripted)")
        seen = np.concatenate([b.steps + 100 * b.episodes for b in data.batches(16, np.random.default_rng(1))])
        np.testing.assert_array_equal(np.sort(seen), data.steps + 100 * data.episodes)

    def test_minari_takes_a_seat_and_brings_its_environment_back(self) -> None:
        import minari
        from powderkeg.minari import create_dataset

        warnings.simplefilter("ignore", UserWarning)  # it would like to have an address for mail
        case = ("jogu(first=wu)", ["scripted", "random"], 4, 0)
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"MINARI_DATASETS_PATH": folder}):
            export(folder + "/files", case)
            data = powderkeg.load_dataset(folder + "/files")
            made = create_dataset(data, "powderkeg/jogu-scripted-v0", seat=0, author="nobody")
            self.assertEqual((made.total_episodes, made.total_steps), (4, int((data.actors == 0).sum())))
            read = minari.load_dataset("powderkeg/jogu-scripted-v0")
            own = data.select(data.actors == 0)
            episodes = list(read.iterate_episodes())
            np.testing.assert_array_equal(np.concatenate([e.actions for e in episodes]), own.actions)
            np.testing.assert_array_equal(np.concatenate([e.observations["observation"][:-1] for e in episodes]), own.observations)
            np.testing.assert_array_equal(episodes[2].observations["observation"][-1], own.next_observations[own.episodes == 2][-1])
            self.assertEqual([int(e.terminations.sum()) for e in episodes], [1] * 4)
            with read.recover_environment() as env:
                observation, _ = env.reset(seed=1)
                self.assertIn(observation, read.observation_space)
                self.assertEqual(env.unwrapped.game_spec.game, "jogu(first=wu)")
                self.assertEqual(env.unwrapped.agents, (None, "random"))
            with self.assertRaisesRegex(ValueError, "seat is 2, it must be from 0 to 1"):
                create_dataset(data, "powderkeg/jogu-none-v0", seat=2)

    def test_batches_of_files_are_the_transitions(self) -> None:
        for case in CASES:
            for form in ("npz", "parquet", "arrow"):
                with self.subTest(case[0], of=form), tempfile.TemporaryDirectory() as folder:
                    export(folder, case, "--format", form)
                    whole = powderkeg.load_dataset(folder)
                    files = powderkeg.open_dataset(folder)
                    self.assertEqual((files.info, {f.name: f for f in files.fields}), (whole.info, whole.fields))
                    for size, pool in ((7, 1), (64, 50), (10_000, 10)):
                        self.alike(list(files.batches(size, pool=pool)), size, whole)
                    first = min(Path(folder).glob(f"*.{form}"))
                    self.alike(list(powderkeg.open_dataset(first, episodes=2, seat=1).batches(5)), 5, powderkeg.load_dataset(first, episodes=2, seat=1))
                    drawn = list(files.batches(16, np.random.default_rng(3), pool=20))
                    again = list(files.batches(16, np.random.default_rng(3), pool=20))
                    place = {key: i for i, key in enumerate(zip(whole.episodes, whole.steps))}
                    order = [place[key] for b in drawn for key in zip(b.episodes, b.steps)]
                    self.assertEqual(sorted(order), list(range(len(whole))))
                    self.assertNotEqual(order, sorted(order))
                    self.assertEqual(order, [place[key] for b in again for key in zip(b.episodes, b.steps)])
                    self.alike(drawn, 16, whole.select(np.array(order)))

    def alike(self, batches: List[powderkeg.Transitions], size: int, whole: powderkeg.Transitions) -> None:
        """Compares batches, one after another, with the whole."""
        self.assertEqual([len(b) for b in batches[:-1]], [size] * (len(batches) - 1))
        self.assertLessEqual(len(batches[-1]), size)
        for name in (
            "observations", "masks", "actions", "rewards", "returns", "next_observations", "next_masks", "terminated", "truncated", "is_first",
            "actors", "episodes", "steps",
        ):  # fmt: skip
            np.testing.assert_array_equal(np.concatenate([getattr(b, name) for b in batches]), getattr(whole, name), name)

    def test_memory_of_batches_does_not_grow_with_the_files(self) -> None:
        for form in ("npz", "parquet", "arrow"):
            peaks = {}
            for episodes in (60, 600):
                with self.subTest(form), tempfile.TemporaryDirectory() as folder:
                    export(folder, ("connect4", ["random"], episodes, 0), "--format", form, "--shard-episodes", str(episodes))
                    tracemalloc.start()
                    rows = sum(len(b) for b in powderkeg.open_dataset(folder).batches(64, np.random.default_rng(1), pool=500))
                    peaks[episodes] = tracemalloc.get_traced_memory()[1]
                    tracemalloc.stop()
                    self.assertGreater(rows, 15 * episodes)
            # The pieces of a file are of some thousand rows, all of a small one.
            self.assertLess(peaks[600], 4 * peaks[60] + (4 << 20), form)

    def test_damage_is_told_by_file(self) -> None:
        for form in ("npz", "parquet", "arrow"):
            with self.subTest(form), tempfile.TemporaryDirectory() as folder:
                export(folder, CASES[0], "--format", form)
                whole = powderkeg.load_dataset(folder)
                file = sorted(Path(folder).glob(f"*.{form}"))[4]
                sound = file.read_bytes()
                flipped = bytearray(sound)
                flipped[len(flipped) // 2] ^= 1
                file.write_bytes(flipped)
                for read in (lambda: powderkeg.load_dataset(folder), lambda: powderkeg.load_dataset(file), lambda: list(powderkeg.open_dataset(folder).batches(9))):
                    with self.assertRaisesRegex(powderkeg.DatasetError, f"{file.name}: the file is damaged: its SHA-256 is [0-9a-f]+, its manifest says [0-9a-f]+; export it anew$"):
                        read()
                self.assertEqual(len(powderkeg.load_dataset(folder, episodes=12)), int((whole.episodes < 12).sum()))
                for what, content in (("cut off", sound[: len(sound) // 2]), ("empty", b""), ("text", b"nothing\n" * 100)):
                    with self.subTest(what):
                        file.write_bytes(content)
                        with self.assertRaisesRegex(powderkeg.DatasetError, f"{file.name}: it cannot be read .*; export it anew$") as caught:
                            powderkeg.load_dataset(folder, verify=False)
                        self.assertNotIn("\n", str(caught.exception))
                file.unlink()
                with self.assertRaisesRegex(powderkeg.DatasetError, f"{file.name}: the file is gone"):
                    powderkeg.load_dataset(folder)
        with tempfile.TemporaryDirectory() as folder:
            export(folder, CASES[0])
            for text in ("", "[]", "{}", json.dumps({"format": "powderkeg-dataset/2", "config": {"episodes": 3}, "shards": [{"file": "a"}]})):
                Path(folder, "_dataset.json").write_text(text)
                with self.assertRaisesRegex(powderkeg.DatasetError, r"_dataset\.json: ") as refused:
                    powderkeg.load_dataset(folder)
                self.assertNotIn("\n", str(refused.exception))

    def test_what_is_no_dataset_is_refused_in_a_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FileNotFoundError, "no such file or folder"):
                powderkeg.load_dataset(folder + "/none")
            with self.assertRaisesRegex(powderkeg.DatasetError, "it has no _dataset.json; powderkeg export makes one"):
                powderkeg.load_dataset(folder)
            export(folder, CASES[0])
            with self.assertRaisesRegex(ValueError, "seat is 7, it must be from 0 to 1"):
                powderkeg.load_dataset(folder, seat=7)
            with self.assertRaisesRegex(powderkeg.DatasetError, r"_card.md is no file of a dataset; they end in \.parquet, \.arrow or \.npz"):
                powderkeg.load_dataset(folder + "/_card.md")
            manifest = Path(folder, "_dataset.json")
            facts = json.loads(manifest.read_text())
            manifest.write_text(json.dumps({**facts, "shards": facts["shards"][:2]}))
            with self.assertRaisesRegex(powderkeg.DatasetError, "the export stopped before episode 6 of 30"):
                powderkeg.load_dataset(folder)
            manifest.write_text(json.dumps({**facts, "format": "powderkeg-dataset/1"}))
            with self.assertRaisesRegex(powderkeg.DatasetError, "it has format 'powderkeg-dataset/1', this package reads 'powderkeg-dataset/2'"):
                powderkeg.load_dataset(folder)
