// What the server answers: see screen.go, library.go, review.go, and the packages told and teacher.

export interface Seat {
	kind: "person" | "bot" | "open";
	name: string;
	/** What the game calls the seat, such as "Rebel", and its colour in the palette. */
	called: string;
	colour: number;
}
export interface Prompt {
	player: number; // a seat, -1 chance, -2 the end, -3 nobody
	question: string;
	rule: string;
	/** The question as a sentence to whoever decides, "" where nothing is asked. */
	says: string;
	title: string;
	text: string;
}
export interface Choice {
	action: number;
	name: string;
	words: string;
	verb: string;
	object: string;
	amount: number | null;
}
export interface Told {
	step: number;
	kind: string;
	rule: string;
	title: string;
	text: string;
	move: boolean;
	about?: string[];
	/** What a die shows, and a card that is seen. */
	die?: number;
	card?: string;
}
export interface Over {
	returns: number[];
	winners: number[];
	endings: string[];
	draw: boolean;
	together: boolean;
}
export interface Screen {
	number: number;
	step: number;
	steps: number;
	game: string;
	title: string;
	seat: number;
	seats: Seat[];
	hidden: boolean;
	practice: boolean;
	next?: string;
	fault?: string;
	prompt: Prompt;
	/** What the seat can choose or, at a moment of before, could have. */
	legal: Choice[];
	/** What it chose then. */
	chose?: number;
	chain: string[];
	undo: string;
	over?: Over;
	guide?: Guide;
	handovers?: Handover[];
	log: Told[];
	since: number;
	reset: boolean;
	drawing: string;
	/** In a stream, instead of the drawing: what it is made of. */
	pieces?: Piece[];
	text: string;
}
/** What a guided first game says. */
export interface Guide {
	step: number;
	steps: number;
	text: string;
	rule: string;
	/** After a choice of the learner's own; to go on takes it back. */
	off: boolean;
	/** Any choice may be tried. */
	free: boolean;
	done: boolean;
}
/** Lines of the drawing before, or the text of others. */
export interface Piece {
	from?: number;
	count?: number;
	text?: string;
}
export interface Option {
	name: string;
	kind: "bool" | "int" | "float" | "duration" | "choice" | "text";
	default: string;
	choices?: string[];
	min?: number;
	max?: number;
	help: string;
}
export interface Offer {
	name: string;
	title: string;
	players: number;
	options: Option[];
	max_decisions: number;
	/** The game string, and the options in it that are not as by default. */
	game: string;
	values: Record<string, string>;
	/** Options that were changed for the sake of others. */
	changed: string[];
	suggested: string;
	/** The family has a guided first game. */
	first: boolean;
	/** What the seats are called, where that is known before the game begins. */
	seats: { called: string; colour: number }[];
	opponents: { agent: string; level: string; elo?: number }[];
}
export interface Rule {
	rule: string;
	title: string;
	section: string;
	text: string;
}
export interface Card {
	kind: string;
	name: string;
	title: string;
	text: string;
}
export interface Reading {
	rules: Rule[];
	cards: Card[];
	book: Chapter[];
}
/** A part of the rules, in the order of play. */
export interface Chapter {
	title: string;
	intro: string;
	rules: Rule[];
	/** A moment of the first game. */
	example?: { step: number; rule: string; text: string };
}
export interface Opinion {
	action: number;
	share: number;
	value: number | null;
	error: number; // of the value, beside other actions
}
/** What the teacher thinks of a decision: all of one search. */
export interface Advice {
	by: string;
	opinions: Opinion[];
	best: number; // the opinion with the largest share
	value: number | null;
	error: number;
	worlds: number;
	trials: number;
	depth: number; // in choices, 0 for to the end
	line: { seat: number; words: string }[];
	/** Of a moment that is past, or against a deal: what the actions do. */
	words?: string[];
	/** Of a moment that is past: what was chosen, and what that has cost. */
	played?: number;
	cost?: number;
	mistake?: boolean;
}
export interface Decision {
	step: number;
	played: string;
	best: string;
	value: number | null;
	cost: number | null;
	mistake: boolean;
}
export interface Review {
	by: string;
	decisions: Decision[];
	whole: boolean;
}
export interface Made {
	id: string;
	tokens: string[];
}
export interface Catalogue {
	games: Offer[];
}
/** A time at which a screen that people share is to be offered to seats. */
export interface Handover {
	number: number;
	seats: number[];
}
/** Why a space of the drawing cannot be chosen. */
export interface Refusal {
	rule: string;
	title: string;
	text: string;
	apart?: string[];
	first: string[];
}
/** What the others may hold; deal is -1 for what they really do. */
export interface Deal {
	deal: number;
	holds: { seat: number; lines: string[] }[];
}
/** What a space is called, and the spaces that border it. */
export interface Borders {
	name: string;
	borders: string[];
}
/** What a choice would do (preview.go). */
export interface Preview {
	lines: { rule: string; text: string; about?: string[] }[];
	odds: { text: string; probability: number }[];
	goes: boolean;
}
