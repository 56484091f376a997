"""What released versions offered is offered still: names, parameters in their order, and what may be left out.

python -m tests.test_released writes that of the version to be released, where there is none yet."""

import inspect
import json
import unittest
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import powderkeg
import powderkeg.gymnasium
import powderkeg.gymnasium_vector
import powderkeg.pettingzoo

FOLDER = Path(__file__).parent / "released"

#: A parameter: its name, whether it may be given by its place, and whether it may be left out.
Parameter = Tuple[str, bool, bool]

#: The parameters of each thing that can be called, by its name, and None for what cannot.
Offer = Dict[str, Optional[List[Parameter]]]

#: Classes that a program makes instances of; of all others functions return them, and how they are made is nobody's business.
MADE_BY_HAND = {
    "powderkeg.AgentServer", "powderkeg.Checkpoint", "powderkeg.Model", "powderkeg.gymnasium.Env", "powderkeg.gymnasium_vector.VectorEnv",
}


def parameters(thing: object) -> Optional[List[Parameter]]:
    try:
        signature = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    placed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    gathers = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [(p.name, p.kind in placed, p.kind in gathers or p.default is not p.empty) for p in signature.parameters.values()]


def offered() -> Offer:
    """What is public: the names of the package, and those of its classes but not of theirs."""
    things = {f"powderkeg.{name}": getattr(powderkeg, name) for name in powderkeg.__all__}
    things["powderkeg.gymnasium.Env"] = powderkeg.gymnasium.Env
    things["powderkeg.gymnasium_vector.VectorEnv"] = powderkeg.gymnasium_vector.VectorEnv
    things.update({f"powderkeg.pettingzoo.{name}": getattr(powderkeg.pettingzoo, name) for name in ("env", "raw_env", "parallel_env")})
    offer: Offer = {}
    for name, thing in things.items():
        offer[name] = parameters(thing) if name in MADE_BY_HAND or not inspect.isclass(thing) else None
        if not inspect.isclass(thing):
            continue
        members = {m for c in thing.__mro__ if c.__module__.startswith("powderkeg") for m in (*vars(c), *getattr(c, "__annotations__", {}))}
        for member in sorted(m for m in members if not m.startswith("_")):
            value = getattr(thing, member, None)
            offer[f"{name}.{member}"] = parameters(value) if inspect.isroutine(value) else None
    return offer


def lost(before: Offer, now: Offer) -> List[str]:
    """What a program written for one offer cannot do with another."""
    found = []
    for name, old in before.items():
        if name not in now:
            found.append(f"{name} is gone")
            continue
        new = now[name] or []
        places, names = [p[0] for p in new if p[1]], {p[0]: p for p in new}
        for i, (parameter, placed, optional) in enumerate(old or []):
            if parameter not in names:
                found.append(f"{name} takes no {parameter} any more")
            elif placed and places[i:i + 1] != [parameter]:
                found.append(f"{name}: {parameter} is not in its place")
            elif optional and not names[parameter][2]:
                found.append(f"{name}: {parameter} cannot be left out any more")
        found += [f"{name} needs {p[0]}" for p in new if not p[2] and p[0] not in [o[0] for o in old or []]]
    return found


class Released(unittest.TestCase):
    def test_nothing_is_lost(self) -> None:
        files = sorted(FOLDER.glob("*.json"))
        self.assertTrue(files)
        for path in files:
            self.assertEqual(lost(json.loads(path.read_text()), offered()), [], path.name)

    def test_losses_are_found(self) -> None:
        before: Offer = {"f": [("a", True, False), ("b", True, True), ("c", False, True)], "x": None}
        for now, want in (
            ({"f": [("a", True, False), ("b", True, True), ("new", True, True), ("c", False, True)], "x": None, "y": None}, []),
            ({"f": before["f"]}, ["x is gone"]),
            ({"f": [("b", True, True), ("a", True, False), ("c", False, True)], "x": None}, ["f: a is not in its place", "f: b is not in its place"]),
            ({"f": [("a", True, False), ("b", True, False)], "x": None}, ["f: b cannot be left out any more", "f takes no c any more"]),
            ({"f": [*(before["f"] or []), ("new", False, False)], "x": None}, ["f needs new"]),
        ):
            self.assertEqual(lost(before, now), want)  # type: ignore[arg-type]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    out = FOLDER / f"{powderkeg.__version__}.json"
    if not out.exists():
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(offer)}" for name, offer in sorted(offered().items()))
        out.write_text(f"{{\n{lines}\n}}\n")
