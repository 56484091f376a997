// The screens of a table as they come, with the log that they add up to.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Eyes, type Refused, get, listen, tablePath } from "./api";
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
}

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
	useEffect(() => {
		// What one seat sees is gone before another looks; without secrets it stays until then.
		setScreen((s) => (s?.hidden ? undefined : s));
		if (live.current?.hidden) setNews("");
		change();
		live.current = undefined;
		return listen(
			eyes,
			(s) => {
				const { base, lines } = have.current;
				if (s.reset) note(s.since, s.log);
				else if (s.log.length || s.since - base < lines.length) note(base, [...lines.slice(0, s.since - base), ...s.log]);
				if (live.current && s.log.length && !s.reset) setNews(s.log.map((l) => l.text).join(". "));
				const before = live.current;
				live.current = s;
				setScreen(s);
				on(s, before);
			},
			setConnected,
			fail,
		);
	}, [eyes]);
	const all = async () => note(0, await get<Told[]>(tablePath(eyes, "/log"), eyes.token));
	return { screen, live, lines: log.lines, base: log.base, connected, news, all };
}
