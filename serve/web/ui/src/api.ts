// What the page asks of the server, and the stream of screens.
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

export async function post<T>(path: string, body: unknown, token = ""): Promise<T> {
	const send = () =>
		fetch(path, { method: "POST", headers: { "Content-Type": "application/json", ...authorized(token) }, body: JSON.stringify(body) });
	let r: Response;
	try {
		r = await send();
	} catch {
		r = await send(); // the server makes a move once, however often it is sent
	}
	if (!r.ok) throw await refused(r);
	return (r.status === 204 ? undefined : await r.json()) as T;
}

/** How a page sees a game: as a seat by its token, or over a bot's shoulder. */
export interface Eyes {
	id: string;
	token: string;
	shoulder: number; // -1 for none
}

export const tablePath = (e: Eyes, what = "", query: Record<string, string | number> = {}): string => {
	const q = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)] as [string, string]));
	if (e.shoulder >= 0) q.set("seat", String(e.shoulder));
	const tail = q.toString();
	return `/api/tables/${e.id}${what}${tail ? `?${tail}` : ""}`;
};

/**
 * Calls on with every screen that the server has for these eyes, until stop. A stream that
 * breaks off is opened anew with the number of the last screen. It is read by fetch rather
 * than by EventSource, which can send no token but in the address.
 */
export function listen(eyes: Eyes, on: (s: Screen) => void, state: (connected: boolean) => void, fail: (e: Refused) => void): () => void {
	const end = new AbortController();
	let last = "";
	let wait = 250;
	const run = async () => {
		while (!end.signal.aborted) {
			try {
				const headers = { ...authorized(eyes.token), ...(last ? { "Last-Event-ID": last } : {}) };
				const r = await fetch(tablePath(eyes, "/events"), { headers, signal: end.signal });
				if (!r.ok || !r.body) {
					const why = await refused(r);
					if (r.status < 500) return fail(why);
					throw why;
				}
				state(true);
				wait = 250;
				let drawn: string[] = [];
				await read(r.body, (id, data) => {
					last = id;
					const s = JSON.parse(data) as Screen;
					drawn = s.pieces ? lay(drawn, s.pieces) : s.drawing.split("\n");
					if (s.pieces) s.drawing = drawn.join("\n");
					on(s);
				});
			} catch {
				// Told below, and tried again.
			}
			if (end.signal.aborted) return;
			state(false);
			await new Promise((go) => setTimeout(go, wait));
			wait = Math.min(wait * 2, 8000);
		}
	};
	void run();
	return () => end.abort();
}

/** The lines of a drawing that is told by those of the one before. */
const lay = (before: string[], pieces: Piece[]): string[] => pieces.flatMap((p) => (p.count ? before.slice(p.from ?? 0, (p.from ?? 0) + p.count) : (p.text ?? "").split("\n")));

async function read(body: ReadableStream<Uint8Array>, on: (id: string, data: string) => void): Promise<void> {
	const reader = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
	let parts: string[] = [];
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		parts.push(value);
		if (!value.includes("\n\n") && !(value.startsWith("\n") && parts.length > 1)) continue;
		const events = parts.join("").split("\n\n");
		parts = [events.pop() ?? ""];
		for (const event of events) {
			let id = "";
			let data = "";
			for (const line of event.split("\n")) {
				if (line.startsWith("id: ")) id = line.slice(4);
				else if (line.startsWith("data: ")) data += line.slice(6);
			}
			if (data) on(id, data);
		}
	}
}
