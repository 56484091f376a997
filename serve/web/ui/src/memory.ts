// What this screen remembers: the tokens of its seats, and what came of their games.

export interface Remembered {
	id: string;
	title: string;
	game: string;
	at: number;
	tokens: Record<string, string>; // by seat
	apart?: boolean | undefined; // it began in the middle, or as a lesson
	counted?: boolean; // what came of it is in the tally
}

const key = "tables";
const most = 40;

/** What is stored under a name, or a fallback where nothing is or the browser keeps nothing. */
export function stored<T>(name: string, fallback: T): T {
	try {
		return (JSON.parse(localStorage.getItem(`powderkeg.${name}`) ?? "null") as T | null) ?? fallback;
	} catch {
		return fallback;
	}
}

export function store(name: string, value: unknown): void {
	set(name, JSON.stringify(value));
}

export function remembered(): Remembered[] {
	return stored<Remembered[]>(key, []);
}

export function recall(id: string): Remembered | undefined {
	return remembered().find((r) => r.id === id);
}

export function remember(r: Remembered): void {
	const old = recall(r.id);
	store(key, [{ ...old, ...r, tokens: { ...old?.tokens, ...r.tokens } }, ...remembered().filter((o) => o.id !== r.id)].slice(0, most));
}

export function forget(id: string): void {
	store(key, remembered().filter((r) => r.id !== id));
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
		// A browser that keeps nothing plays until its page is closed.
	}
}
