// The page on which a game is chosen, its options and who plays.
import { useRef, useState } from "preact/hooks";
import { get, post } from "./api";
import { Arrive } from "./carry";
import { forget, remember, remembered, set, setting } from "./memory";
import { Ladder } from "./ladder";
import { Disc } from "./seats";
import { strings } from "./strings";
import type { Catalogue, Made, Offer, Option, Seat } from "./types";

/** The rating of the scripted player, from which all others are reckoned (roster.ScriptedElo). */
const steady = 1500;

/** Options for experiments, which stand behind the others, as do those that take a text. */
const experimental = ["auto_forced", "encoder", "deploy"];
const isExperimental = (o: Option) => o.kind === "text" || experimental.includes(o.name);

/** Games from this many decisions on are among the large ones. */
const large = 1000;

export function Lobby(props: { catalogue: Catalogue }) {
	const games = props.catalogue.games;
	const [name, setName] = useState(setting("game", games[0]?.name ?? ""));
	const game = games.find((g) => g.name === name) ?? games[0];
	const choose = (g: Offer) => {
		set("game", g.name);
		setName(g.name);
	};
	const group = (title: string, list: Offer[]) => (
		<fieldset class="games">
			<legend>{title}</legend>
			{list.map((g) => (
				<label key={g.name} class={g === game ? "game chosen" : "game"}>
					<input type="radio" form="setup" name="game" value={g.name} checked={g === game} onChange={() => choose(g)} />
					<img src={pictureOf(g)} alt="" width="96" height="60" loading="lazy" />
					<span>
						{g.title}
						<small>{facts(g)}</small>
					</span>
				</label>
			))}
		</fieldset>
	);
	return (
		<div class="lobby">
			<header>
				<h1>{strings.name}</h1>
				<p>{strings.tagline}</p>
			</header>
			<main>
				<section aria-labelledby="choose" class="shelf">
					<h2 id="choose">{strings.choose}</h2>
					{group(strings.large, games.filter((g) => g.max_decisions > large))}
					{group(strings.small, games.filter((g) => g.max_decisions <= large))}
				</section>
				{game && <Setup key={game.name} game={game} />}
				<div class="yours">
					<Arrive />
					<Yours />
				</div>
			</main>
		</div>
	);
}

/** Takes the seats of a game that was made, and goes to its table. One that begins in the middle, or as a lesson, stands apart. */
function take(game: Offer, made: Made, apart: boolean): void {
	const tokens: Record<string, string> = {};
	made.tokens.forEach((t, p) => t && (tokens[p] = t));
	remember({ id: made.id, title: game.title, game: game.name, at: Date.now(), tokens, apart });
	location.assign(`/table/${made.id}`);
}

const pictureOf = (g: Offer) => `/api/games/${g.name}/picture`;

/** The length, weight and seats of a game, as far as they are known. */
function facts(g: Offer): string {
	const about = strings.games[g.name];
	const players = g.options.find((o) => o.name === "players");
	const seats = players ? strings.seatsOf(players.min ?? g.players, players.max ?? g.players) : strings.seatsOf(g.players, g.players);
	return [...(about ? [strings.minutes(about.minutes), strings.weights[about.weight]] : []), seats].join(" · ");
}

/** What the chosen game is about, and how strong the bots are that play it so. */
function About(props: { game: Offer }) {
	const { game } = props;
	const best = Math.max(0, ...game.opponents.map((o) => o.elo ?? 0));
	const [problem, setProblem] = useState("");
	const learn = async () => {
		try {
			take(game, await post<Made>("/api/tables", { game: game.name, first: true, seats: [{ kind: "person", name: setting("name", "") }] }), true);
		} catch (why) {
			setProblem(why instanceof Error ? why.message : strings.failed);
		}
	};
	return (
		<div class="about">
			<img src={pictureOf(game)} alt={strings.picture(game.title)} width="320" height="200" />
			<div>
				<p class="note">{facts(game)}</p>
				<p>{strings.games[game.name]?.about}</p>
				<p class="note">{strings.strength(best, steady)}</p>
				{game.first && (
					<p>
						<button type="button" onClick={() => void learn()}>
							{strings.learn}
						</button>{" "}
						<small>{strings.learnHelp}</small>
					</p>
				)}
				<p role="alert" class="problem">{problem}</p>
			</div>
		</div>
	);
}

function Yours() {
	const [list, setList] = useState(remembered());
	if (list.length === 0) return null;
	return (
		<section aria-labelledby="yours">
			<h2 id="yours">{strings.yours}</h2>
			<ul>
				{list.map((r) => (
					<li key={r.id}>
						<a href={`/table/${r.id}`}>{r.title}</a> <time dateTime={new Date(r.at).toISOString()}>{new Date(r.at).toLocaleString()}</time>
						<button
							class="plain"
							aria-label={strings.forget}
							title={strings.forget}
							onClick={() => {
								forget(r.id);
								setList(remembered());
							}}
						>
							×
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}

/** What a seat can be chosen to be, as the value of its list. */
const you = "you";
const friend = "friend";
const open = "open";
const other = "other";

interface File {
	name: string;
	data: unknown;
}

function Setup(props: { game: Offer }) {
	// The game with the options that are chosen, as the server offers it; options are those that
	// are shown meanwhile.
	const [game, setGame] = useState(props.game);
	const [options, setOptions] = useState(game.values);
	const asked = useRef(Promise.resolve(game));
	const [sits, setSits] = useState<string[]>([you]);
	const [names, setNames] = useState<string[]>([setting("name", "")]);
	const [agents, setAgents] = useState<string[]>([]);
	const [practice, setPractice] = useState(true);
	const [file, setFile] = useState<File>();
	const [problem, setProblem] = useState("");
	const seats = game.players;
	const sitsAt = (p: number) => sitsIn(game, sits[p]);
	const anyOpen = Array.from({ length: seats }, (_, p) => sitsAt(p)).includes(open);

	const choose = (name: string, value: string) => {
		const chosen = { ...options, [name]: value };
		setOptions(chosen);
		const answer = get<Offer>(`/api/offer?${new URLSearchParams({ game: gameString(game, chosen), kept: name }).toString()}`);
		asked.current = answer;
		const last = (then: () => void) => asked.current === answer && then();
		answer.then(
			(offer) =>
				last(() => {
					setGame(offer);
					setOptions(offer.values);
					setProblem("");
				}),
			(why: unknown) => last(() => setProblem(why instanceof Error ? why.message : strings.failed)),
		);
	};
	const begin = async (e: Event) => {
		e.preventDefault();
		setProblem("");
		let offer: Offer;
		try {
			offer = await asked.current;
		} catch (why) {
			return setProblem(why instanceof Error ? why.message : strings.failed);
		}
		const who: Pick<Seat, "kind" | "name">[] = Array.from({ length: offer.players }, (_, p) => {
			const s = sitsIn(offer, sits[p]);
			if (s === you || s === friend) return { kind: "person", name: names[p] ?? "" };
			if (s === open) return { kind: "open", name: "" };
			return { kind: "bot", name: s === other ? (agents[p] ?? "") : s };
		});
		const order: Record<string, unknown> = { game: offer.game, seats: who, practice: practice && !who.some((s) => s.kind === "open") };
		if (file) order[isReplay(file.data) ? "replay" : "position"] = file.data;
		try {
			const made = await post<Made>("/api/tables", order);
			set("name", names[0] ?? "");
			take(game, made, !!file);
		} catch (why) {
			setProblem(why instanceof Error ? why.message : strings.failed);
		}
	};
	const change = <T,>(list: T[], set: (l: T[]) => void, p: number, value: T) => {
		const copy = list.slice();
		copy[p] = value;
		set(copy);
	};
	const pick = async (f: globalThis.File | undefined) => {
		setFile(undefined);
		if (!f) return;
		try {
			setFile({ name: f.name, data: JSON.parse(await f.text()) as unknown });
			setProblem("");
		} catch {
			setProblem(strings.fromNot);
		}
	};
	const line = (o: Option) => (
		<OptionLine key={o.name} game={game.name} option={o} value={options[o.name] ?? o.default} type={(v) => setOptions({ ...options, [o.name]: v })} set={(v) => choose(o.name, v)} />
	);
	return (
		<form class="setup" id="setup" onSubmit={(e) => void begin(e)}>
			<h2>{game.title}</h2>
			<About game={game} />
			<Ladder game={game} />
			<fieldset>
				<legend>{strings.sits}</legend>
				{Array.from({ length: seats }, (_, p) => (
					<div class="seatline" key={p}>
						<label>
							<Disc seat={game.seats[p]} />
							<b class="called">{game.seats[p]?.called}</b>
							<select value={sitsAt(p)} onChange={(e) => change(sits, setSits, p, e.currentTarget.value)}>
								<optgroup label={strings.people}>
									<option value={you}>{strings.you}</option>
									<option value={friend}>{strings.friend}</option>
									<option value={open}>{strings.open}</option>
								</optgroup>
								<optgroup label={strings.byLevel}>{game.opponents.filter(isLevel).map(bot)}</optgroup>
								<optgroup label={strings.otherBots}>
									{game.opponents.filter((o) => !isLevel(o)).map(bot)}
									<option value={other}>{strings.agent}</option>
								</optgroup>
							</select>
						</label>
						{(sitsAt(p) === you || sitsAt(p) === friend) && (
							<input
								aria-label={strings.nameOf(game.seats[p]?.called ?? "")}
								placeholder={strings.yourName}
								maxLength={40}
								value={names[p] ?? ""}
								onInput={(e) => change(names, setNames, p, e.currentTarget.value)}
							/>
						)}
						{sitsAt(p) === other && (
							<input aria-label={strings.agentName} placeholder={strings.agentName} value={agents[p] ?? ""} onInput={(e) => change(agents, setAgents, p, e.currentTarget.value)} />
						)}
					</div>
				))}
				<label class="check">
					<input type="checkbox" checked={practice && !anyOpen} disabled={anyOpen} onChange={(e) => setPractice(e.currentTarget.checked)} /> {strings.practice}
				</label>
				{anyOpen && <p class="note">{strings.practiceNot}</p>}
			</fieldset>
			<fieldset class="options">
				<legend>{strings.options}</legend>
				{game.options.length === 0 && <p class="note">{strings.noOptions}</p>}
				{game.options.filter((o) => !isExperimental(o)).map(line)}
				{game.options.some(isExperimental) && (
					<details>
						<summary>{strings.moreOptions}</summary>
						<div class="options">{game.options.filter(isExperimental).map(line)}</div>
					</details>
				)}
				<p role="status" class="note">{game.changed.length > 0 && strings.changedToo(game.changed.map((o) => strings.optionName(game.name, o)))}</p>
			</fieldset>
			<label class="file">
				{strings.from} <input type="file" accept=".json,application/json" onChange={(e) => void pick(e.currentTarget.files?.[0])} />
				<small>{strings.fromHelp}</small>
			</label>
			<p role="alert" class="problem">{problem}</p>
			<button class="main">{strings.begin}</button>
		</form>
	);
}

type Opponent = Offer["opponents"][number];
const isLevel = (o: Opponent) => o.agent.startsWith("level:");
const bot = (o: Opponent) => (
	<option key={o.agent} value={o.agent} title={o.agent}>
		{strings.opponent(strings.levels[o.level] ?? o.level, o.agent, o.elo)}
	</option>
);

/** A line for an option: type is called while a text is written, set when it is a choice. */
function OptionLine(props: { game: string; option: Option; value: string; type: (v: string) => void; set: (v: string) => void }) {
	const { game, option: o, value, type, set } = props;
	const whole = (field: HTMLInputElement) => (field.value !== "" && field.validity.valid ? set : type)(field.value);
	const field = () => {
		switch (o.kind) {
			case "bool":
				return <input type="checkbox" checked={value === "true"} onChange={(e) => set(String(e.currentTarget.checked))} />;
			case "choice":
				return (
					<select value={value} onChange={(e) => set(e.currentTarget.value)}>
						{o.choices?.map((c) => (
							<option key={c} value={c}>
								{strings.optionValue(game, c)}
							</option>
						))}
					</select>
				);
			case "int":
				return <input type="number" min={o.min ?? 0} max={o.max ?? 0} value={value} onInput={(e) => whole(e.currentTarget)} required />;
			default:
				return <input value={value} onInput={(e) => type(e.currentTarget.value)} onChange={(e) => set(e.currentTarget.value)} />;
		}
	};
	return (
		<label class="option" title={o.help}>
			<span class="optionname">{strings.optionName(game, o.name)}</span>
			{field()}
			<small>{o.help}</small>
		</label>
	);
}

/** The game string: the name, and the options that are not as usual. */
function gameString(game: Offer, chosen: Record<string, string>): string {
	const parts = game.options.filter((o) => chosen[o.name] !== undefined && chosen[o.name] !== "" && chosen[o.name] !== o.default).map((o) => `${o.name}=${chosen[o.name]}`);
	return parts.length ? `${game.name}(${parts.join(",")})` : game.name;
}

/** Who sits on a seat: whoever was chosen, if he plays the game as it is offered now. */
function sitsIn(offer: Offer, chosen: string | undefined): string {
	if (chosen === undefined) return offer.suggested;
	return [you, friend, open, other].includes(chosen) || offer.opponents.some((o) => o.agent === chosen) ? chosen : offer.suggested;
}

const isReplay = (data: unknown): boolean => typeof data === "object" && data !== null && String((data as { format?: unknown }).format).startsWith("powderkeg-replay");
