// What a choice would do, before it is made: shown while it is pointed at, and where it is to be confirmed.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get, tablePath } from "./api";
import type { Eyes } from "./hub";
import { set, setting } from "./memory";
import type { Screens } from "./screens";
import { strings } from "./strings";
import type { Preview, Screen } from "./types";

/** When a choice is to be confirmed. */
export type Confirms = "never" | "final" | "always";

/** How long a choice is pointed at before it is asked what it would do, in ms. */
const patience = 120;

/** A preview in words. */
export const foretold = (p: Preview): string => [strings.foreseen(p.lines.map((l) => l.text)), strings.chances(p.odds)].filter(Boolean).join(" ");

export interface Foresight {
	/** What is pointed at, once that is known. */
	preview: Preview | undefined;
	point: (action: number | undefined) => void;
	/** The choice that waits to be confirmed. */
	armed: { action: number; preview: Preview | undefined } | undefined;
	disarm: () => void;
	/** Makes a choice, or has it confirmed first: choosing it again confirms it. */
	choose: (action: number) => void;
	confirms: Confirms;
	setConfirms: (to: Confirms) => void;
}

export function useForesight(eyes: Eyes, screen: Screen | undefined, live: Screens["live"], make: (action: number) => void): Foresight {
	const [preview, setPreview] = useState<Preview>();
	const [armed, arm] = useState<{ action: number; preview: Preview | undefined }>();
	// Who cannot point at a choice without making it is asked, at first.
	const [confirms, tell] = useState(() => setting("confirms", matchMedia("(hover: none)").matches ? "always" : "never") as Confirms);
	const known = useRef(new Map<number, Promise<Preview>>());
	const at = useRef<number | undefined>(undefined);
	const timer = useRef(0);
	useEffect(() => {
		known.current.clear();
		at.current = undefined;
		clearTimeout(timer.current);
		setPreview(undefined);
		arm(undefined);
	}, [eyes, screen?.number]);
	const learn = (action: number): Promise<Preview> => {
		let found = known.current.get(action);
		if (!found) known.current.set(action, (found = get<Preview>(tablePath(eyes, "/preview", { action }), eyes.token)));
		return found;
	};
	const point = useCallback(
		(action: number | undefined) => {
			if (action === at.current) return;
			at.current = action;
			clearTimeout(timer.current);
			if (action === undefined) return setPreview(undefined);
			const number = live.current?.number;
			timer.current = window.setTimeout(() => {
				learn(action).then(
					(p) => at.current === action && live.current?.number === number && setPreview(p),
					() => undefined, // nothing is foreseen
				);
			}, patience);
		},
		[eyes],
	);
	const waiting = useRef(armed);
	waiting.current = armed;
	const choose = useCallback(
		(action: number) => {
			if (confirms === "never" || waiting.current?.action === action) return make(action);
			const number = live.current?.number;
			const ask = (p: Preview | undefined) => {
				if (live.current?.number !== number) return;
				if (confirms === "always" || p?.goes) arm({ action, preview: p });
				else make(action);
			};
			learn(action).then(ask, () => ask(undefined));
		},
		[eyes, confirms, make],
	);
	const setConfirms = (to: Confirms) => {
		set("confirms", to);
		tell(to);
	};
	return { preview, point, armed, disarm: useCallback(() => arm(undefined), []), choose, confirms, setConfirms };
}
