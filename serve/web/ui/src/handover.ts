// Who has the screen, where several people share one. In a game with secrets it goes round
// behind a curtain, and to whom it is offered does not tell who is asked in secret: the
// server names after a move everybody of whom the seat at the screen cannot know that they
// are not, and the screen goes to all of them before the game is seen to go on.
import type { Screen } from "./types";

export interface Holding {
	seat: number; // whose screen it is
	covered: boolean; // until that person has taken it
	queue: number[]; // to whom it is still to be offered, the one at it first
	heard: Record<string, number>; // by seat the last handover that was minded
	acted: boolean; // the first of the queue has answered
	fresh: boolean; // nothing has come for this seat since it took the screen
	first: boolean; // nothing has come at all
}

const key = (id: string) => `powderkeg.holding.${id}`;

/** Who has the screen of a table that is opened, or was opened before. */
export function holding(id: string, mine: number[]): Holding {
	const now: Holding = { seat: mine[0] ?? -1, covered: mine.length > 1, queue: [], heard: {}, acted: false, fresh: true, first: true };
	if (mine.length < 2) return now;
	try {
		const kept = JSON.parse(sessionStorage.getItem(key(id)) ?? "{}") as Partial<Holding>;
		if (mine.includes(kept.seat ?? -1)) return { ...now, seat: kept.seat ?? -1, queue: kept.queue ?? [], heard: kept.heard ?? {}, fresh: kept.heard === undefined, first: false };
	} catch {
		// Begun anew.
	}
	return now;
}

export function keep(id: string, h: Holding): void {
	try {
		sessionStorage.setItem(key(id), JSON.stringify({ seat: h.seat, queue: h.queue, heard: h.heard }));
	} catch {
		// A browser that keeps nothing begins behind the curtain of the first seat.
	}
}

/** The screen goes to a seat, behind a curtain if there are secrets. */
export const give = (h: Holding, seat: number, hidden: boolean): Holding => ({ ...h, seat, covered: hidden, acted: false, fresh: true });

/** A screen of the seat that has it has come. */
export function hear(h: Holding, s: Screen, mine: number[]): Holding {
	if (s.seat !== h.seat || mine.length < 2) return h;
	const to = s.prompt.player;
	if (!s.hidden) {
		const seat = mine.includes(to) ? to : h.seat;
		return seat === h.seat && !h.covered ? h : { ...h, seat, covered: false, first: false };
	}
	if (h.first && mine.includes(to) && to !== h.seat) return { ...give(h, to, true), first: false };
	const before = h.heard[s.seat] ?? 0;
	const last = s.handovers?.at(-1)?.number ?? before;
	const queue = h.queue.slice();
	for (const o of s.handovers ?? []) {
		if (h.fresh || o.number <= before) continue;
		for (const p of o.seats) if (mine.includes(p) && p !== h.seat && !queue.includes(p)) queue.push(p);
	}
	return goOn({ ...h, queue, heard: { ...h.heard, [s.seat]: last }, fresh: false, first: false }, s, mine);
}

function goOn(h: Holding, s: Screen, mine: number[]): Holding {
	if (h.covered) return h;
	let queue = h.queue;
	if (queue[0] === h.seat) {
		if (!h.acted) return h;
		queue = queue.slice(1);
	}
	return send({ ...h, queue, acted: false }, s, mine);
}

function send(h: Holding, s: Screen, mine: number[]): Holding {
	const to = h.queue[0] ?? s.prompt.player;
	return to !== h.seat && mine.includes(to) ? give(h, to, true) : h;
}

/** Whether the person at the screen has only to pass it on. */
export const idle = (h: Holding, s: Screen, mine: number[]): boolean =>
	s.hidden && mine.length > 1 && s.seat === h.seat && s.prompt.player !== h.seat && (h.queue[0] === h.seat || s.prompt.player === -3);

/** The person at the screen, of whom nothing is asked, passes it on. */
export function pass(h: Holding, s: Screen, mine: number[]): Holding {
	const queue = h.queue[0] === h.seat ? h.queue.slice(1) : h.queue;
	const next = send({ ...h, queue }, s, mine);
	if (next.seat !== h.seat || s.prompt.player !== -3) return next;
	return give(next, mine[(mine.indexOf(h.seat) + 1) % mine.length] ?? h.seat, true);
}
