// Who sits where, and the seats that can still be taken.
import { post } from "./api";
import type { Eyes } from "./hub";
import { remember, setting } from "./memory";
import { sitter, strings } from "./strings";
import type { Screen, Seat } from "./types";

/** A piece of a seat: its colour, with the first letter of what it is called. */
export const Disc = (props: { seat: Pick<Seat, "called" | "colour"> | undefined }) => (
	<span class={`disc seat${props.seat?.colour ?? 5}`} aria-hidden="true">
		{props.seat?.called.replace(/^Player /, "")[0] ?? ""}
	</span>
);

export function Seats(props: { screen: Screen; acts: number; mine: number[]; seat: number; eyes: Eyes; onTake: (p: number) => void; onNote: (text: string) => void }) {
	const { screen, acts, mine, seat, eyes } = props;
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
	const at = (p: number) => {
		const s = screen.seats[p];
		if (s?.kind === "open") return mine.length === 0 ? <button onClick={() => void join(p)}>{strings.join}</button> : <button onClick={copy}>{strings.invite}</button>;
		const name = (s && sitter(s)) || strings.somebody;
		if (mine.length > 1 && mine.includes(p) && p !== seat) {
			return (
				<button title={strings.take(name)} onClick={() => props.onTake(p)}>
					{name}
				</button>
			);
		}
		return <span title={s?.kind === "bot" ? s.name : undefined}>{p === screen.seat ? strings.you : name}</span>;
	};
	return (
		<ul class="seats">
			{screen.seats.map((_, p) => (
				<li key={p} class={`${p === acts ? "acts" : ""} ${p === screen.seat ? "own" : ""}`} aria-current={p === acts ? "true" : undefined}>
					<Disc seat={screen.seats[p]} /> <b>{screen.seats[p]?.called}</b> {at(p)}
				</li>
			))}
		</ul>
	);
}
