"""The games that gymnasium.make knows by name, with the version of their rules.
Asking a server would start one at import; a test compares the two lists."""

from __future__ import annotations

from typing import Dict

GAMES: Dict[str, int] = {
    "bloc": 3,
    "connect4": 1,
    "domination": 2,
    "insurgency": 3,
    "jogu": 2,
    "kuhn": 1,
    "leduc": 1,
    "liars_dice": 1,
    "minuteman": 2,
    "tictactoe": 1,
}


def gymnasium_id(name: str) -> str:
    """Returns the id of a game, such as "powderkeg/Jogu-v2" or "powderkeg/LiarsDice-v1"."""
    words = "".join(word.capitalize() for word in name.split("_"))
    return f"powderkeg/{words}-v{GAMES[name]}"
