// What this screen remembers: the tokens of its seats.

export interface Remembered {
	id: string;
	title: string;
	game: string;
	at: number;
	tokens: Record<string, string>; // by seat
}

const key = "powderkeg.tables";
const most = 40;

export function remembered(): Remembered[] {
	try {
		return JSON.parse(localStorage.getItem(key) ?? "[]") as Remembered[];
	} catch {
		return [];
	}
}

function store(list: Remembered[]): void {
	try {
		localStorage.setItem(key, JSON.stringify(list.slice(0, most)));
	} catch {
		// A browser that keeps nothing plays until its page is closed.
	}
}

export function recall(id: string): Remembered | undefined {
	return remembered().find((r) => r.id === id);
}

export function remember(r: Remembered): void {
	const old = recall(r.id);
	store([{ ...r, tokens: { ...old?.tokens, ...r.tokens } }, ...remembered().filter((o) => o.id !== r.id)]);
}

export function forget(id: string): void {
	store(remembered().filter((r) => r.id !== id));
}

/** A small setting of this screen. */
export function setting(name: string, fallback: string): string {
	try {
		return localStorage.getItem(`powderkeg.${name}`) ?? fallback;
	} catch {
		return fallback;
	}
}

export function set(name: string, value: string): void {
	try {
		localStorage.setItem(`powderkeg.${name}`, value);
	} catch {
		// see store
	}
}
