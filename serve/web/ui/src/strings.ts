// Every English word of the page that is not the server's. A translation is another file
// of this shape.
import type { Advice, Opinion, Prompt, Refusal, Seat } from "./types";

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const list = (words: string[]) =>
	words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

const alternatives = (words: string[]) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`);

/** Ends a question with a full stop, unless it has a mark of its own. */
const closed = (question: string): string => (question.endsWith("?") ? question : `${question}.`);

/** A name of the program as a title: "abolish_the_police" as "Abolish the Police". */
const titled = (name: string): string =>
	name.split("_").map((w, i) => (i && ["a", "and", "of", "the"].includes(w) ? w : w.charAt(0).toUpperCase() + w.slice(1))).join(" ");

/** What people call who sits at a seat; agents have names for programs. */
export const sitter = (s: Seat): string => {
	if (s.kind !== "bot") return s.name;
	const level = s.name.startsWith("level:") ? s.name.slice("level:".length) : s.name;
	if (level.startsWith("zoo:")) return "trained bot";
	return ({ beginner: "beginner bot", casual: "casual bot", strong: "strong bot", best: "best bot", scripted: "steady bot", random: "random bot" } as Record<string, string>)[level] ?? s.name;
};

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
	changedToo: (options: string[]) => `Changed too, since it goes with your choice: ${list(options)}.`,
	byDefault: (value: string) => `usually ${value}`,
	seats: "Seats",
	sits: "Who plays",
	minutes: (n: [number, number]) => `${n[0]} to ${n[1]} minutes`,
	seatsOf: (least: number, most: number) => (least === most ? plural(least, "seat", "seats") : `${least} to ${most} seats`),
	weights: ["", "very light", "light", "medium", "heavy", "very heavy"],
	picture: (title: string) => `The board of ${title}`,
	/** Length in minutes and weight from 1 to 5 are our own estimates of a game on this page against bots. */
	games: {
		jogu: {
			minutes: [20, 40],
			weight: 2,
			about:
				"Two factions lay cards, some of them face down, at five Locations. Each side secretly holds one of the two " +
				"Locations that will count at the end of the round, so every card may be a feint. The quickest of the five to " +
				"learn, and a game of nerve: the bots hold their Location as secretly as you do, and none of them remembers how you " +
				"bluffed the last time.",
		},
		bloc: {
			minutes: [60, 120],
			weight: 3,
			about:
				"You and three others lead workers, students, neighbors and prisoners through the nights of a city in revolt, " +
				"against police that are run by a deck of cards. As it comes everybody wins or loses together, and losing is usual: " +
				"the best team of our bots wins little more than half of its games on the easy deck, and it needs no time to argue. " +
				"With agendas, each faction also wants something of its own, and there our bots are weak.",
		},
		domination: {
			minutes: [45, 90],
			weight: 3,
			about:
				"A world war fought with a deck that you build as you go: every card can raise forces, remove an enemy's, work by " +
				"its text, or pay for a better card. Two to six players score Areas and Regions over eight turns. Our bot for two " +
				"players is a hard opponent; with three or four it holds its own, and with five or six our networks win less than " +
				"rules of thumb where several of them share a table.",
		},
		insurgency: {
			minutes: [60, 120],
			weight: 4,
			about:
				"The Rebel hides in the suburbs and turns cities to revolt; the Federal hunts what it cannot see and restores " +
				"order. Each card is an event or a few operations, never both. The sides are not equal: between players of the same " +
				"strength the Rebel wins more often, so begin as the Rebel. The event cards are our reconstruction.",
		},
		minuteman: {
			minutes: [120, 300],
			weight: 5,
			about:
				"A wargame of the seventies on a map of North America: Networks and Minutemen build, riot and subvert in secret " +
				"until the Rebel declares the Revolution, and armies decide the rest. Long, and rich in rules. Our bot plays the " +
				"basic scenario well, and Civil War and Occupation with what it learned there; with three or four players only rules " +
				"of thumb oppose you. In Partisan and Occupation the Rebel wins nearly always.",
		},
		kuhn: { minutes: [1, 2], weight: 1, about:
			"Three cards, one bet: the smallest poker that rewards a bluff. Solved by hand in 1950; the bots play by rules of " +
			"thumb." },
		leduc: { minutes: [1, 3], weight: 1, about:
			"Six cards and two rounds of betting: small enough to be solved, large enough to be bluffed in. The bots play by rules " +
			"of thumb and can be outplayed." },
		tictactoe: { minutes: [1, 2], weight: 1, about: "Three in a row. Nobody who pays attention loses." },
		connect4: { minutes: [5, 10], weight: 1, about:
			"Drop discs and line up four. The bots look for threats but do not read far ahead; the one that thinks ahead does." },
		liars_dice: { minutes: [2, 10], weight: 1, about:
			"Bid on dice that you see only in part, or call the other a liar. Two to six players; the bots play by rules of thumb." },
		goofspiel: { minutes: [3, 6], weight: 1, about:
			"Two equal hands bid for a row of prizes, card by card. Pure guessing of the other's mind; the bots bid by rules of " +
			"thumb, and can be read." },
	} as Record<string, { minutes: [number, number]; weight: number; about: string }>,
	/** How strong the bots are, from the ratings of those that play the options that are chosen. */
	strength: (best: number, steady: number) =>
		best === 0
			? "With these options none of our bots has been rated."
			: best > steady
				? `With these options our strongest bot is rated ${best}; ${steady} is a steady player by rules of thumb.`
				: `With these options our strongest bot is the steady player by rules of thumb, rated ${best}.`,
	learn: "Learn it by playing",
	learnHelp: "A guided first game: about half an hour, nothing to read before.",
	guide: "First game",
	guideStep: (step: number, steps: number) => `First game, step ${step} of ${steps}.`,
	guideFree: "Try something else if you like.",
	guideDone: "First game, at its end.",
	guideOn: "Take it back and go on",
	guideShow: "Do it for me",
	optionNames: {
		"jogu.first": "Faction of Blue",
		"jogu.second": "Faction of Orange",
		"jogu.expansion": "Expansion: Hours",
		"jogu.start": "Who starts",
		"bloc.ops_difficulty": "Police Ops deck",
		"bloc.mode": "Who wins",
		"bloc.use_overpass": "Highway Overpass",
		"domination.first_player": "First Player",
		"domination.extended_pool": "Larger pool of cards",
		"domination.turns": "Game Turns",
		"domination.copies_per_stack": "Cards of each type",
		"domination.logistics_max": "Logistical track up to",
		"domination.rotate_first_player": "First Player moves on",
		"domination.fixed_pool": "Card types",
		"insurgency.mode": "Set-up (custom)",
		"insurgency.event_tag": "Event cards (custom)",
		"insurgency.social_media": "Social Media begins at",
		"insurgency.deploy": "A Deploy's limit",
		"insurgency.voluntary_removal": "Voluntary removal",
		"minuteman.government": "Government set-up",
		"minuteman.rebel": "Rebel set-up",
		"minuteman.dispersed": "Dispersed Rebels",
		"minuteman.canada_mexico": "Canada and Mexico",
		"minuteman.foreign_intervention": "Foreign Intervention",
		"minuteman.air_assault": "Air Assault",
		"minuteman.amphibious_assault": "Amphibious Assault",
		"minuteman.elite_units": "Elite Units",
		"goofspiel.order": "Order of prizes",
		auto_forced: "Play forced moves",
		edition: "Edition of one's own",
	} as Record<string, string>,
	optionValues: {
		"jogu.any": "by lot",
		"jogu.random": "by lot",
		"jogu.first": "Blue",
		"jogu.second": "Orange",
		"bloc.usual": "as the scenario says",
		"bloc.cooperative": "all together",
		"bloc.semi_cooperative": "agendas (semi-cooperative)",
		"bloc.standard": "Standard game",
		"bloc.beginner": "Beginner game",
		"bloc.beginner_city": "Beginner game in the beginner city",
		"bloc.let_the_infighting_begin": "Let the Infighting Begin!",
		"bloc.autonomous_zone_1": "Autonomous Zone Phase I",
		"bloc.autonomous_zone_2": "Autonomous Zone Phase II",
		"domination.random": "by lot",
		"insurgency.auto": "as the scenario says",
		"insurgency.total": "all spaces together",
		"insurgency.each": "each space",
		"insurgency.custom": "a scenario of one's own",
		"insurgency.preset": "from a position",
		"insurgency.random": "by lot",
		"insurgency.alternating": "by turns",
		"insurgency.none": "all",
		"goofspiel.win_loss": "win or loss",
	} as Record<string, string>,
	optionName: (game: string, option: string): string => strings.optionNames[`${game}.${option}`] ?? strings.optionNames[option] ?? titled(option),
	optionValue: (game: string, value: string): string => strings.optionValues[`${game}.${value}`] ?? titled(value),
	moreOptions: "More options, for experiments",
	people: "People",
	byLevel: "Bots by level",
	otherBots: "Other bots",
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
		best: "Bot: highest level",
		scripted: "Bot: steady, by rules of thumb",
		search: "Bot: thinks ahead (search)",
		network: "Bot: trained network",
	} as Record<string, string>,
	// The scale of ratings is the game's own: the rules of thumb have 1500.
	opponent: (level: string, agent: string, elo?: number) => level + (elo ? `, rated ${elo}` : "") + (agent.startsWith("zoo:") ? ` (${agent.slice(4)})` : ""),
	ladder: "The ladder: games of yours, finished in this browser, with each bot at the table",
	ladderBot: "Bot",
	ladderRating: "Rating",
	ladderWon: "Won",
	ladderPractice: "Won in practice",
	rung: (level: string, agent: string) =>
		level.replace(/^Bot: /, "").replace(/^./, (c) => c.toUpperCase()) + (agent.startsWith("zoo:") ? ` (${agent.slice(4)})` : ""),
	unrated: "not rated",
	/** Together all win or none; else whoever shares the first place has drawn. */
	wonOf: (t: { played: number; won: number; drawn: number }) =>
		t.played === 0 ? "none yet" : `${t.won} of ${t.played}${t.drawn > 0 ? `, ${t.drawn} drawn` : ""}`,
	practice: "Practice: take back any move, ask for hints",
	practiceNot: "Not with an open seat, for moves are taken back freely in practice.",
	begin: "Begin",
	from: "Begin from a file",
	fromHelp: "A position, a script with one, or a replay (JSON).",
	fromNot: "This file is no JSON.",
	carry: "To another device",
	carryHelp: "Whoever has the code or the link plays this seat. Open either on your other device; this one keeps the seat too.",
	code: "Code of the seat",
	codeHelp: (minutes: number) => `Type it on the page of all games there. It works once, within ${minutes} minutes.`,
	codeTake: "I have a code from another device",
	carryLink: "Link",
	copy: "Copy the link",
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
		return s.name && s.name !== s.called ? `${s.called} (${sitter(s)})` : s.called;
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
	/** How much was searched for a value. */
	searched: (a: Advice) =>
		`${a.by} has played ${plural(a.trials, "game", "games")} on from here, ${a.depth ? `${plural(a.depth, "choice", "choices")} deep` : "to their end"}, in ${plural(a.worlds, "world", "worlds")} that you cannot tell apart.${a.value === null ? "" : ` The value is ${Math.round(a.value * 100)}% ± ${Math.round(a.error * 200)}.`}`,
	worlds: (n: number) => plural(n, "world", "worlds"),
	worthOf: (o: Opinion) => (o.value === null ? strings.unknown : `${Math.round(o.value * 100)}%${o.error >= 0.005 ? ` ± ${Math.round(o.error * 200)}` : ""}`),
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
	book: "The book",
	byNumber: "By number",
	example: "An example.",
	examplePicture: "The board at that moment of the first game",
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
	candidates: "The teacher on this moment",
	candidatesAsk: "What would it do here?",
	deeper: "Think deeper",
	whatIf: "What if: play on from here",
	worthThen: "Worth",
	wouldThen: "It would choose",
	played: " (chosen)",
	noMistake: "What was chosen is no mistake.",
	expected: "It expects",
	graph: "What you could expect, decision by decision",

	// Curtain.
	curtain: (name: string) => `Pass the screen to ${name}.`,
	curtainGo: (name: string) => `I am ${name}, nobody else is looking`,
	idle: "Nothing is asked of you now.",
	passOn: "Pass the screen on",
	take: (name: string) => `Give the screen to ${name}`,

	// State of the connection, and problems.
	lost: "The connection is lost; trying again …",
	resending: "The connection is slow or lost; your move goes again until it has arrived.",
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
