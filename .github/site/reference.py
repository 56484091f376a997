"""The references, written from what the program, the sources and the package say of themselves."""

import ast
import collections
import functools
import html
import json
import os
import re
import subprocess

import repository

ROOT = repository.ROOT
PROGRAM = os.environ.get("POWDERKEG_BIN") or str(ROOT / "bin" / "powderkeg")


@functools.cache
def said(*arguments: str) -> str:
    """What a command of the program prints."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def pages() -> dict[str, str]:
    """The generated pages, by their places."""
    made = {
        "reference/commands.md": commands(),
        "reference/config.md": config(),
        "reference/python.md": python(),
        "games/index.md": games(),
    }
    made |= packages()
    for game in repository.games():
        made[f"games/{game}/rules.md"] = rules(game)
        made[f"games/{game}/observations.md"] = observations(game)
    return made


def cell(text: str) -> str:
    """A text as a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def example(text: str) -> str:
    """Examples without their margin."""
    return "\n".join(line.removeprefix("  ") for line in text.splitlines())


# Commands.


#: What flags take, in words.
TAKES = {
    "bool": "",
    "string": "text",
    "stringArray": "text, may be repeated",
    "strings": "texts",
    "int": "whole number",
    "uint": "whole number",
    "ints": "whole numbers",
    "float": "number",
    "float64": "number",
}


def commands() -> str:
    """Every command with its flags, as powderkeg schema commands describes them."""
    parts = [
        "# Commands\n",
        "Every command of the program with its flags, from the program itself (`powderkeg schema commands`). "
        "Results go to standard output, JSON with `--json`; progress goes to standard error. Exit codes: 0 done, 1 a check failed, 2 wrong usage.\n",
    ]
    for c in json.loads(said("schema", "commands")):
        parts.append(f"## {c['name']}\n\n{c['short']}.\n")
        parts.append(f"```text\n{c['use']}\n```\n")
        if c.get("long", "") and not c.get("group"):
            parts.append(f"```text\n{c['long'].removeprefix(c['short'] + '.').strip()}\n```\n" if "\n\n" in c["long"] else f"{c['long']}\n")
        if c.get("example"):
            parts.append(f"```console\n{example(c['example'])}\n```\n")
        if c["flags"]:
            parts.append("| flag | takes | default | meaning |\n| --- | --- | --- | --- |")
            for f in c["flags"]:
                name = f"`--{f['name']}`" + (f", `-{f['short']}`" if f.get("short") else "")
                default = f"`{cell(f['default'])}`" if f["default"] not in ("", "[]", "false") else ""
                parts.append(f"| {name} | {TAKES.get(f['type'], f['type'])} | {default} | {cell(f['meaning'])} |")
            parts.append("")
    return "\n".join(parts)


# Configuration.


def config() -> str:
    """Every key of a configuration, as powderkeg schema config describes them."""
    schema = json.loads(said("schema", "config"))
    parts = [
        "# Configuration\n",
        "Every key of a configuration of `powderkeg train`, from the program itself. "
        "`powderkeg schema config` prints the same as a JSON schema, by which "
        "editors complete keys and mark mistakes: write it to a file, and name the file in the first line of the configuration.\n",
        "```yaml\n# yaml-language-server: $schema=config.schema.json\ngame: jogu\nupdates: 200\n```\n",
        "A key that is left out has its default. `powderkeg train CONFIG --set ppo.epochs=2` sets one from the command line. "
        "What depends on other keys or on "
        "the game is checked when the run begins. Examples are from the configurations in `experiments/configs`.\n",
        "Where a number may change over the run, a plain number stands for one that does not; "
        "the mapping that says how it changes is described [below](#schedules).\n",
    ]
    top = {k: p for k, p in schema["properties"].items() if p.get("type") != "object"}
    parts.append("## The run\n")
    keys(parts, top, "")
    for name, p in schema["properties"].items():
        if p.get("type") == "object":
            parts.append(f"## {name}\n\n{html.escape(p['description'], quote=False)}\n")
            keys(parts, p["properties"], name + ".")
    parts.append("## Schedules\n")
    keys(parts, schema["properties"]["ppo"]["properties"]["learning_rate"]["anyOf"][1]["properties"], "", "schedule.")
    return "\n".join(parts)


def keys(parts: list, properties: dict, prefix: str, anchor: str = "") -> None:
    """Appends the keys of a mapping, and those of the mappings in it."""
    for name, p in properties.items():
        path = prefix + name
        parts.append(f"### `{path}` {{ #{anchor}{path} }}\n\n{html.escape(p['description'], quote=False)}\n")
        facts = [("type", kind(p))]
        if "default" in p:
            facts.append(("default", code(short(p))))
        if scope := span(p):
            facts.append(("range", scope))
        if p.get("examples"):
            facts.append(("example", code(p["examples"][0])))
        if moved := "" if anchor else reports(path):
            facts.append(("reports", ", ".join(moved)))
        parts.append("\n".join(f"- {k}: {v}" for k, v in facts) + "\n")
        inner = p.get("items", {}) if p.get("type") == "array" else p
        if inner.get("type") == "object" and inner.get("properties"):
            keys(parts, inner["properties"], path + ("[]." if inner is not p else "."))


def kind(p: dict) -> str:
    """The type of a key in words."""
    if "enum" in p:
        return "one of " + ", ".join(f"`{v}`" for v in p["enum"])
    if "anyOf" in p and any("properties" in a for a in p["anyOf"]):
        return "number, or [schedule](#schedules)"
    words = {"integer": "whole number", "number": "number", "boolean": "`true` or `false`", "string": "text", "object": "mapping"}
    if p.get("type") == "array":
        inner = {"object": "mappings", "integer": "whole numbers", "string": "texts"}[p["items"]["type"]]
        return f"list of {inner}"
    if p.get("type") == "object" and "properties" not in p:
        return "mapping of names to numbers"
    return words[p["type"]]


def short(p: dict) -> object:
    """A default, a schedule that does not change as its number."""
    d = p["default"]
    if isinstance(d, dict) and set(d) == {"start", "end", "until", "power", "most"}:
        return d["start"] if d["start"] == d["end"] and not d["power"] else {k: v for k, v in d.items() if k in ("start", "end") or v}
    return d


def code(value: object) -> str:
    """A value as YAML in the flow style."""

    def write(v: object) -> str:
        if isinstance(v, dict):
            return "{" + ", ".join(f"{k}: {write(x)}" for k, x in v.items()) + "}"
        if isinstance(v, list):
            return "[" + ", ".join(map(write, v)) + "]"
        if isinstance(v, float):
            return f"{v:g}"
        return v if isinstance(v, str) and v else json.dumps(v)

    return f"`{cell(write(value))}`"


def number(x: float) -> str:
    """A bound as people write it; 1048576 is a number that nobody reads."""
    n = int(x)
    if n == x and n >= 1 << 16 and n & (n - 1) == 0:
        return f"2^{n.bit_length() - 1} ({n:,})"
    return f"{x:.10g}" if abs(x) < 1e6 else f"{x:,.0f}"


def span(p: dict) -> str:
    """The range of a number in words."""
    if "anyOf" in p and any("const" in a for a in p["anyOf"]):
        return "0, or " + next(span(a) for a in p["anyOf"] if "minimum" in a)
    if "anyOf" in p:
        p = p["anyOf"][0]
    low, high = p.get("minimum"), p.get("maximum")
    if low is None:
        return ""
    if p.get("exclusiveMaximum") is not None:
        return f"{number(low)} or more, below {number(p['exclusiveMaximum'])}"
    if high is None or high > 1e30:
        return f"{number(low)} or more"
    return f"{number(low)} to {number(high)}"


@functools.cache
def report_texts() -> tuple[tuple[str, str, str], ...]:
    """The reports: place, title, text."""
    found = []
    for source, page in repository.pages().items():
        if source.startswith("experiments/reports/"):
            text = (ROOT / source).read_text(encoding="utf-8")
            found.append((page, text.splitlines()[0].lstrip("# "), text))
    return tuple(found)


@functools.cache
def last_words() -> collections.Counter:
    """How many keys end in each word."""

    def walk(p: dict):
        for name, inner in p.get("properties", {}).items():
            yield name
            yield from walk(inner)
            yield from walk(inner.get("items", {}))

    return collections.Counter(walk(json.loads(said("schema", "config"))))


#: Words by themselves in reports that mean other things than the key.
WORDS = {
    "game",
    "position",
    "name",
    "fields",
    "actions",
    "weights",
    "count",
    "width",
    "most",
    "from",
    "power",
    "start",
    "end",
    "until",
    "keep",
}


def reports(path: str) -> list[str]:
    """Links to the reports that name a key."""
    last = path.rsplit(".", 1)[-1]
    words = [path] + ([last] if last_words()[last] == 1 and last not in WORDS else [])
    pattern = re.compile(r"`(?:[^`\n]*[ ,{(])?(?:" + "|".join(map(re.escape, words)) + r")(?:[=:][^`\n]*)?`")
    return [f'[{page.rsplit("/", 1)[1][:4]}](../{page} "{title}")' for page, title, text in report_texts() if pattern.search(text)]


# Python and Go.


def python() -> str:
    """The Python API, of whose modules mkdocstrings writes the signatures and docstrings."""
    source = ast.parse((ROOT / "serve/python/powderkeg/__init__.py").read_text(encoding="utf-8"))
    shown = next(ast.literal_eval(n.value) for n in source.body if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
    parts = [
        "# Python\n",
        "The names of the package `powderkeg`, from its typed docstrings. The [page of the package](../serve/python/index.md) "
        "shows how they are used, the [tutorial](../serve/python/TUTORIAL.md) goes further.\n",
    ]
    for n in source.body:
        if isinstance(n, ast.ImportFrom):
            parts += [f"::: powderkeg.{a.name}\n" for a in n.names if a.name in shown and not a.name.startswith("_")]
    return "\n".join(parts + [f"::: powderkeg.{m}\n" for m in ("gymnasium", "gymnasium_vector", "pettingzoo", "minari")])


def packages() -> dict[str, str]:
    """A page for each Go package with what go doc says of it, and one that lists them."""
    go = os.environ.get("GO", "go")
    listed = subprocess.run(
        [go, "list", "-f", "{{.Dir}}\t{{.ImportPath}}\t{{.Name}}\t{{.Doc}}", "./..."], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    rows, made = [], {}
    for line in listed.splitlines():
        folder, path, name, synopsis = line.split("\t", 3)
        if name == "main" or "/internal/" in path or path.endswith("test") or "testdata" in path:
            continue
        text = subprocess.run([go, "doc", "-all", "."], capture_output=True, text=True, check=True, cwd=folder).stdout
        where = path.replace("/", ".") + ".md"
        made[f"reference/packages/{where}"] = (
            f"---\nsearch:\n  boost: 0.3\n---\n\n# {path.split('/', 1)[-1]}\n\n{cell(synopsis)}\n\n```go\n{text.strip()}\n```\n"
        )
        rows.append(f"| [`{path}`](packages/{where}) | {cell(synopsis)} |")
    head = (
        "# Go packages\n\nThe packages in alphabetical order, each with what `go doc` says of it. "
        "`engine` imports the standard library alone; nothing imports "
        "from below its own line in `engine`, `env`, `checkpoints`, `agents`, `train`, `serve`.\n\n| package | what it is |\n| --- | --- |\n"
    )
    return {"reference/go.md": head + "\n".join(rows) + "\n"} | made


# Games.


@functools.cache
def listing() -> dict[str, dict]:
    """The games, as powderkeg games --json lists them."""
    return {g["name"]: g for g in json.loads(said("games", "--json"))}


def games() -> str:
    """The page that leads to the games."""
    parts = [
        "# Games\n",
        "A game is named by a string with options, such as `jogu(first=agents,second=engineers)`. "
        "The numbers are those of the game without options.\n",
    ]
    with_pictures = {f.rsplit("/", 1)[1].removesuffix(".png") for f in repository.tracked() if f.startswith(repository.OWN + "thumbs/")}
    parts.append('<div class="shelf">')
    for game in repository.games():
        if game in with_pictures:
            parts.append(
                f'<a class="game" href="{game}/index.html"><img src="../thumbs/{game}.png" alt="" width="360" height="240">'
                f"<span>{listing()[game]['title']}</span></a>"
            )
    parts.append("</div>\n")
    parts.append("| game | seats | actions | observation | read |\n| --- | --- | --- | --- | --- |")
    for game in repository.games():
        g = listing()[game]
        links = f"[page]({game}/index.md), [rules]({game}/rules.md), [observations and actions]({game}/observations.md)"
        parts.append(
            f"| [{g['title']}]({game}/index.md) (`{game}`) | {g['players']} | {g['actions']:,} | {g['observation_size']:,} | {links} |"
        )
    return "\n".join(parts) + "\n"


def rules(game: str) -> str:
    """The rules of a game in our own words."""
    found = json.loads(said("rules", game, "--json"))
    title = listing()[game]["title"]
    parts = [
        f"# Rules of {title}\n",
        f"The rules in our own words, by the numbers that errors, events, tests and the code cite (`powderkeg rules {game}`). "
        "They implement the game and do not replace its rulebook. "
        "Numbers that begin with Q are rulings: what was decided where the rulebook is silent.\n",
    ]
    if picture := drawing(game):
        parts.append(
            f'<figure class="board" markdown>\n![The table of {title} at its start, as seat 0 sees it]({picture})\n'
            "<figcaption>The table at the start, as seat 0 sees it: our own drawing "
            f"(`powderkeg play {game} --drawing table.svg`).</figcaption>\n</figure>\n"
        )
    chapter = None
    for r in found:
        head = r["rule"].split(".")[0]
        if head != chapter:
            chapter = head
            parts.append(
                f"## {'Chapter ' + head if head.startswith('R') and '.' in r['rule'] else 'Ruling ' + head if head.startswith('Q') else head}\n"
            )
        where = f" <small>({html.escape(r['section'])})</small>" if r.get("section") else ""
        parts.append(f"**{r['rule']} {html.escape(r['title'])}**{where}\n\n{html.escape(r['text'], quote=False)}\n")
    return "\n".join(parts)


def drawing(game: str) -> str:
    """The place of the picture of a game's start, from a page of the game, if the gallery has one."""
    import gallery

    return f"../../gallery/{game}/start.svg" if game in gallery.GAMES else ""


def observations(game: str) -> str:
    """The fields of a game's observation, and its actions."""
    s = json.loads(said("spec", game, "--json"))
    layout = s["layout"]
    parts = [
        f"# Observations and actions of {s['title']}\n",
        f"What `powderkeg spec {game} --json` says: rules version {s['rules_version']}, layout version {layout['version']}. "
        f"{s['players']} players, {s['payoff']}, returns from "
        f"{s['min_return']:g} to {s['max_return']:g}, at most {s['max_decisions']:,} decisions and {s['max_moves']:,} moves with those of chance.\n",
        f"## Observation\n\n{layout['size']:,} numbers (float32), from the view of the seat to act.\n",
        "| from | field | shape | range | meaning |\n| --- | --- | --- | --- | --- |",
    ]
    for f in layout["fields"]:
        shape = "×".join(map(str, f["shape"]))
        parts.append(f"| {f['offset']} | `{f['name']}` | {shape} | {f['min']:g} to {f['max']:g} | {cell(f['meaning'])} |")
    parts.append(f"\n## Actions\n\n{len(s['actions']):,} actions, by number.\n")
    parts.append(numbered(s["actions"]))
    if s.get("outcomes"):
        parts.append(f"\n## Outcomes of chance\n\n{len(s['outcomes']):,} outcomes, by number.\n")
        parts.append(numbered(s["outcomes"]))
    return "\n".join(parts) + "\n"


def numbered(names: list[str]) -> str:
    """A list of names by number, in a block that scrolls and can be reached by the keyboard."""
    width = len(str(len(names) - 1))
    lines = html.escape("\n".join(f"{i:>{width}}  {n}" for i, n in enumerate(names)))
    return f'<pre class="names" tabindex="0">{lines}</pre>\n'
