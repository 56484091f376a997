// The table: one game as one seat sees it, or as those who watch do.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Actions } from "./actions";
import { type Eyes, Refused, get, listen, post, tablePath } from "./api";
import { Board, focusBoard } from "./board";
import { Curtain, Keys, Rules, Which, Words } from "./dialogs";
import { useKeys } from "./keys";
import { Log } from "./log";
import { recall, remember, set, setting } from "./memory";
import { strings } from "./strings";
import { ReviewPanel, ValueBar, mistake } from "./teacher";
import type { Advice, Choice, Made, Reading, Review, Screen, Told } from "./types";

type Open = { kind: "keys" } | { kind: "words" } | { kind: "rules"; start: string } | { kind: "which"; choices: Choice[] } | { kind: "curtain"; seat: number };

/** How long a moment is shown when the replay plays. */
const beat = 700;
const nothing: string[] = [];

export function Table(props: { id: string; onRefused: (why: Refused) => void }) {
	const query = new URLSearchParams(location.search);
	const own = recall(props.id);
	const mine = Object.keys(own?.tokens ?? {}).map(Number);
	const asked = Number(query.get("seat") ?? -1);
	const [seat, setSeat] = useState(mine.includes(asked) ? asked : (mine[0] ?? -1));
	const [shoulder, setShoulder] = useState(-1);
	const eyes: Eyes = useMemo(() => ({ id: props.id, token: own?.tokens[String(seat)] ?? "", shoulder }), [props.id, seat, shoulder, own?.tokens[String(seat)]]);

	const [screen, setScreen] = useState<Screen>();
	const [past, setPast] = useState<Screen>();
	const [lines, setLines] = useState<Told[]>([]);
	const [base, setBase] = useState(0);
	const [connected, setConnected] = useState(true);
	const [news, setNews] = useState("");
	const [note, setNote] = useState("");
	const [about, setAbout] = useState<string[]>(nothing);
	const [busy, setBusy] = useState(false);
	const [open, setOpen] = useState<Open>();
	const [reading, setReading] = useState<Reading>({ rules: [], cards: [] });
	const [advice, setAdvice] = useState<Advice>();
	const [bar, setBar] = useState(setting("bar", "") === "on");
	const [hinting, setHinting] = useState(false);
	const [forced, setForced] = useState(setting("forced", "") === "on");
	const [review, setReview] = useState<Review>();
	const [reviewing, setReviewing] = useState(false);
	const [playing, setPlaying] = useState(false);
	const live = useRef<Screen | undefined>(undefined);
	const have = useRef<{ base: number; lines: Told[] }>({ base: 0, lines: [] });

	// The stream of screens.
	useEffect(() => {
		// What one seat sees is gone before another looks; without secrets it stays until then.
		setScreen((s) => (s?.hidden ? undefined : s));
		setPast(undefined);
		setOpen(undefined);
		setReview(undefined);
		setAdvice(undefined);
		live.current = undefined;
		return listen(
			eyes,
			(s) => {
				const log = s.reset ? s.log : [...have.current.lines.slice(0, s.since - have.current.base), ...s.log];
				if (s.reset) have.current = { base: s.since, lines: log };
				else have.current = { base: have.current.base, lines: log };
				setLines(log);
				setBase(have.current.base);
				if (live.current && s.log.length && !s.reset) setNews(s.log.map((l) => l.text).join(". "));
				if (live.current?.number !== s.number) {
					setAdvice(undefined);
					setHinting(false);
					setNote("");
				}
				live.current = s;
				setBusy(false);
				setScreen(s);
			},
			setConnected,
			props.onRefused,
		);
	}, [eyes]);

	const game = screen?.game.split("(")[0];
	useEffect(() => {
		if (game) get<Reading>(`/api/games/${game}`).then(setReading, () => undefined);
	}, [game]);
	const cards = useMemo(() => new Map(reading.cards.map((c) => [c.name, c])), [reading]);

	// Hot-seat: the screen goes to whoever of those at it is to act.
	const to = screen?.prompt.player ?? -3;
	useEffect(() => {
		if (!screen || screen.seat !== seat || mine.length < 2 || mine.includes(asked)) return;
		let next = mine.includes(to) && to !== seat ? to : -1;
		if (to === -3 && screen.hidden) next = mine[(mine.indexOf(seat) + 1) % mine.length] ?? -1;
		if (next < 0 || open?.kind === "curtain") return;
		if (screen.hidden) setOpen({ kind: "curtain", seat: next });
		else setSeat(next);
	}, [screen, seat]);

	useEffect(() => {
		if (screen) document.title = `${screen.prompt.player === screen.seat ? "● " : ""}${screen.title}`;
	}, [screen]);

	const say = (why: unknown) => setNote(why instanceof Error ? why.message : strings.failed);
	const choose = useCallback(
		(action: number) => {
			const s = live.current;
			if (!s || busy) return;
			setOpen(undefined);
			setBusy(true);
			performance.mark("choose");
			post(tablePath(eyes, "/move"), { number: s.number, action }, eyes.token).catch((why: unknown) => {
				setBusy(false);
				say(why);
			});
		},
		[eyes, busy],
	);
	const undo = useCallback(() => {
		const s = live.current;
		if (!s) return;
		if (s.undo) return setNote(strings.undoWhy[s.undo] ?? "");
		setPast(undefined);
		post(tablePath(eyes, "/undo"), { number: s.number }, eyes.token).catch(say);
	}, [eyes]);

	const ask = useCallback(
		(show: boolean) => {
			const s = live.current;
			if (!s || s.prompt.player !== s.seat || !s.practice) return;
			if (show) setHinting(true);
			get<Advice>(tablePath(eyes, "/hint"), eyes.token).then(
				(a) => live.current?.number === s.number && setAdvice(a),
				(why: unknown) => show && say(why),
			);
		},
		[eyes],
	);
	useEffect(() => {
		if (bar && screen?.practice && screen.prompt.player === screen.seat) ask(false);
	}, [bar, screen?.number]);
	useEffect(() => {
		const only = screen?.legal[0];
		if (forced && screen?.legal.length === 1 && only && !past) {
			const t = setTimeout(() => choose(only.action), 350);
			return () => clearTimeout(t);
		}
		return undefined;
	}, [forced, screen?.number, past]);

	// The replay.
	const steps = screen?.steps ?? 1;
	const at = past?.step ?? steps - 1;
	const look = useCallback(
		(step: number) => {
			const s = live.current;
			if (!s) return;
			if (step >= s.steps - 1) return setPast(undefined);
			get<Screen>(tablePath(eyes, "", { step: Math.max(0, step) }), eyes.token).then(setPast, say);
		},
		[eyes],
	);
	useEffect(() => {
		if (!playing) return;
		if (!past) return setPlaying(false);
		const t = setTimeout(() => look(past.step + 1), beat);
		return () => clearTimeout(t);
	}, [playing, past]);
	const play = () => {
		if (!playing && at >= steps - 1) look(0);
		setPlaying(!playing);
	};
	const seek = () => {
		setReviewing(true);
		get<Review>(tablePath(eyes, "/review"), eyes.token)
			.then(setReview, say)
			.finally(() => setReviewing(false));
	};
	const nextMistake = () => {
		const worst = review?.decisions.filter((d) => (d.cost ?? 0) >= mistake) ?? [];
		const next = worst.find((d) => past && d.step > past.step) ?? worst[0];
		if (next) look(next.step);
	};

	const rules = (start = "") => setOpen({ kind: "rules", start });
	const escape = () => (open && open.kind !== "curtain" ? setOpen(undefined) : setPast(undefined));
	const legal = past ? [] : (screen?.legal ?? []);
	useKeys({
		"?": () => setOpen({ kind: "keys" }),
		"/": () => document.getElementById("filter")?.focus(),
		b: focusBoard,
		c: () => (document.querySelector<HTMLElement>(".choices button") ?? document.getElementById("choices"))?.focus(),
		l: () => document.getElementById("log")?.focus(),
		u: undo,
		h: () => ask(true),
		"[": () => look(at - 1),
		"]": () => look(at + 1),
		"{": () => look(0),
		"}": () => setPast(undefined),
		p: play,
		n: nextMistake,
		t: () => setOpen({ kind: "words" }),
		r: () => rules(),
		"+": () => document.getElementById("larger")?.click(),
		"-": () => document.getElementById("smaller")?.click(),
		"0": () => document.getElementById("fit")?.click(),
		Escape: escape,
		digit: (n) => {
			const c = document.querySelectorAll<HTMLElement>(".actions .choices button")[n - 1];
			c?.click();
		},
	});

	if (!screen) return <p class="loading">{strings.loading}</p>;
	const shown = past ?? screen;
	const hints = hinting && !past ? (advice?.opinions ?? []) : [];
	const nameOf = (p: number) => screen.seats[p]?.name || strings.seat(p);
	const board = (actions: number[]) => {
		if (past) return setNote(strings.past);
		const possible = legal.filter((c) => actions.includes(c.action));
		if (possible.length === 1 && possible[0]) choose(possible[0].action);
		else if (possible.length) setOpen({ kind: "which", choices: possible });
	};

	return (
		<div class={past ? "table past" : "table"}>
			<a class="skip" href="#choices">
				{strings.skip}
			</a>
			<header class="top">
				<a href="/" class="home" aria-label={strings.back} title={strings.back}>
					<img src="/assets/icon.svg" alt="" width="24" height="24" />
				</a>
				<h1>{screen.title}</h1>
				<Seats screen={screen} shown={shown} mine={mine} seat={seat} eyes={eyes} onTake={(p) => (screen.hidden ? setOpen({ kind: "curtain", seat: p }) : setSeat(p))} onNote={setNote} />
				<div class="tools">
					<button onClick={() => rules()}>{strings.rules}</button>
					<button onClick={() => setOpen({ kind: "words" })}>{strings.text}</button>
					<button aria-label={strings.help} title={strings.help} onClick={() => setOpen({ kind: "keys" })}>
						?
					</button>
				</div>
			</header>
			<div class="prompt" role="status">
				<p>
					{past ? <b>{`${strings.past} ${strings.moment(at + 1, steps)}. `}</b> : null}
					{shown.over && shown.prompt.player < 0 ? (
						<b>{strings.over(shown.over.winners, screen.seats, screen.seat, shown.over.together, shown.over.draw)} </b>
					) : (
						strings.prompt(shown.prompt, screen.seats, screen.seat)
					)}{" "}
					{shown.prompt.rule && (
						<button class="rule" onClick={() => rules(shown.prompt.rule)}>
							{shown.prompt.rule}
						</button>
					)}
					{screen.seat < 0 && !own && <span class="note"> {screen.hidden && shoulder < 0 ? strings.watchingSecret : strings.watching}</span>}
				</p>
				<p class="aside">{connected ? (screen.fault ?? note) : strings.lost}</p>
			</div>
			<main>
				<section class="boardside" aria-label={strings.board}>
					{screen.seat < 0 && screen.seats.every((s) => s.kind === "bot") && (
						<label class="shoulder">
							{strings.shoulder}{" "}
							<select value={shoulder} onChange={(e) => setShoulder(Number(e.currentTarget.value))}>
								<option value={-1}>{strings.nobody}</option>
								{screen.seats.map((s, p) => (
									<option key={p} value={p}>{`${strings.seat(p)}: ${s.name}`}</option>
								))}
							</select>
						</label>
					)}
					{shown.drawing ? (
						<Board drawing={shown.drawing} hints={hints} about={about} cards={cards} onActions={board} onNothing={(space) => setNote(strings.illegal(space, screen.prompt, screen.seats, screen.seat))} />
					) : (
						shown.text && (
							<>
								<p class="note">{strings.noBoard}</p>
								<pre class="text" tabIndex={0}>
									{shown.text}
								</pre>
							</>
						)
					)}
				</section>
				<div class="side">
					{shown.over && shown.prompt.player < 0 && <Result screen={shown} id={props.id} eyes={eyes} own={own?.tokens ?? {}} onNote={setNote} />}
					<p class="chain" tabIndex={screen.chain.length ? 0 : -1}>
						{screen.chain.length > 0 && !screen.over && (
							<span>
								<b>{strings.chosen}:</b> {screen.chain.join(" → ")}
							</span>
						)}
					</p>
					<Actions legal={legal} hints={hints} busy={busy} onChoose={choose} />
					{screen.seat >= 0 && (
						<div class="buttons">
							<button aria-disabled={screen.undo !== ""} title={strings.undoWhy[screen.undo] ?? ""} onClick={undo}>
								{strings.undo}
							</button>
							{screen.practice && (
								<button disabled={screen.prompt.player !== screen.seat} onClick={() => ask(true)}>
									{strings.hint}
								</button>
							)}
							{(screen.practice || screen.over) && (
								<button disabled={reviewing} onClick={seek}>
									{reviewing ? strings.reviewing : strings.review}
								</button>
							)}
							{screen.practice && (
								<label class="check">
									<input
										type="checkbox"
										checked={bar}
										onChange={(e) => {
											set("bar", e.currentTarget.checked ? "on" : "");
											setBar(e.currentTarget.checked);
										}}
									/>{" "}
									{strings.always}
								</label>
							)}
							<label class="check">
								<input
									type="checkbox"
									checked={forced}
									onChange={(e) => {
										set("forced", e.currentTarget.checked ? "on" : "");
										setForced(e.currentTarget.checked);
									}}
								/>{" "}
								{strings.forced}
							</label>
						</div>
					)}
					{screen.practice && <ValueBar advice={bar || hinting ? advice : undefined} />}
					{review && <ReviewPanel review={review} step={at} onStep={look} onMistake={nextMistake} />}
					<div class="replay" role="group" aria-label={strings.replay}>
						<button aria-label={strings.first} title={strings.first} disabled={at === 0} onClick={() => look(0)}>
							|◀
						</button>
						<button aria-label={strings.previous} title={strings.previous} disabled={at === 0} onClick={() => look(at - 1)}>
							◀
						</button>
						<button aria-label={playing ? strings.pause : strings.play} title={playing ? strings.pause : strings.play} onClick={play}>
							{playing ? "❚❚" : "►"}
						</button>
						<button aria-label={strings.next} title={strings.next} disabled={!past} onClick={() => look(at + 1)}>
							▶
						</button>
						<button aria-label={strings.last} title={strings.last} disabled={!past} onClick={() => setPast(undefined)}>
							▶|
						</button>
						<input type="range" min={0} max={steps - 1} value={at} aria-label={strings.replay} aria-valuetext={strings.moment(at + 1, steps)} onInput={(e) => look(Number(e.currentTarget.value))} />
					</div>
					<Log
						lines={lines}
						more={base > 0}
						shown={past?.step}
						name={(p) => strings.who(p, screen.seats, screen.seat)}
						onMore={() =>
							void get<Told[]>(tablePath(eyes, "/log"), eyes.token).then((all) => {
								have.current = { base: 0, lines: all };
								setLines(all);
								setBase(0);
							}, say)
						}
						onRule={rules}
						onStep={look}
						onAbout={setAbout}
					/>
				</div>
			</main>
			<div class="hush" aria-live="polite">
				{news}
			</div>
			{open?.kind === "keys" && <Keys onClose={() => setOpen(undefined)} />}
			{open?.kind === "words" && <Words text={shown.text} onClose={() => setOpen(undefined)} />}
			{open?.kind === "rules" && <Rules reading={reading} start={open.start} onClose={() => setOpen(undefined)} />}
			{open?.kind === "which" && <Which choices={open.choices} onChoose={choose} onClose={() => setOpen(undefined)} />}
			{open?.kind === "curtain" && (
				<Curtain
					name={nameOf(open.seat)}
					onGo={() => {
						setSeat(open.seat);
						setOpen(undefined);
					}}
				/>
			)}
		</div>
	);
}

function Seats(props: { screen: Screen; shown: Screen; mine: number[]; seat: number; eyes: Eyes; onTake: (p: number) => void; onNote: (text: string) => void }) {
	const { screen, shown, mine, seat, eyes } = props;
	const join = async (p: number) => {
		try {
			const given = await post<{ seat: number; token: string }>(`/api/tables/${eyes.id}/join`, { seat: p, name: setting("name", "") });
			remember({ id: eyes.id, title: screen.title, game: screen.game, at: Date.now(), tokens: { [String(given.seat)]: given.token } });
			location.reload();
		} catch (why) {
			props.onNote(why instanceof Error ? why.message : strings.failed);
		}
	};
	const copy = () => {
		const link = `${location.origin}/table/${eyes.id}`;
		navigator.clipboard.writeText(link).then(
			() => props.onNote(strings.copied),
			() => props.onNote(link),
		);
	};
	return (
		<ul class="seats">
			{screen.seats.map((s, p) => (
				<li key={p} class={`${p === shown.prompt.player ? "acts" : ""} ${p === screen.seat ? "own" : ""}`} aria-current={p === shown.prompt.player ? "true" : undefined}>
					<span class={`disc seat${p}`}>{p}</span>{" "}
					{s.kind === "open" ? (
						mine.length === 0 ? (
							<button onClick={() => void join(p)}>{strings.join}</button>
						) : (
							<button onClick={copy}>{strings.invite}</button>
						)
					) : mine.length > 1 && mine.includes(p) && p !== seat ? (
						<button title={strings.take(s.name || strings.seat(p))} onClick={() => props.onTake(p)}>
							{s.name || strings.seat(p)}
						</button>
					) : (
						<span>{p === screen.seat ? strings.you : s.name || strings.seat(p)}</span>
					)}
				</li>
			))}
		</ul>
	);
}

function Result(props: { screen: Screen; id: string; eyes: Eyes; own: Record<string, string>; onNote: (text: string) => void }) {
	const { screen, eyes } = props;
	const over = screen.over;
	if (!over) return null;
	const rematch = async (swap: boolean) => {
		try {
			const made = await post<Made>(tablePath(eyes, "/rematch"), { swap }, eyes.token);
			go(made.id, swap);
		} catch (why) {
			props.onNote(why instanceof Error ? why.message : strings.failed);
		}
	};
	// The tokens open the same persons' seats; where these are is found by trying them.
	const go = (id: string, swap: boolean) => {
		const n = screen.seats.length;
		const tokens = Object.fromEntries(Object.entries(props.own).map(([p, t]) => [String((Number(p) - (swap ? 1 : 0) + n) % n), t]));
		remember({ id, title: screen.title, game: screen.game, at: Date.now(), tokens });
		location.assign(`/table/${id}`);
	};
	const download = async () => {
		const record = await get<unknown>(tablePath(eyes, "/replay"), eyes.token);
		const a = document.createElement("a");
		a.href = URL.createObjectURL(new Blob([JSON.stringify(record, null, "\t")], { type: "application/json" }));
		a.download = `${screen.game.split("(")[0]}-replay.json`;
		a.click();
		URL.revokeObjectURL(a.href);
	};
	return (
		<section class="result" aria-labelledby="result">
			<h2 id="result">{strings.returns}</h2>
			{over.endings.map((e) => (
				<p key={e}>{e}</p>
			))}
			<ul>
				{over.returns.map((r, p) => (
					<li key={p}>
						<span class={`disc seat${p}`}>{p}</span> {strings.who(p, screen.seats, screen.seat)}: {r > 0 ? "+" : ""}
						{Math.round(r * 1000) / 1000}
					</li>
				))}
			</ul>
			<div class="buttons">
				<button onClick={() => void download()}>{strings.download}</button>
				{screen.seat >= 0 && !screen.next && (
					<>
						<button onClick={() => void rematch(false)}>{strings.rematch}</button>
						<button onClick={() => void rematch(true)}>{strings.rematchSwap}</button>
					</>
				)}
				{screen.next && <a class="button" href={`/table/${screen.next}`}>{strings.rematchReady}</a>}
			</div>
		</section>
	);
}
