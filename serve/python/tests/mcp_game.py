"""A model's side of a game, by the client of the package mcp: python mcp_game.py COMMAND...
starts the server and plays. (It needs the package mcp; the tests of the Go side run it.)"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, Dict, List

from mcp import ClientSession, StdioServerParameters, stdio_client


async def play(command: List[str]) -> None:
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = await session.list_tools()
        print("tools:", ", ".join(sorted(tool.name for tool in tools.tools)))

        async def ask(tool: str, **arguments: Any) -> Dict[str, Any]:
            answer = await session.call_tool(tool, arguments)
            assert not answer.is_error, answer.content
            content = answer.structured_content
            assert isinstance(content, dict)
            return content

        games = await ask("games")
        print("games:", ", ".join(game["name"] for game in games["games"]))
        seen = await ask("new_game", game="liars_dice", options={"dice": 2}, opponents=["scripted"], seed=7)
        wrong = await session.call_tool("act", {"id": seen["id"], "action": "fly"})
        assert wrong.is_error
        print("an illegal action:", wrong.content[0].text)
        decisions = 0
        while "over" not in seen:
            looked = await ask("look", id=seen["id"])
            assert looked["view"]["dice"][1] == [] and len(looked["view"]["dice"][0]) == 2, looked["view"]
            seen = await ask("act", id=seen["id"], action=seen["legal"][-1 if decisions > 2 else 0])
            decisions += 1
        print("the game is over: returns", seen["over"]["returns"])


asyncio.run(play(sys.argv[1:]))
