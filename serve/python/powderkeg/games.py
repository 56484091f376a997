"""The games that gymnasium.make knows by name, with the version of their rules.
Asking a server would start one at import; a test compares the two lists."""

from __future__ import annotations

from typing import Any, Dict, Mapping

GAMES: Dict[str, int] = {
    "bloc": 4,
    "connect4": 1,
    "domination": 2,
    "insurgency": 3,
    "jogu": 2,
    "kuhn": 1,
    "leduc": 1,
    "liars_dice": 1,
    "goofspiel": 1,
    "minuteman": 3,
    "tictactoe": 1,
}


def gymnasium_id(name: str) -> str:
    """Returns the id of a game, such as "powderkeg/Jogu-v2" or "powderkeg/LiarsDice-v1"."""
    words = "".join(word.capitalize() for word in name.split("_"))
    return f"powderkeg/{words}-v{GAMES[name]}"


def game_string(game: str, options: Mapping[str, Any]) -> str:
    """Returns the game string of a game with options given as keywords: ("jogu",
    {"first": "wu"}) is "jogu(first=wu)"."""
    if not options:
        return game
    words = ",".join(f"{name}={str(v).lower() if isinstance(v, bool) else v}" for name, v in options.items())
    if not game.endswith(")"):
        return f"{game}({words})"
    return f"{game[:-1]}{'' if game.endswith('()') else ','}{words})"
