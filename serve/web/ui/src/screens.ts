// The screens of a table, with the log that they add up to. What others did between two of them is played
// back, a moment after the other.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { set, setting } from "./memory";
import { type Refused, get, listen, tablePath } from "./api";
import type { Eyes } from "./hub";
import type { Screen, Told } from "./types";

export interface Screens {
	screen: Screen | undefined;
	/** The last screen, for what is done between two drawings of the page. */
	live: { current: Screen | undefined };
	lines: Told[];
	/** How many lines are left out before the first. */
	base: number;
	connected: boolean;
	/** What has just happened, for screen readers. */
	news: string;
	/** Gets the lines that are left out. */
	all: () => Promise<void>;
	/** What happened at the moment that is played back, none where the screen is the present. */
	playback: Told[] | undefined;
	/** Shows the present at once. */
	skip: () => void;
	/** The screen is shown as it is, without what has happened before. */
	skipped: boolean;
	tempo: Tempo;
	setTempo: (to: Tempo) => void;
}

/** How long a moment is shown, in ms; none is shown at a tempo of 0. */
export const tempos = { off: 0, fast: 350, normal: 800, slow: 1800 };
export type Tempo = keyof typeof tempos;

/** How long a screen is shown, in ms: longer where a die rolls or a card turns over. */
export const momentOf = (s: Screen, tempo: Tempo): number => tempos[tempo] * (s.log.some((l) => l.die || l.card) ? 1.5 : 1);

/** However much has happened, it is played back in so many ms at the usual tempo, or the longer or shorter at others. */
const longest = 6000;

/** Reports whether a screen is of a moment that is over, rather than the present. */
const isOver = (s: Screen) => s.step < s.steps - 1;

/** On is called with every screen; change when the screen is that of other eyes. */
export function useScreens(eyes: Eyes, on: (s: Screen, before: Screen | undefined) => void, change: () => void, fail: (why: Refused) => void): Screens {
	const [screen, setScreen] = useState<Screen>();
	const [log, setLog] = useState<{ base: number; lines: Told[] }>({ base: 0, lines: [] });
	const [connected, setConnected] = useState(true);
	const [news, setNews] = useState("");
	const live = useRef<Screen | undefined>(undefined);
	const have = useRef(log);
	const note = (base: number, lines: Told[]) => {
		have.current = { base, lines };
		setLog(have.current);
	};
	const [tempo, tell] = useState<Tempo>(() => {
		const kept = setting("tempo", "normal");
		return kept in tempos ? (kept as Tempo) : "normal";
	});
	const pace = useRef(tempo);
	pace.current = tempo;
	const setTempo = (to: Tempo) => {
		set("tempo", to);
		tell(to);
	};
	const [skipped, setSkipped] = useState(false);
	const [playback, setPlayback] = useState<Told[]>();
	const queue = useRef<Screen[]>([]);
	const timer = useRef(0);
	const handler = useRef(on);
	handler.current = on;

	/** Takes a screen up, and shows it where show says so. */
	const take = (s: Screen, show: boolean) => {
		const { base, lines } = have.current;
		if (s.reset) note(s.since, s.log);
		else if (s.log.length || s.since - base < lines.length) note(base, [...lines.slice(0, s.since - base), ...s.log]);
		if (live.current && s.log.length && !s.reset) setNews(s.log.map((l) => l.text).join(". "));
		const before = live.current;
		live.current = s;
		if (!show) return;
		setSkipped(before === undefined || s.reset);
		setPlayback(isOver(s) ? s.log : undefined);
		setScreen(s);
		handler.current(s, before);
	};
	/** Shows what is due, and comes back when the next is. */
	const advance = useCallback(() => {
		clearTimeout(timer.current);
		timer.current = 0;
		for (let s = queue.current.shift(); s; s = queue.current.shift()) {
			const worth = isOver(s) && s.log.length > 0 && tempos[pace.current] > 0;
			take(s, worth || queue.current.length === 0);
			if (worth) {
				const share = (longest * tempos[pace.current]) / tempos.normal / (queue.current.length + 1);
				timer.current = window.setTimeout(advance, Math.min(momentOf(s, pace.current), share));
				return;
			}
		}
	}, []);
	const skip = useCallback(() => {
		clearTimeout(timer.current);
		timer.current = 0;
		while (queue.current.length > 1) take(queue.current.shift() as Screen, false);
		advance();
		setSkipped(true);
	}, []);
	useEffect(() => {
		// What one seat sees is gone before another looks; without secrets it stays until then.
		setScreen((s) => (s?.hidden ? undefined : s));
		if (live.current?.hidden) setNews("");
		change();
		live.current = undefined;
		clearTimeout(timer.current);
		timer.current = 0;
		queue.current = [];
		setPlayback(undefined);
		const stop = listen(
			eyes,
			(s) => {
				queue.current.push(s);
				// A page that nobody looks at is not kept waiting.
				if (document.hidden) skip();
				else if (!timer.current) advance();
			},
			setConnected,
			fail,
		);
		return () => {
			clearTimeout(timer.current);
			stop();
		};
	}, [eyes]);
	const all = async () => note(0, await get<Told[]>(tablePath(eyes, "/log"), eyes.token));
	return { screen, live, lines: log.lines, base: log.base, connected, news, all, playback, skip, skipped, tempo, setTempo };
}
