// One stream of screens for all that listens: over HTTP/1.1 a browser has six connections for a
// server, and each tab would take one of them for itself. It is run by a worker that tabs share
// (shared.ts), or by the page itself where there is none.

/** How a page sees a game: as a seat by its token, or over a bot's shoulder. */
export interface Eyes {
	id: string;
	token: string;
	shoulder: number; // -1 for none
}

/** What somebody who listens is told. */
export interface Ear {
	/** A screen, as the server sent it. */
	screen: (data: string) => void;
	connected: (is: boolean) => void;
	/** The server refuses the game. Nothing else follows. */
	refused: (status: number, code: string, text: string) => void;
}

/** The server sends a line every three seconds (beat in stream.go): after so many ms without one the connection is dead. */
const silence = 8000;
/** Before it is tried again, in ms: at first, and at most. */
const soon = 250;
const later = 4000;
/** Tabs that open together begin one stream. */
const together = 20;

interface Sub {
	eyes: Eyes;
	last: number;
	ear: Ear;
	/** Its game alone is not to be had at the moment. */
	cut: boolean;
}

/** Returns a function that has an ear listen, and which returns one that ends it. */
export function hub(): (eyes: Eyes, ear: Ear) => () => void {
	const subs = new Set<Sub>();
	let connected = true;
	let wait = soon;
	let now = new AbortController(); // of the stream
	let timer: ReturnType<typeof setTimeout> | undefined;

	const state = (is: boolean) => {
		if (is === connected) return;
		connected = is;
		for (const s of subs) s.ear.connected(is);
	};
	const begin = (ms: number) => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			now.abort();
			now = new AbortController();
			if (subs.size) void run(now);
		}, ms);
	};
	const refuse = (s: Sub, status: number, code: string, text: string) => {
		if (status >= 500) {
			// It may be otherwise the next time; the other games go on until then.
			s.cut = true;
			s.ear.connected(false);
			return begin(later);
		}
		subs.delete(s);
		s.ear.refused(status, code, text);
	};
	const run = async (end: AbortController) => {
		const list = [...subs];
		let dog: ReturnType<typeof setTimeout> | undefined;
		const heard = () => {
			clearTimeout(dog);
			dog = setTimeout(() => end.abort(dead), silence);
		};
		try {
			heard();
			const tables = list.map((s) => ({ id: s.eyes.id, token: s.eyes.token, seat: s.eyes.shoulder, last: s.last }));
			const headers = { "Content-Type": "application/json" };
			const r = await fetch("/api/events", { method: "POST", headers, body: JSON.stringify({ tables }), signal: end.signal });
			if (!r.ok || !r.body) {
				const why = (await r.json()) as { error: string; text: string };
				if (r.status >= 500) throw new Error(why.text);
				for (const s of list) refuse(s, r.status, why.error, why.text);
				return;
			}
			await read(r.body, heard, (e) => {
				state(true);
				wait = soon;
				const s = list[Number(e.get("for"))];
				const data = e.get("data");
				if (!s || !subs.has(s) || !data) return;
				if (e.get("event") === "refused") {
					const why = JSON.parse(data) as { status: number; error: string; text: string };
					refuse(s, why.status, why.error, why.text);
					return;
				}
				if (s.cut) s.ear.connected(true);
				s.cut = false;
				s.last = Number(e.get("id"));
				s.ear.screen(data);
			});
		} catch {
			// Told below, and tried again.
		} finally {
			clearTimeout(dog);
		}
		if (end !== now || subs.size === 0) return; // there is another stream, or nobody to listen
		end.abort();
		state(false);
		begin(wait);
		wait = Math.min(wait * 2, later);
	};
	globalThis.addEventListener("online", () => !connected && begin(0));
	return (eyes, ear) => {
		const s = { eyes, ear, last: -1, cut: false };
		subs.add(s);
		if (!connected) ear.connected(false);
		begin(together);
		return () => {
			if (subs.delete(s) && subs.size === 0) begin(0);
		};
	};
}

const dead = "dead";

/** Calls on with the fields of every event, and heard whenever something comes. */
async function read(body: ReadableStream<Uint8Array>, heard: () => void, on: (event: Map<string, string>) => void): Promise<void> {
	const reader = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
	let parts: string[] = [];
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		heard();
		parts.push(value);
		if (!value.includes("\n\n") && !(value.startsWith("\n") && parts.length > 1)) continue;
		const events = parts.join("").split("\n\n");
		parts = [events.pop() ?? ""];
		for (const event of events) {
			on(new Map(event.split("\n").map((line) => [line.slice(0, Math.max(0, line.indexOf(": "))), line.slice(line.indexOf(": ") + 2)])));
		}
	}
}
