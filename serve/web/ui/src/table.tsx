// The table: one game as one seat sees it, or as those who watch do.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Actions } from "./actions";
import { type Refused, get, post, sendMove, tablePath } from "./api";
import { Board, focusBoard } from "./board";
import { Curtain, Keys, Which, Words } from "./dialogs";
import { Guide } from "./guide";
import type { Eyes } from "./hub";
import { Hands } from "./hands";
import { give, hear, holding, idle, keep, pass } from "./handover";
import { useKeys } from "./keys";
import { useLesson } from "./lesson";
import { Log } from "./log";
import { recall, set, setting } from "./memory";
import { useNotices } from "./notice";
import { foretold, useForesight } from "./preview";
import { Moment } from "./moment";
import { Question } from "./question";
import { Replay, usePast } from "./replay";
import { Result } from "./result";
import { Rules } from "./rules";
import { momentOf, useScreens } from "./screens";
import { Seats } from "./seats";
import { useSteady } from "./steady";
import { sitter, strings } from "./strings";
import { ReviewPanel, ValueBar } from "./teacher";
import { Tools } from "./tools";
import type { Borders, Choice, Opinion, Reading, Refusal, Screen, Told } from "./types";

type Open = { kind: "keys" } | { kind: "words" } | { kind: "rules"; start: string } | { kind: "which"; choices: Choice[] } | { kind: "hands"; step: number };

// What stays the same is the same array, so that what follows from it is not drawn anew.
const nothing: string[] = [];
const noChoices: Choice[] = [];
const noHints: Opinion[] = [];
const nowhere = () => undefined;
const forcedPace = 350;

/** The places of some lines, one array for the same lines. */
const places = new WeakMap<{ about?: string[] }[], string[]>();
function aboutOf(lines: { about?: string[] }[]): string[] {
	let list = places.get(lines);
	if (!list) places.set(lines, (list = lines.flatMap((l) => l.about ?? [])));
	return list;
}

/** The places of the lines of a moment; the last answer is kept, so that the same is the same array. */
let asked: { lines: Told[]; step: number; places: string[] } | undefined;
function aboutOfStep(lines: Told[], step: number): string[] {
	if (asked?.lines !== lines || asked.step !== step) asked = { lines, step, places: lines.filter((l) => l.step === step).flatMap((l) => l.about ?? []) };
	return asked.places;
}

export function Table(props: { id: string; onRefused: (why: Refused) => void }) {
	const { id } = props;
	const own = recall(id);
	const asked = Number(new URLSearchParams(location.search).get("seat") ?? -1);
	const mine = useMemo(() => {
		const seats = Object.keys(own?.tokens ?? {}).map(Number);
		return seats.includes(asked) ? [asked] : seats;
	}, [own?.tokens ? Object.keys(own.tokens).join() : ""]);
	const [holds, setHolds] = useState(() => holding(id, mine));
	const holder = useRef(holds);
	const hold = (h: typeof holds) => {
		if (h === holder.current) return;
		holder.current = h;
		keep(id, h);
		setHolds(h);
	};
	const [shoulder, setShoulder] = useState(-1);
	const token = own?.tokens[String(holds.seat)] ?? "";
	const eyes: Eyes = useMemo(() => ({ id, token, shoulder }), [id, token, shoulder]);

	const [note, setNote] = useState("");
	const [about, setAbout] = useState<string[]>(nothing);
	const busy = useRef(false); // a choice is under way
	const [open, setOpen] = useState<Open>();
	const [reading, setReading] = useState<Reading>();
	const [borders, setBorders] = useState<Record<string, Borders>>({});
	const [forced, setForced] = useState(setting("forced", "") === "on");
	const [names, setNames] = useState(setting("names", "") === "on");
	const seats = useRef<Screen["seats"]>([]);
	const say = (why: unknown) => setNote(why instanceof Error ? why.message : strings.failed);

	const { screen, live, lines, base, connected, news, all, playback, skip, skipped, tempo, setTempo } = useScreens(
		eyes,
		(s, before) => {
			seats.current = s.seats;
			if (before?.number !== s.number) {
				lesson.forget(false);
				setNote("");
				busy.current = false; // a screen that comes again, as after a break, leaves a move on its way
			}
			if (s.step === s.steps - 1) hold(hear(holder.current, s, mine));
		},
		() => {
			view.now();
			setOpen(undefined);
			lesson.forget(true);
		},
		props.onRefused,
	);
	const view = usePast(eyes, live, say);
	const lesson = useLesson(eyes, screen, live, say);
	const { past, look } = view;

	const game = screen?.game.split("(")[0];
	useEffect(() => {
		if (game) get<Reading>(`/api/games/${game}`).then(setReading, say);
	}, [game]);
	useEffect(() => {
		setBorders({});
		if (game) get<Record<string, Borders>>(tablePath(eyes, "/borders"), eyes.token).then(setBorders, () => undefined);
	}, [game, eyes]);
	const cards = useMemo(() => new Map(reading?.cards.map((c) => [c.name, c])), [reading]);
	const notices = useNotices(screen && screen.prompt.player === screen.seat && !holds.covered, screen?.number ?? 0, screen?.title ?? "");

	const steady = useSteady(screen?.number);
	const make = useCallback(
		(action: number) => {
			const s = live.current;
			if (!s || busy.current) return;
			setOpen(undefined);
			busy.current = true;
			steady();
			holder.current = { ...holder.current, acted: true };
			sendMove(eyes, s.number, action, () => setNote(strings.resending)).then(
				(done) => {
					if (done.number === s.number) busy.current = false; // no screen comes after it
				},
				(why: unknown) => {
					holder.current = { ...holder.current, acted: false };
					busy.current = false;
					say(why);
				},
			);
		},
		[eyes],
	);
	const foresight = useForesight(eyes, screen, live, make);
	const { choose } = foresight;
	const undo = useCallback(() => {
		const s = live.current;
		if (!s) return;
		if (s.undo) return setNote(strings.undoWhy[s.undo] ?? "");
		view.now();
		post(tablePath(eyes, "/undo"), { number: s.number }, eyes.token).catch(say);
	}, [eyes]);
	useEffect(() => {
		const only = screen?.legal[0];
		if (!forced || screen?.legal.length !== 1 || !only || past || holds.covered) return undefined;
		const t = setTimeout(() => make(only.action), forcedPace);
		return () => clearTimeout(t);
	}, [forced, screen?.number, past, holds.covered]);

	const steps = screen?.steps ?? 1;
	const at = past?.step ?? steps - 1;
	const nextMistake = () => {
		const step = lesson.mistakeAfter(past?.step);
		if (step !== undefined) look(step);
	};
	const rules = useCallback((start = "") => setOpen({ kind: "rules", start }), []);
	const legal = (past ?? screen)?.legal ?? noChoices;
	useKeys({
		"?": () => setOpen({ kind: "keys" }),
		"/": () => document.getElementById("filter")?.focus(),
		b: focusBoard,
		c: () => (document.querySelector<HTMLElement>(".choices button") ?? document.getElementById("choices"))?.focus(),
		l: () => document.getElementById("log")?.focus(),
		u: undo,
		h: lesson.ask,
		"[": () => look(at - 1),
		"]": () => look(at + 1),
		"{": () => look(0),
		"}": view.now,
		p: view.play,
		n: nextMistake,
		t: () => setOpen({ kind: "words" }),
		r: () => rules(),
		"+": () => document.getElementById("larger")?.click(),
		"-": () => document.getElementById("smaller")?.click(),
		"0": () => document.getElementById("fit")?.click(),
		Escape: () => (open ? setOpen(undefined) : foresight.armed ? foresight.disarm() : playback ? skip() : view.now()),
		digit: (n) => !past && document.querySelectorAll<HTMLElement>(".actions .choices button")[n - 1]?.click(),
	});

	const nameOf = (p: number) => {
		const s = seats.current[p];
		return s ? sitter(s) || s.called : "";
	};
	if (holds.covered && seats.current.length > 0) {
		return <Curtain key={holds.seat} name={nameOf(holds.seat)} onGo={() => hold({ ...(screen ? hear({ ...holder.current, covered: false }, screen, mine) : { ...holder.current, covered: false }) })} />;
	}
	if (!screen || holds.covered) return <p class="loading">{strings.loading}</p>;
	const shown = past ?? screen;
	const foreseen = past ? undefined : (foresight.armed?.preview ?? foresight.preview);
	const pastAbout = past && about === nothing ? aboutOfStep(lines, past.step) : undefined;
	const hints = lesson.hinting && !past ? (lesson.advice?.opinions ?? noHints) : noHints;
	const board = (actions: number[]) => {
		if (past) return setNote(strings.past);
		const possible = legal.filter((c) => actions.includes(c.action));
		if (possible.length === 1 && possible[0]) choose(possible[0].action);
		else if (possible.length) {
			steady(); // the dialog opens under the pointer
			setOpen({ kind: "which", choices: possible });
		}
	};
	const refuse = (part: string) => {
		const space = borders[part]?.name ?? part;
		if (past) return setNote(strings.past);
		if (screen.prompt.player !== screen.seat) return setNote(strings.notYours(space, screen.prompt, screen.seats, screen.seat));
		get<Refusal>(tablePath(eyes, "/why", { space: part }), eyes.token).then((r) => live.current?.number === screen.number && setNote(strings.refused(space, r)), say);
	};
	const take = (p: number) => hold(give(holder.current, p, screen.hidden));
	const close = () => setOpen(undefined);

	return (
		<div class={`table${past ? " past" : ""}${names ? " named" : ""}`}>
			<a class="skip" href="#choices">
				{strings.skip}
			</a>
			<header class="top">
				<a href="/" class="home" aria-label={strings.back} title={strings.back}>
					<img src="/assets/icon.svg" alt="" width="24" height="24" />
				</a>
				<h1>{screen.title}</h1>
				<Seats screen={screen} acts={shown.prompt.player} mine={mine} seat={holds.seat} eyes={eyes} onTake={take} onNote={setNote} />
				<div class="tools">
					<button onClick={() => rules()}>{strings.rules}</button>
					<button onClick={() => setOpen({ kind: "words" })}>{strings.text}</button>
					<button aria-label={strings.help} title={strings.help} onClick={() => setOpen({ kind: "keys" })}>
						?
					</button>
				</div>
			</header>
			<Question screen={screen} past={past} playback={past ? undefined : playback} onSkip={skip} foresight={past ? undefined : foresight} watching={screen.seat < 0 && !own ? (screen.hidden && shoulder < 0 ? strings.watchingSecret : strings.watching) : ""} note={connected ? (screen.fault ?? note) : strings.lost} onRule={rules} onPass={idle(holds, screen, mine) ? () => hold(pass(holder.current, screen, mine)) : undefined} />
			<main>
				<section class="boardside" aria-label={strings.board}>
					{screen.seat < 0 && screen.seats.every((s) => s.kind === "bot") && (
						<label class="shoulder">
							{strings.shoulder}{" "}
							<select value={shoulder} onChange={(e) => setShoulder(Number(e.currentTarget.value))}>
								<option value={-1}>{strings.nobody}</option>
								{screen.seats.map((s, p) => (
									<option key={p} value={p}>{`${s.called}: ${sitter(s)}`}</option>
								))}
							</select>
						</label>
					)}
					{shown.drawing ? (
						<Board drawing={shown.drawing} hints={hints} about={playback && !past ? aboutOf(playback) : foreseen ? aboutOf(foreseen.lines) : (pastAbout ?? about)} foretold={foresight.preview ? foretold(foresight.preview) : ""} onPoint={past ? nowhere : foresight.point} travel={past || skipped ? 0 : 0.9 * momentOf(screen, tempo)} told={screen.log} game={game ?? ""} cards={cards} borders={borders} onActions={board} onNothing={refuse} />
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
					{shown.over && shown.prompt.player < 0 && <Result screen={shown} eyes={eyes} own={own?.tokens ?? {}} onNote={setNote} />}
					{screen.guide && !past && <Guide guide={screen.guide} eyes={eyes} onRule={rules} onNote={setNote} />}
					<p class="chain" tabIndex={screen.chain.length ? 0 : -1}>
						{screen.chain.length > 0 && !screen.over && (
							<span>
								<b>{strings.chosen}:</b> {screen.chain.join(" → ")}
							</span>
						)}
					</p>
					<Actions legal={legal} hints={hints} armed={foresight.armed?.action} chose={past?.chose} onChoose={past ? () => setNote(strings.past) : choose} onPoint={past ? nowhere : foresight.point} />
					{screen.seat >= 0 && (
						<Tools
							screen={screen}
							eyes={eyes}
							lesson={lesson}
							forced={forced}
							onForced={(on) => {
								set("forced", on ? "on" : "");
								setForced(on);
							}}
							notices={notices}
							names={names}
							onNames={(on) => {
								set("names", on ? "on" : "");
								setNames(on);
							}}
							confirms={foresight.confirms}
							onConfirms={foresight.setConfirms}
							tempo={tempo}
							onTempo={setTempo}
							onUndo={undo}
							onHands={shown.prompt.player === screen.seat ? () => setOpen({ kind: "hands", step: past ? past.step : -1 }) : undefined}
						/>
					)}
					{screen.practice && <ValueBar advice={lesson.bar || lesson.hinting ? lesson.advice : undefined} />}
					{past && past.prompt.player === screen.seat && (screen.practice || screen.over) && (
						<Moment key={past.step} eyes={eyes} past={past} name={nameOf} onNote={setNote} />
					)}
					{lesson.review && <ReviewPanel review={lesson.review} step={at} onStep={look} onMistake={nextMistake} />}
					<Replay view={view} at={at} steps={steps} />
					<Log lines={lines} more={base > 0} shown={past?.step} onMore={() => void all().catch(say)} onRule={rules} onStep={look} onAbout={setAbout} />
				</div>
			</main>
			<div class="hush" aria-live="polite">
				{news}
			</div>
			{open?.kind === "keys" && <Keys onClose={close} />}
			{open?.kind === "words" && <Words text={shown.text} onClose={close} />}
			{open?.kind === "rules" && <Rules game={game ?? ""} reading={reading} start={open.start} onClose={close} />}
			{open?.kind === "which" && <Which choices={open.choices} onChoose={choose} onClose={close} />}
			{open?.kind === "hands" && <Hands eyes={eyes} step={open.step} name={nameOf} onClose={close} />}
		</div>
	);
}
