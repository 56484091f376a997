// How a game has ended, and what can be done then.
import { useEffect } from "preact/hooks";
import { get, post, tablePath } from "./api";
import type { Eyes } from "./hub";
import { recall, remember } from "./memory";
import { Disc } from "./seats";
import { strings } from "./strings";
import { count } from "./tally";
import type { Made, Screen } from "./types";

export function Result(props: { screen: Screen; eyes: Eyes; own: Record<string, string>; onNote: (text: string) => void }) {
	const { screen, eyes } = props;
	const over = screen.over;
	useEffect(() => count(eyes.id, screen), [eyes.id, over]);
	if (!over) return null;
	const rematch = async (swap: boolean) => {
		try {
			const made = await post<Made>(tablePath(eyes, "/rematch"), { swap }, eyes.token);
			go(made.id, swap);
		} catch (why) {
			props.onNote(why instanceof Error ? why.message : strings.failed);
		}
	};
	// The tokens open the same persons' seats, which are those before by one where they are
	// passed on.
	const go = (id: string, swap: boolean) => {
		const n = screen.seats.length;
		const tokens = Object.fromEntries(Object.entries(props.own).map(([p, t]) => [String((Number(p) - (swap ? 1 : 0) + n) % n), t]));
		remember({ id, title: screen.title, game: screen.game, at: Date.now(), tokens, apart: recall(eyes.id)?.apart });
		location.assign(`/table/${id}`);
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
						<Disc seat={screen.seats[p]} /> {strings.who(p, screen.seats, screen.seat)}: {r > 0 ? "+" : ""}
						{Math.round(r * 1000) / 1000}
					</li>
				))}
			</ul>
			<div class="buttons">
				<button onClick={() => void download(screen, eyes)}>{strings.download}</button>
				{screen.seat >= 0 && !screen.next && (
					<>
						<button onClick={() => void rematch(false)}>{strings.rematch}</button>
						<button onClick={() => void rematch(true)}>{strings.rematchSwap}</button>
					</>
				)}
				{screen.next && (
					<a class="button" href={`/table/${screen.next}`}>
						{strings.rematchReady}
					</a>
				)}
			</div>
		</section>
	);
}

/** Saves the replay. */
async function download(screen: Screen, eyes: Eyes): Promise<void> {
	const record = await get<unknown>(tablePath(eyes, "/replay"), eyes.token);
	const a = document.createElement("a");
	a.href = URL.createObjectURL(new Blob([JSON.stringify(record, null, "\t")], { type: "application/json" }));
	a.download = `${screen.game.split("(")[0]}-replay.json`;
	a.click();
	URL.revokeObjectURL(a.href);
}
