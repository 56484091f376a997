// The moments of a game: back and forward through them.
import { useCallback, useEffect, useState } from "preact/hooks";
import { get, tablePath } from "./api";
import type { Eyes } from "./hub";
import type { Screens } from "./screens";
import { strings } from "./strings";
import type { Screen } from "./types";

/** How long a moment is shown when the replay plays. */
const beat = 700;

export interface Past {
	/** The moment that is looked at, none for now. */
	past: Screen | undefined;
	/** Shows a moment by its number from 0. */
	look: (step: number) => void;
	now: () => void;
	playing: boolean;
	/** Plays from here on, from the start if this is the end; or stops. */
	play: () => void;
}

export function usePast(eyes: Eyes, live: Screens["live"], say: (why: unknown) => void): Past {
	const [past, setPast] = useState<Screen>();
	const [playing, setPlaying] = useState(false);
	const now = useCallback(() => setPast(undefined), []);
	const look = useCallback(
		(step: number) => {
			const s = live.current;
			if (!s) return;
			if (step >= s.steps - 1) return setPast(undefined);
			get<Screen>(tablePath(eyes, "", { step: Math.max(0, step) }), eyes.token).then((p) => live.current?.seat === p.seat && setPast(p), say);
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
		if (playing || past) return setPlaying(!playing);
		get<Screen>(tablePath(eyes, "", { step: 0 }), eyes.token).then((first) => {
			if (first.step === first.steps - 1) return;
			setPast(first);
			setPlaying(true);
		}, say);
	};
	return { past, look, now, playing, play };
}

export function Replay(props: { view: Past; at: number; steps: number }) {
	const { at, steps, view } = props;
	const { past, look, now, playing, play } = view;
	const button = (label: string, sign: string, off: boolean, does: () => void) => (
		<button aria-label={label} title={label} disabled={off} onClick={does}>
			{sign}
		</button>
	);
	return (
		<div class="replay" role="group" aria-label={strings.replay}>
			{button(strings.first, "|◀", at === 0, () => look(0))}
			{button(strings.previous, "◀", at === 0, () => look(at - 1))}
			{button(playing ? strings.pause : strings.play, playing ? "❚❚" : "►", false, play)}
			{button(strings.next, "▶", !past, () => look(at + 1))}
			{button(strings.last, "▶|", !past, now)}
			<input type="range" min={0} max={steps - 1} value={at} aria-label={strings.replay} aria-valuetext={strings.moment(at + 1, steps)} onInput={(e) => look(Number(e.currentTarget.value))} />
		</div>
	);
}
