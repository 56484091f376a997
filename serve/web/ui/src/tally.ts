// How many games were finished with each bot at the table: one's own record, for the ladder.
import { recall, remember, store, stored } from "./memory";
import type { Screen } from "./types";

/** Games that were finished with a bot at the table, and how many of them were won and drawn. */
export interface Tally {
	played: number;
	won: number;
	drawn: number;
}

/** Tallies by family of games and agent. Practice, in which moves are taken back and hints given, counts apart. */
type Tallies = Record<string, Record<string, { earnest: Tally; practice: Tally }>>;

const key = "won";
const none = (): Tally => ({ played: 0, won: 0, drawn: 0 });
const familyOf = (game: string) => game.split("(")[0] ?? game;

export function tallyOf(family: string, agent: string): { earnest: Tally; practice: Tally } {
	return stored<Tallies>(key, {})[family]?.[agent] ?? { earnest: none(), practice: none() };
}

/**
 * How a game came out for whoever has these seats at this screen, "" where that cannot be said: people who play against
 * each other at one screen have no record in common. Whoever shares the first place has drawn.
 */
export function outcome(screen: Pick<Screen, "over">, seats: number[]): "won" | "drawn" | "lost" | "" {
	const { over } = screen;
	const own = seats[0];
	if (!over || own === undefined) return "";
	if (over.together) return over.winners.length ? "won" : "lost";
	if (seats.length > 1) return "";
	if (!over.winners.includes(own)) return "lost";
	return over.winners.length > 1 ? "drawn" : "won";
}

/** Counts a game that is over, once. One that did not begin at its beginning (apart) is none of the ladder's. */
export function count(id: string, screen: Screen): void {
	const game = recall(id);
	if (!game || game.apart || game.counted || screen.guide) return;
	const came = outcome(screen, Object.keys(game.tokens).map(Number));
	if (!came) return;
	remember({ ...game, counted: true });
	const all = stored<Tallies>(key, {});
	const family = (all[familyOf(screen.game)] ??= {});
	for (const agent of new Set(screen.seats.filter((s) => s.kind === "bot").map((s) => s.name))) {
		const t = (family[agent] ??= { earnest: none(), practice: none() })[screen.practice ? "practice" : "earnest"];
		t.played++;
		if (came !== "lost") t[came]++;
	}
	store(key, all);
}
