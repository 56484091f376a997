// Every English word of the page that is not the server's. A translation is another file
// of this shape.
import type { Prompt, Refusal, Seat } from "./types";

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const list = (words: string[]) =>
	words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

const alternatives = (words: string[]) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`);

/** Ends a question with a full stop, unless it has a mark of its own. */
const closed = (question: string): string => (question.endsWith("?") ? question : `${question}.`);

export const strings = {
	name: "Powderkeg",
	tagline: "Tabletop games of insurgency and war, against the bots that learned them or against each other.",
	skip: "Skip to the choices",
	loading: "Setting the table …",
	back: "All games",
	close: "Close",
	help: "Keys",
	more: "More",

	// Lobby.
	choose: "Choose a game",
	large: "Large games",
	small: "Small games",
	options: "Options",
	noOptions: "This game has no options.",
	changedToo: (options: string[]) => `Changed too, since it goes with your choice: ${list(options.map((o) => o.replaceAll("_", " ")))}.`,
	byDefault: (value: string) => `usually ${value}`,
	seats: "Seats",
	sits: "Who plays",
	you: "You",
	friend: "Another person at this screen",
	open: "Open: whoever has the link",
	agent: "A bot by its name …",
	agentName: "Name of the bot, such as mcts(sims=1000)",
	yourName: "Your name",
	nameOf: (called: string) => `Your name as ${called}`,
	levels: {
		random: "Bot: plays at random",
		beginner: "Bot: beginner",
		casual: "Bot: casual",
		strong: "Bot: strong",
		best: "Bot: the best of ours",
		scripted: "Bot: steady, by rules of thumb",
		search: "Bot: thinks ahead (search)",
		network: "Bot: trained network",
	} as Record<string, string>,
	// The scale of ratings is the game's own: the rules of thumb have 1500.
	opponent: (level: string, agent: string, elo?: number) => (elo ? `${level}, rated ${elo} (${agent})` : `${level} (${agent})`),
	practice: "Practice: take back any move, ask for hints",
	practiceNot: "Not with an open seat, for moves are taken back freely in practice.",
	begin: "Begin",
	from: "Begin from a file",
	fromHelp: "A position, a script with one, or a replay (JSON).",
	fromNot: "This file is no JSON.",
	yours: "Your games",
	forget: "Forget this game on this screen",
	players: (n: number) => plural(n, "seat", "seats"),
	enter: "This server asks for a token.",
	token: "Token",
	go: "Go in",

	// Table.
	invite: "Copy the link for others",
	copied: "Copied",
	join: "Take this seat",
	joinAny: "Take a seat",
	watching: "You are watching.",
	watchingSecret: "You are watching. What the seats see is theirs alone; here is what all are told.",
	shoulder: "Look over the shoulder of",
	nobody: "nobody",
	somebody: "somebody",
	who: (player: number, seats: Seat[], own: number): string => {
		if (player === -1) return "Chance";
		const s = seats[player];
		if (!s) return "Nobody";
		if (player === own) return "You";
		return s.name && s.name !== s.called ? `${s.called} (${s.name})` : s.called;
	},
	prompt: (p: Prompt, seats: Seat[], own: number): string => {
		if (p.player === -2) return "The game is over.";
		if (p.player === -3) return "Nothing is asked of you at the moment.";
		const who = strings.who(p.player, seats, own);
		const open = seats[p.player]?.kind === "open" ? " Nobody sits there yet." : "";
		if (!p.says) return `${who} ${p.player === own ? "decide" : "decides"}.${open}`;
		const says = closed(p.says);
		return (p.player === own ? says : `${who} is asked: ${says}`) + open;
	},
	over: (winners: number[], seats: Seat[], own: number, together: boolean, draw: boolean): string => {
		if (together) return winners.length ? "All win together." : "Nobody wins.";
		if (draw) return "A draw.";
		const names = list(winners.map((w) => strings.who(w, seats, own)));
		return winners.length === 1 && winners[0] !== own ? `${names} wins.` : `${names} win.`;
	},
	returns: "Result",
	board: "Board",
	noBoard: "This game has no drawing yet; here is its text.",
	choices: "Choices",
	chosen: "So far",
	forced: "Make forced moves for me",
	sound: "Sound at my turn",
	notify: "Notice at my turn",
	yourTurn: "It is your turn.",
	filter: "Find a choice",
	noChoices: "You have nothing to choose now.",
	found: (n: number, all: number) => (n === all ? plural(n, "choice", "choices") : `${n} of ${plural(all, "choice", "choices")}`),
	showAll: (n: number) => `Show all ${n}`,
	which: "Which of these?",
	undo: "Take back",
	undoWhy: {
		nothing: "You have made no move yet.",
		other: "Another seat has decided since; what one did stands then.",
		chance: "Dice, a draw or a lot have shown something since.",
		shown: "The move may have brought hidden information to light, or had somebody asked in secret.",
		over: "The game is over.",
	} as Record<string, string>,
	hint: "Hint",
	hintBy: (by: string) => `What ${by} would do`,
	hintNone: "No hint",
	always: "Value bar",
	value: (percent: number) => `${percent}% of what can be won`,
	valueUnknown: "Not known here",
	percent: (share: number) => `${Math.round(share * 100)}%`,
	unknown: "not known",
	handsOpen: "Against a hand",
	hands: "What it would do against this hand",
	handsHelp: "Choose what the others hold: one of the deals that are possible for all that you know, or the truth where it is no secret.",
	holds: "The others hold",
	holdsFind: "Deals with a word, such as the name of a card",
	holdsNone: "Of 2,000 possible deals none has this word.",
	deal: (n: number) => `Possible deal ${n}`,
	truth: "What they really hold",
	against: (by: string) => `What ${by} thinks of it`,
	againstChoose: "No hand is chosen yet",
	worth: "Worth against this hand",
	would: "It would choose, not knowing it",
	log: "Log",
	earlier: "Show all that happened before",
	text: "In words",
	rules: "Rules",
	rule: (number: string) => `Rule ${number}`,
	ruleFind: "Number or word",
	reading: "Opening the book …",
	ruleNone: "No rule has this number or word.",
	noRule: "This game has no such rule in its book.",
	cards: "Cards and units",
	/** A space by its name, or by that of the drawing. */
	space: (name: string) => {
		const words = name.replaceAll("_", " ");
		return words.charAt(0).toUpperCase() + words.slice(1);
	},
	/** A click on what is nobody's own to choose. */
	notYours: (space: string, p: Prompt, seats: Seat[], own: number): string => `${strings.space(space)}: ${strings.prompt(p, seats, own)}`,
	/** Why a space cannot be chosen. */
	refused: (space: string, r: Refusal): string => {
		const name = strings.space(r.apart?.[0] ?? space);
		const rule = r.rule ? ` ${r.rule}: ${r.text || r.title}` : "";
		if (r.apart) return `${name} does not border ${strings.space(r.apart[1] ?? "")}.${rule}`;
		if (r.first.length) return `${name} is not asked for yet: first ${alternatives(r.first)}.${rule}`;
		return `${name} is no answer to what is asked.${rule}`;
	},
	borders: (names: string[]) => `Borders ${list(names)}.`,
	larger: "Larger",
	couldChoose: "What could be chosen",
	settings: "Settings",
	machineNames: "Show what programs call the actions",
	tempo: "Others' moves",
	confirms: "Confirm moves",
	confirmed: { never: "never", final: "that may not be taken back", always: "always" },
	doIt: "Do it",
	cancel: "Cancel",
	foreseen: (lines: string[]) => (lines.length ? `${lines.join(". ")}.` : ""),
	chances: (odds: { text: string; probability: number }[]) =>
		odds.length ? `Chance: ${odds.map((o) => `${o.text} (${Math.round(o.probability * 100)}%)`).join("; ")}.` : "",
	tempos: { off: "shown at once", fast: "fast", normal: "one after another", slow: "slowly" },
	skipPlayback: "Skip",
	panels: "Parts of the table",
	fold: "Board alone",
	foldHelp: "Fold away what stands beside the board, so that the board is larger",
	smaller: "Smaller",
	fit: "Fit",

	// Replay.
	replay: "Replay",
	first: "First",
	previous: "Back",
	next: "Forward",
	last: "Last",
	play: "Play",
	pause: "Pause",
	moment: (n: number, all: number) => `Moment ${n} of ${all}`,
	past: "You are looking at the past.",
	now: "Back to now",
	download: "Download the replay",
	rematch: "Rematch",
	rematchSwap: "Rematch, seats changed",
	rematchReady: "To the rematch",
	review: "Review",
	reviewing: "The teacher reads the game …",
	reviewBy: (by: string, whole: boolean) => `Read by ${by}${whole ? "" : ", as far as time allowed"}`,
	reviewNone: "No decision of yours could be judged.",
	costly: "Costliest decisions",
	cost: (percent: number) => `${percent}% lost`,
	better: (best: string) => `better: ${best}`,
	mistake: "Next mistake",
	graph: "What you could expect, decision by decision",

	// Curtain.
	curtain: (name: string) => `Pass the screen to ${name}.`,
	curtainGo: (name: string) => `I am ${name}, nobody else is looking`,
	idle: "Nothing is asked of you now.",
	passOn: "Pass the screen on",
	take: (name: string) => `Give the screen to ${name}`,

	// State of the connection, and problems.
	lost: "The connection is lost; trying again …",
	failed: "That did not work.",
	problems: {
		stale: "The game has gone on meanwhile; look again.",
	} as Record<string, string>,

	keys: [
		["?", "show these keys"],
		["1 to 9", "make the first, second … choice of the list"],
		["/", "find a choice by its name"],
		["↑ ↓", "go through the choices, Enter makes one"],
		["b", "go to the board; arrow keys go from part to part, Enter chooses"],
		["c", "go to the choices"],
		["l", "go to the log"],
		["u", "take back"],
		["h", "hint"],
		["[ ]", "back and forward in the replay; { and } go to its ends"],
		["p", "play the replay, or pause it"],
		["n", "next mistake of the review"],
		["t", "the situation in words"],
		["r", "rules"],
		["+ − 0", "board larger, smaller, to fit"],
		["Esc", "close what is open, back to now"],
	] as [string, string][],
};
