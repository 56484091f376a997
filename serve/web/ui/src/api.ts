// What the page asks of the server, and the stream of screens.
import type { Eyes } from "./hub";
import { listening } from "./stream";
import { strings } from "./strings";
import type { Piece, Screen } from "./types";

/** A request that was refused, with a code of the server's. */
export class Refused extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		text: string,
	) {
		super(strings.problems[code] ?? text);
	}
}

async function refused(r: Response): Promise<Refused> {
	try {
		const p = (await r.json()) as { error?: string; text?: string };
		return new Refused(r.status, p.error ?? "", p.text ?? strings.failed);
	} catch {
		return new Refused(r.status, "", strings.failed);
	}
}

const authorized = (token: string): Record<string, string> => (token ? { Authorization: `Bearer ${token}` } : {});

export async function get<T>(path: string, token = "", signal?: AbortSignal): Promise<T> {
	const r = await fetch(path, { headers: authorized(token), ...(signal ? { signal } : {}) });
	if (!r.ok) throw await refused(r);
	return (await r.json()) as T;
}

export async function post<T>(path: string, body: unknown, token = "", signal?: AbortSignal): Promise<T> {
	const headers = { "Content-Type": "application/json", ...authorized(token) };
	const r = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) });
	if (!r.ok) throw await refused(r);
	return (r.status === 204 ? undefined : await r.json()) as T;
}

/** After so many ms without an answer a move is sent again, and so long it rests in between. */
const patience = 8000;
const rest = 1000;

/**
 * Sends a move until the server has answered, and says when it goes again. The server makes a move
 * once, however often it is sent: it goes by the number of the screen. The answer has the number of the
 * screen after it.
 */
export async function sendMove(eyes: Eyes, number: number, action: number, again: () => void): Promise<{ number: number }> {
	for (;;) {
		try {
			return await post<{ number: number }>(tablePath(eyes, "/move"), { number, action }, eyes.token, AbortSignal.timeout(patience));
		} catch (why) {
			if (why instanceof Refused) throw why;
		}
		again();
		await new Promise((go) => setTimeout(go, rest));
	}
}

export const tablePath = (e: Eyes, what = "", query: Record<string, string | number> = {}): string => {
	const q = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)] as [string, string]));
	if (e.shoulder >= 0) q.set("seat", String(e.shoulder));
	const tail = q.toString();
	return `/api/tables/${e.id}${what}${tail ? `?${tail}` : ""}`;
};

/** Calls on with every screen that the server has for these eyes, until stop. */
export function listen(eyes: Eyes, on: (s: Screen) => void, state: (connected: boolean) => void, fail: (e: Refused) => void): () => void {
	let drawn: string[] = [];
	return listening(eyes, {
		screen: (data) => {
			const s = JSON.parse(data) as Screen;
			drawn = s.pieces ? lay(drawn, s.pieces) : s.drawing.split("\n");
			if (s.pieces) s.drawing = drawn.join("\n");
			on(s);
		},
		connected: state,
		refused: (status, code, text) => fail(new Refused(status, code, text)),
	});
}

/** The lines of a drawing that is told by those of the one before. */
const lay = (before: string[], pieces: Piece[]): string[] => pieces.flatMap((p) => (p.count ? before.slice(p.from ?? 0, (p.from ?? 0) + p.count) : (p.text ?? "").split("\n")));
