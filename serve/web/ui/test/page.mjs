// The page in a real browser: node page.mjs ADDRESS [--update] [--only=WORD]
// [--late=GAME:LINK:TOKEN] [--seen=GAME:LINK:TOKEN]. A late game is one of which the rest is
// played, one that is seen one of a title in which moves are looked at.
// Every check prints a line; the exit status is 1 if one fails. The figures it prints are for
// reading.
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [address, ...flags] = process.argv.slice(2);
const update = flags.includes("--update");
const tables = (flag) => new Map(flags.filter((f) => f.startsWith(flag)).map((f) => f.slice(flag.length).split(":")).map(([game, id, token]) => [game, { id, token }]));
const late = tables("--late=");
const seen = tables("--seen=");
const only = flags.find((f) => f.startsWith("--only="))?.slice("--only=".length) ?? "";
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const axe = readFileSync(here("../node_modules/axe-core/axe.min.js"), "utf8");
const autoplay = `(${readFileSync(here("autoplay.js"), "utf8").replace(/^(\/\/.*\n)+/, "").trim().replace(/;$/, "")})`;

const browser = await chromium.launch({
	executablePath: process.env.POWDERKEG_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
	args: ["--no-sandbox"],
});
let failed = 0;

async function check(name, options, run) {
	if (!name.includes(only)) return;
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
	context.setDefaultTimeout(120000); // other work may have the processors
	// What bots do is shown at once, and no move is to be confirmed; pages without an address have no storage.
	await context.addInitScript(() => location.protocol === "http:" && ["tempo=off", "confirms=never"].map((s) => s.split("=")).forEach(([name, to]) => localStorage.getItem(`powderkeg.${name}`) ?? localStorage.setItem(`powderkeg.${name}`, to)));
	const faults = [];
	context.on("console", (m) => m.type() === "error" && !/net::ERR_|Failed to load/.test(m.text()) && faults.push(m.text()));
	context.on("weberror", (e) => faults.push(String(e.error())));
	try {
		const note = await run(await context.newPage(), context);
		if (faults.length) throw new Error(`the console has ${JSON.stringify(faults.slice(0, 3))}`);
		console.log(`ok   ${name}${note ? `: ${note}` : ""}`);
	} catch (why) {
		failed++;
		console.log(`FAIL ${name}: ${why.stack ?? why}`);
	}
	await context.close();
}

const want = (truth, what) => {
	if (!truth) throw new Error(what);
};

/** Opens a new game in the lobby, with the seats that are said. */
async function begin(page, game, seats = [], at = address) {
	await page.goto(at);
	await page.check(`input[name=game][value=${game}]`);
	for (const [i, kind] of seats.entries()) await page.locator(".seatline select").nth(i).selectOption(kind);
	await page.getByRole("button", { name: "Begin", exact: true }).click();
	await page.waitForSelector(".prompt, dialog.curtain");
}

/** Takes the first seat of a game that there is. */
async function sit(page, { id, token }) {
	await page.goto(address);
	await page.evaluate(({ id, token }) => localStorage.setItem("powderkeg.tables", JSON.stringify([{ id, title: "", game: "", at: 0, tokens: { 0: token } }])), { id, token });
	await page.goto(`${address}table/${id}`);
}

/** Waits until the page has a choice to make or the game is over; reports whether it is. */
async function turn(page) {
	await page.waitForFunction(() => document.querySelector(".choices button:not(:disabled)") || document.querySelector(".result"), undefined);
	return (await page.locator(".result").count()) > 0;
}

/** After so long, in ms, a click is meant for what it hits (ui/src/steady.ts). */
const settle = 450;

/** Makes a choice and waits for the screen after it. */
async function step(page, act) {
	await page.waitForTimeout(settle);
	const steps = () => page.locator(".replay input").getAttribute("max");
	const before = await steps();
	await act();
	await page.waitForFunction((n) => document.querySelector(".replay input")?.getAttribute("max") !== n, before);
}

const { games } = await (await fetch(`${address}api/catalogue`)).json();

/** Makes choices by clicks (autoplay.js) until the game is over, or most of them. */
async function play(page, most = Infinity, salt = 0) {
	await page.waitForSelector(".choices button, .result");
	const finite = Number.isFinite(most) ? most : 1e9;
	const done = await page.evaluate(`${autoplay}({ most: ${finite}, salt: ${salt}, wait: 60000 })`);
	want(done.why === "", `${done.why} after ${done.n} choices`);
	return done;
}

// Every game to its end, the longest ones (--late) from near it.
for (const game of games) {
	await check(`${game.name} by clicks`, {}, async (page) => {
		const from = late.get(game.name);
		if (from) await sit(page, from);
		else await begin(page, game.name, ["you", "random"]);
		const { n, over } = await play(page);
		want(over, "the game is not over");
		want((await page.locator(".result li").count()) >= 2, "the result does not name the seats");
		return `${n} choices${from ? ", from a late position" : ""}`;
	});
}

await check("Connect Four by keys alone", {}, async (page) => {
	await page.goto(address);
	await page.waitForSelector(".game");
	await page.evaluate(() => document.querySelector("input[name=game]:checked").focus());
	const at = games.findIndex((g) => g.name === "connect4");
	for (let i = 0; i < games.length && (await page.inputValue("input[name=game]:checked")) !== "connect4"; i++) await page.keyboard.press("ArrowDown");
	want((await page.inputValue("input[name=game]:checked")) === "connect4", `the arrow keys do not reach game ${at}`);
	await page.keyboard.press("Enter");
	await page.waitForSelector(".prompt");
	let n = 0;
	for (; !(await turn(page)); n++) {
		if (n % 3 === 0) await step(page, () => page.keyboard.press("1"));
		else if (n % 3 === 1) {
			await page.keyboard.press("b");
			await page.keyboard.press("ArrowRight");
			await step(page, () => page.keyboard.press("Enter"));
		} else {
			await page.keyboard.press("c");
			await page.keyboard.press("ArrowDown");
			await step(page, () => page.keyboard.press("Enter"));
		}
	}
	await page.keyboard.press("[");
	await page.waitForSelector(".past");
	await page.keyboard.press("Escape");
	await page.waitForSelector(".table:not(.past)");
	await page.keyboard.press("?");
	await page.locator("dialog[open] .keys").waitFor();
	await page.keyboard.press("Escape");
	await page.locator("dialog[open]").waitFor({ state: "detached" });
	return `${n} choices, to its end`;
});

await check("Tic-tac-toe by touch at 390 x 844", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
	await begin(page, "tictactoe");
	while (!(await turn(page))) await step(page, () => page.locator("#board [data-action]").first().tap());
	const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	want(wide <= 0, `the page is ${wide} pixels too wide`);
});

await check("no page is wider than its screen", { viewport: { width: 390, height: 844 } }, async (page) => {
	for (const game of games) {
		await begin(page, game.name);
		await turn(page);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		want(wide <= 0, `${game.name} is ${wide} pixels too wide`);
	}
});

await check("the lobby tells about every game", {}, async (page) => {
	await page.goto(address);
	for (const game of games) {
		await page.check(`input[name=game][value=${game.name}]`);
		const about = page.locator(".about");
		await page.waitForFunction(() => document.querySelector(".about img").naturalWidth > 0);
		want((await about.locator("p").nth(1).textContent()).length > 40, `nothing is told about ${game.name}`);
		want(/minutes · .* seats/.test(await about.locator("p").first().textContent()), `${game.name} has neither length nor weight`);
		const machine = await page.locator(".optionname, .option option").evaluateAll((all) => all.map((e) => e.textContent).filter((s) => s.includes("_")));
		want(machine.length === 0, `${game.name} has options called ${machine}`);
	}
});

// A game of two and one of three seats; that all seats win or lose together, TestTallies has.
await check("the ladder counts games that are over", {}, async (page) => {
	const rung = async (game, agent) => {
		await page.goto(address);
		await page.check(`input[name=game][value=${game}]`);
		return (await page.locator(`.ladder tr[data-agent="${agent}"] td`).allTextContents()).slice(1);
	};
	const won = async () => {
		const returns = (await page.locator(".result li").allTextContents()).map((s) => Number(s.split(": ").pop()));
		const first = Math.max(...returns);
		if (returns[0] < first) return "0 of 1";
		return returns.filter((r) => r === first).length > 1 ? "0 of 1, 1 drawn" : "1 of 1";
	};
	const is = (got, want_) => want(JSON.stringify(got) === JSON.stringify(want_), `the ladder says ${got}, it should say ${want_}`);
	is(await rung("tictactoe", "level:casual"), ["none yet", "none yet"]);
	await page.locator(".setup .check input").uncheck();
	await page.locator(".seatline select").nth(1).selectOption("level:casual");
	await page.getByRole("button", { name: "Begin", exact: true }).click();
	want((await play(page)).over, "the game is not over");
	const earnest = await won();
	await page.reload(); // it counts once
	await page.waitForSelector(".result");
	is(await rung("tictactoe", "level:casual"), [earnest, "none yet"]);
	is(await rung("tictactoe", "level:strong"), ["none yet", "none yet"]);

	await page.check("input[name=game][value=liars_dice]");
	await page.locator(".option", { has: page.locator(".optionname", { hasText: /^Players$/ }) }).locator("input").fill("3");
	await page.waitForFunction(() => document.querySelectorAll(".seatline").length === 3);
	for (const [seat, level] of [[1, "level:beginner"], [2, "level:best"]]) await page.locator(".seatline select").nth(seat).selectOption(level);
	await page.getByRole("button", { name: "Begin", exact: true }).click();
	want((await play(page)).over, "the game is not over");
	const practice = await won();
	is(await rung("liars_dice", "level:beginner"), ["none yet", practice]);
	is(await rung("liars_dice", "level:best"), ["none yet", practice]);
	return `${earnest}, ${practice}`;
});

// The bots that the lobby proposes fit the options, and options that do not go together are
// changed.
await check("a game begins by the option that is chosen", {}, async (page) => {
	for (const [game, option, value, bot] of [
		["domination", "Players", "3", "zoo:domination_three"],
		["jogu", "Faction of Blue", "hours", "level:best"],
		["insurgency", "Scenario", "resistance", "zoo:insurgency_resistance"],
		["minuteman", "Dispersed Rebels", "true", "level:best"],
	]) {
		await page.goto(address);
		await page.check(`input[name=game][value=${game}]`);
		const field = page.locator(".option", { has: page.locator(".optionname", { hasText: new RegExp(`^${option}$`) }) }).locator("input, select");
		if (value === "true") await field.check();
		else if (option === "Players") await field.fill(value);
		else await field.selectOption(value);
		await page.waitForFunction((b) => document.querySelectorAll(".seatline select")[1].value === b, bot);
		await page.getByRole("button", { name: "Begin", exact: true }).click();
		await page.waitForSelector(".prompt, dialog.curtain");
	}
});

// By a clock that stands still, so that it does not depend on the machine what is too soon.
await check("a double click plays one move", {}, async (page) => {
	await page.clock.install();
	let moves = 0;
	page.on("request", (r) => r.url().endsWith("/move") && moves++);
	for (const game of ["minuteman", "domination"]) {
		await begin(page, game, ["you", "random"]);
		await turn(page);
		await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 60000));
		const buttons = page.locator(".actions .choices button");
		const { x, y } = await buttons.first().boundingBox();
		const click = () => page.mouse.click(x + 20, y + 10);
		const pass = async (ms) => {
			await page.clock.runFor(ms);
			await new Promise((go) => setTimeout(go, 20)); // for the answers of the server
		};
		const before = moves;
		const steps = await page.locator(".replay input").getAttribute("max");
		await click();
		for (let n = 0; n < 150; n++) {
			if ((await page.locator(".replay input").getAttribute("max")) !== steps && (await buttons.count())) break;
			await pass(2);
		}
		want(await buttons.count(), `${game} asks nothing after the move`);
		await click();
		await pass(50);
		want(moves === before + 1, `${game}: ${moves - before} moves by a double click`);
		await pass(500);
		await click();
		await pass(50);
		want(moves === before + 2, `${game}: ${moves - before} moves by a third click half a second later`);
		await page.clock.resume();
	}
});

await check("whose turn begins is told", { permissions: ["notifications"] }, async (page) => {
	await page.addInitScript(() => {
		window.noted = [];
		window.Notification = class {
			static permission = "granted";
			static requestPermission = async () => "granted";
			constructor(title, options) {
				window.noted.push(`${title}: ${options.body}`);
			}
		};
		Object.defineProperty(document, "hidden", { get: () => window.away === true });
	});
	await begin(page, "connect4", ["you", "random"]);
	await turn(page);
	const icon = () => page.locator("link[rel=icon]").getAttribute("href");
	want((await page.title()) === "● Connect Four" && (await icon()) === "/assets/turn.svg", `one's own turn is told by ${await page.title()} and ${await icon()}`);
	await page.locator(".settings summary").click();
	const box = page.getByRole("checkbox", { name: "Notice at my turn" });
	want(!(await box.isChecked()) && !(await page.getByRole("checkbox", { name: "Sound at my turn" }).isChecked()), "notices are on at first");
	await box.click();
	await page.evaluate(() => (window.away = true));
	await step(page, () => page.locator(".actions .choices button").first().click());
	await page.waitForFunction(() => window.noted.length === 1);
	await turn(page);
	want((await page.evaluate(() => window.noted[0])) === "Connect Four: It is your turn.", "the notice says something else");
	await page.evaluate(() => (window.away = false));
	await step(page, () => page.locator(".actions .choices button").first().click());
	await turn(page);
	want((await page.evaluate(() => window.noted.length)) === 1, "who looks at the page is told too");
});

await check("a choice is seen before it is made", { hasTouch: true }, async (page) => {
	await begin(page, "minuteman", ["you", "random"]);
	await turn(page);
	const number = () => page.locator(".replay input").getAttribute("max");
	const before = await number();
	await page.locator(".actions .choices button").first().hover();
	await page.waitForFunction(() => document.querySelector(".tip")?.textContent?.length > 10);
	const told = await page.locator(".tip").textContent();
	await page.locator(".settings summary").click();
	await page.getByLabel("Confirm moves").selectOption("always");
	await page.locator(".settings summary").click();
	await page.waitForTimeout(settle);
	await page.locator(".actions .choices button").first().click();
	await page.getByRole("button", { name: "Do it" }).waitFor();
	want((await number()) === before, "a move is made before it is confirmed");
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Do it" }).waitFor({ state: "detached" });
	await page.waitForTimeout(settle);
	await page.locator(".actions .choices button").first().click();
	await page.getByRole("button", { name: "Do it" }).waitFor();
	await step(page, () => page.locator(".actions .choices button").first().click());
	want((await number()) !== before, "choosing again does not confirm");
	return told;
});

await check("a click on a piece means the space that it lies in", {}, async (page) => {
	await begin(page, "jogu", ["you", "random"]);
	let tried = 0;
	for (let n = 0; n < 60 && tried < 3; n++) {
		if (await turn(page)) break;
		// A card that lies at a Location which can be chosen, and cannot be chosen itself.
		const at = await page.evaluate(() => {
			const root = document.getElementById("board").shadowRoot;
			for (const place of root.querySelectorAll('[data-space^="LOC_"][data-action]')) {
				const card = root.querySelector(`[data-space^="${place.dataset.space}/"]:not([data-action])`);
				const box = card?.getBoundingClientRect();
				if (box) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
			}
			return null;
		});
		if (at) {
			tried++;
			await step(page, () => page.mouse.click(at.x, at.y));
		} else await step(page, () => page.locator(".actions .choices button").last().click());
	}
	want(tried > 0, "no card lay at a Location that could be chosen");
	return `${tried} clicks`;
});

await check("what others did is played back", {}, async (page) => {
	await page.addInitScript(() => location.protocol === "http:" && localStorage.setItem("powderkeg.tempo", "slow"));
	await begin(page, "bloc", ["you", "random", "random", "random"]);
	await page.evaluate(() => {
		window.played = [];
		new MutationObserver(() => {
			const text = document.querySelector(".played p")?.textContent;
			if (text && window.played.at(-1) !== text) window.played.push(text);
		}).observe(document.body, { subtree: true, childList: true, characterData: true });
	});
	await turn(page);
	const lines = () => page.locator(".log .told, .log .move").count();
	const before = await lines();
	// Until a move has been followed by more than a moment.
	let played = [];
	for (let n = 0; n < 12 && played.length < 3; n++) {
		await page.waitForTimeout(settle);
		await page.locator(".actions .choices button").first().click();
		await page.waitForFunction(() => document.querySelector(".played") || document.querySelector(".choices button:not(:disabled)"));
		if (await page.locator(".played").count()) {
			want((await page.locator(".actions .choices button").count()) === 0, "there is something to choose while moves are played back");
			await page.waitForFunction(() => window.played.length >= 2 || !document.querySelector(".played"));
			await page.keyboard.press("Escape");
		}
		if (await turn(page)) break;
		played = await page.evaluate(() => window.played);
	}
	want(played.length >= 2, `only ${JSON.stringify(played)} was played back`);
	want((await page.locator(".played").count()) === 0, "Escape does not skip what is played back");
	want((await lines()) > before, "the log has not grown");
	await page.locator(".settings summary").click();
	await page.getByLabel("Others' moves").selectOption("off");
	await page.keyboard.press("Escape");
	return played.slice(0, 3).join(" | ");
});

// What is seen to happen is noted: what it was, of which kind of piece, and what the drawing and the log say.
const noteFlights = () => {
	window.flown = [];
	const board = () => document.getElementById("board")?.shadowRoot;
	let watched;
	new MutationObserver(() => {
		const root = board();
		if (!root || root === watched) return;
		watched = root;
		new MutationObserver(() => {
			for (const e of root.querySelectorAll(".flights [data-flight]")) {
				if (e.noted) continue;
				e.noted = true;
				const moves = e.getAnimations().length > 0;
				window.flown.push({ what: e.dataset.flight, kind: e.dataset.kind, text: e.textContent, html: e.outerHTML.length, moves });
			}
		}).observe(root, { childList: true, subtree: true });
	}).observe(document, { childList: true, subtree: true });
};

// What is to be seen in a game of each title, some of it by each move: pieces and cards as they are drawn.
const sights = {
	jogu: { move: /^(card|back)\//, turn: /^(card|back)\// },
	domination: { "move|drop|fade|turn": /^(force|card)\//, card: /./ },
	insurgency: { "move|drop|fade|turn": /^(agent|active|sleeper|base|status|unrest|card|back)/, card: /^card / },
	bloc: { "move|drop|fade": /^(bloc|cop|barricade|van|die|card)/, die: /^[1-6]$/ },
	minuteman: { "move|drop|fade|turn": /^(unit|riot|unrest|informer)/, die: /^[1-6]$/ },
};
for (const reducedMotion of ["no-preference", "reduce"]) {
	await check(`pieces travel, dice show, cards turn: motion ${reducedMotion}`, { reducedMotion }, async (page) => {
		await page.addInitScript(() => location.protocol === "http:" && localStorage.setItem("powderkeg.tempo", "fast"));
		await page.addInitScript(noteFlights);
		const still = reducedMotion === "reduce";
		const notes = [];
		for (const [game, wanted] of Object.entries(sights)) {
			if (still) await begin(page, game, ["you", "random", "random", "random"].slice(0, games.find((g) => g.name === game).players));
			else await sit(page, seen.get(game));
			// Marks stand for all that goes from place to place.
			const want1 = still ? [[["mark", ...(wanted.card ? ["card"] : [])], /./]] : Object.entries(wanted).map(([what, kind]) => [what.split("|"), kind]);
			const missing = (flown) => want1.filter(([what, kind]) => !flown.some((f) => what.includes(f.what) && kind.test(f.kind)));
			let flown = [];
			let n = 0;
			for (; n < 60 && missing(flown).length; n++) {
				if (await turn(page)) break;
				const buttons = page.locator(".actions .choices button");
				const choices = await buttons.count();
				await step(page, () => buttons.nth(n % Math.min(7, choices)).click());
				flown = await page.evaluate(() => window.flown);
			}
			flown = await page.evaluate(() => window.flown);
			want(missing(flown).length === 0, `${game}: of ${n} moves is not seen: ${missing(flown).map(([what, kind]) => `${what} of ${kind}`)}; seen is ${[...new Set(flown.map((f) => `${f.what} ${f.kind}`))]}`);
			want(flown.every((f) => f.moves !== still), `${game}: ${still ? "something moves" : `nothing moves of ${JSON.stringify(flown.find((f) => !f.moves))}`}`);
			// Of a card that lies face down nothing is seen but its back.
			const backs = flown.filter((f) => f.kind.startsWith("back/1"));
			want(backs.every((f) => /^\??$/.test(f.text.trim())), `${game}: a back says ${backs.map((f) => f.text)}`);
			notes.push(`${game} ${[...new Set(flown.map((f) => f.what))].map((what) => `${what} ${flown.filter((f) => f.what === what).length}`).join(", ")}`);
		}
		return notes.join("; ");
	});
}

// By clicks on what the text asks for where it is told, by "Do it for me" elsewhere; a choice of one's
// own on the way is taken back.
await check("a guided first game", {}, async (page) => {
	await page.goto(address);
	await page.check("input[name=game][value=jogu]");
	await page.getByRole("button", { name: "Learn it by playing" }).click();
	const guide = page.locator(".guide");
	await guide.waitFor();
	const step = async (act) => {
		const before = await guide.locator("p").nth(1).textContent();
		await page.waitForTimeout(settle);
		await act();
		await page.waitForFunction((t) => (document.querySelectorAll(".guide p")[1]?.textContent ?? t) !== t, before);
	};
	const choose = (name) => page.locator(".choices button", { hasText: name }).first().click();
	await page.waitForTimeout(settle);
	await choose("Explorer");
	await page.waitForFunction(() => document.querySelector(".prompt .aside").textContent.includes("Guardian Angel"));
	await step(() => choose("Guardian Angel"));
	await step(() => choose("Location 6"));
	await step(() => choose("Explorer")); // here it is free
	await page.locator(".guide.off").waitFor();
	await step(() => page.getByRole("button", { name: "Take it back and go on" }).click());
	while (await page.getByRole("button", { name: "Do it for me" }).count()) await step(() => page.getByRole("button", { name: "Do it for me" }).click());
	want((await guide.textContent()).includes("at its end"), "the lesson does not end");
	await turn(page);
	return page.locator(".guide p").first().textContent();
});

await check("two people with two seats, one by the link", {}, async (page) => {
	await begin(page, "connect4", ["you", "open"]);
	const other = await (await browser.newContext()).newPage();
	await other.goto(page.url());
	await other.getByRole("button", { name: "Take this seat" }).click();
	await other.waitForFunction(() => document.querySelector(".seats .own"));
	for (let n = 0; n < 4; n++) {
		const mover = n % 2 ? other : page;
		await turn(mover);
		await step(mover, () => mover.locator(".choices button").first().click());
	}
	want((await page.locator(".log li").count()) === (await other.locator(".log li").count()), "their logs differ");
	await other.context().close();
});

await check("a seat travels to other devices", {}, async (page) => {
	await begin(page, "jogu", ["you", "random"]);
	await turn(page);
	await page.locator(".settings summary").click();
	await page.getByRole("button", { name: "To another device" }).click();
	const code = await page.locator("dialog[open] .code").filter({ hasText: /^\w{5} \w{5}$/ }).textContent();
	const link = await page.locator("dialog[open] .carrylink input").inputValue();
	const hand = await page.locator(".choices button").allTextContents();
	const byCode = await (await browser.newContext()).newPage();
	await byCode.goto(address);
	await byCode.getByLabel("I have a code").fill(code.toLowerCase());
	await byCode.getByRole("button", { name: "Go in" }).click();
	const byLink = await (await browser.newContext()).newPage();
	await byLink.goto(link);
	for (const other of [byCode, byLink]) {
		await turn(other);
		want((await other.locator(".choices button").allTextContents()).join() === hand.join(), "the other device has another hand");
		want(!other.url().includes("key"), "the key stays in the address");
	}
	await step(byLink, () => byLink.locator(".choices button").first().click());
	await turn(byLink);
	await turn(page);
	await byCode.goto(address);
	await byCode.locator("#setup").waitFor(); // the lobby is there
	want((await byCode.locator(".yours a").count()) === 1, "the other device forgets the game");
	for (const other of [byCode, byLink]) await other.context().close();
});

await check("two people at one screen, behind a curtain", {}, async (page) => {
	await begin(page, "leduc", ["you", "friend"]);
	const curtain = page.locator("dialog.curtain[open]");
	await curtain.getByRole("button", { name: "I am Blue" }).click();
	await turn(page);
	await page.locator(".choices button").first().click();
	await curtain.waitFor();
	const shown = await page.evaluate(() => getComputedStyle(document.querySelector("dialog.curtain"), "::backdrop").backgroundColor);
	want(!shown.includes("rgba"), `the curtain is ${shown}`);
	await curtain.getByRole("button").click();
	want(!(await turn(page)), "the game is over already");
	want((await page.locator(".seats .own .disc").textContent()) === "O", "the screen is not that of Orange");
	await page.reload();
	await curtain.getByRole("button", { name: "I am Orange" }).waitFor(); // it is nobody's yet
});

await check("a connection that is lost in mid-game", {}, async (page, context) => {
	await begin(page, "connect4");
	await turn(page);
	await step(page, () => page.locator(".choices button").first().click());
	await turn(page);
	await context.setOffline(true);
	await page.waitForTimeout(settle);
	await page.locator(".choices button").first().click();
	await page.getByText("That did not work").or(page.getByText("fetch")).or(page.getByText("connection")).first().waitFor();
	await context.setOffline(false);
	await turn(page); // it goes on by itself
	await step(page, () => page.locator(".choices button").first().click());
	await turn(page);
	const lines = await page.locator(".log li").count();
	await page.reload(); // and from nothing
	await turn(page);
	want((await page.locator(".log li").count()) === lines, "the log is another one");
	await step(page, () => page.locator(".choices button").first().click());
});

// Over HTTP/1.1 a browser has six connections for a server.
await check("seven tabs share one stream", {}, async (page, context) => {
	const streams = new Set();
	context.on("request", (r) => r.url().endsWith("/events") && streams.add(r));
	const tabs = [page];
	while (tabs.length < 7) tabs.push(await context.newPage());
	for (const tab of tabs) {
		await begin(tab, "connect4", ["you", "random"]);
		await turn(tab);
	}
	for (const tab of [...tabs].reverse()) await step(tab, () => tab.locator(".choices button").first().click());
	for (const tab of tabs.splice(0, 3)) await tab.close();
	await tabs.at(-1).reload();
	for (const tab of tabs) {
		await turn(tab);
		await step(tab, () => tab.locator(".choices button").first().click());
		await turn(tab);
	}
	want([...streams].every((r) => r.method() === "POST"), "a tab has a stream for itself");
});

/** A proxy that can stand still: connections stay open, and nothing comes through them. */
async function proxy(to) {
	const sockets = new Set();
	let frozen = false;
	const server = createServer((near) => {
		const far = connect(Number(to.port), to.hostname);
		for (const [a, b] of [[near, far], [far, near]]) {
			sockets.add(a);
			a.on("data", (d) => b.write(d));
			a.on("error", () => undefined);
			a.on("close", () => (sockets.delete(a), b.destroy()));
			if (frozen) a.pause();
		}
	});
	await new Promise((go) => server.listen(0, "127.0.0.1", go));
	const freeze = (on) => {
		frozen = on;
		for (const s of sockets) on ? s.pause() : s.resume();
	};
	return { address: `http://127.0.0.1:${server.address().port}/`, freeze, close: () => (server.close(), sockets.forEach((s) => s.destroy())) };
}

await check("a proxy that freezes", {}, async (page) => {
	const between = await proxy(new URL(address));
	try {
		let sent = 0;
		page.on("request", (r) => r.url().endsWith("/move") && sent++);
		await begin(page, "connect4", ["you", "random"], between.address);
		await turn(page);
		await step(page, () => page.locator(".choices button").first().click());
		await turn(page);
		const lines = await page.locator(".log li").count();
		const before = sent;
		between.freeze(true);
		const since = Date.now();
		await page.waitForTimeout(settle);
		await page.locator(".choices button").first().click();
		await page.getByText("The connection is lost").first().waitFor();
		const noticed = (Date.now() - since) / 1000;
		for (; sent < before + 2; ) await page.waitForTimeout(50); // the move goes again
		between.freeze(false);
		await page.waitForFunction((n) => document.querySelectorAll(".log li").length > n, lines);
		await turn(page);
		await page.getByText("The connection is lost").first().waitFor({ state: "detached" });
		const made = await page.locator(".log li").allTextContents();
		want(made.length <= lines + 3, `a move was made twice: ${made}`);
		await step(page, () => page.locator(".choices button").first().click());
		return `noticed after ${noticed.toFixed(1)} s`;
	} finally {
		between.close();
	}
});

await check("a click on what is illegal says why", {}, async (page) => {
	await begin(page, "jogu");
	await turn(page);
	const space = page.locator("#board [data-space]:not([data-action])").first();
	await space.dispatchEvent("click");
	await page.waitForFunction(() => /R\d+\.\d+: /.test(document.querySelector(".prompt .aside").textContent));
	return page.locator(".prompt .aside").textContent();
});

await check("borders are shown", {}, async (page) => {
	for (const game of ["domination", "minuteman"]) {
		await begin(page, game, ["you", "random"]);
		await turn(page);
		const answer = await page.evaluate(async () => {
			const id = location.pathname.split("/").pop();
			const token = JSON.parse(localStorage.getItem("powderkeg.tables")).find((t) => t.id === id).tokens[0];
			return (await fetch(`/api/tables/${id}/borders`, { headers: { Authorization: `Bearer ${token}` } })).json();
		});
		const [space, { borders }] = Object.entries(answer)[0];
		const part = page.locator(`#board [data-space="${space}"]`).first();
		await page.waitForFunction((n) => {
			const root = document.getElementById("board").shadowRoot;
			root.querySelector(`[data-space="${n}"]`).dispatchEvent(new PointerEvent("pointerover", { bubbles: true, composed: true }));
			return root.querySelector(".near");
		}, space);
		want((await page.locator("#board .near").count()) >= borders.length, `${space} has ${await page.locator("#board .near").count()} neighbours`);
		want((await page.locator(".tip").textContent()).includes("Borders "), "the borders are not told");
		await part.dispatchEvent("focusout");
		want((await page.locator("#board .near").count()) === 0, "the borders stay");
	}
});

await check("what it would do against a hand", {}, async (page) => {
	await begin(page, "leduc", ["you", "random"]);
	await turn(page);
	await page.getByRole("button", { name: "Against a hand" }).click();
	const dialog = page.locator("dialog[open]");
	await dialog.getByText("What they really hold").click();
	await dialog.locator("tbody tr").first().waitFor();
	const rows = await dialog.locator("tbody tr").count();
	want(rows === (await page.locator(".actions .choices button").count()), `${rows} choices are judged`);
	await dialog.getByRole("searchbox").fill("Kh");
	await page.waitForFunction(() => [...document.querySelectorAll("dialog .deal .held")].slice(1).every((h) => h.textContent.includes("Kh")));
});

// Two worlds of one situation of Domination: in the first Orange, a friend, holds a card
// to react with and is asked in secret, in the second it is not. Who is called to the screen
// is the same.
await check("a shared screen goes round alike whoever is asked", {}, async (page) => {
	await page.addInitScript(() => location.protocol === "http:" && localStorage.setItem("powderkeg.names", "on"));
	const types = "agricultural_control+airborne_forces+amphibious_assault+petroleum_control+attack_helicopters+communications_control+insurgents+show_of_force+surrender+tactical_nukes";
	const rounds = [];
	for (const [card, other] of [["Airborne Forces", "Surrender"], ["Surrender", "Airborne Forces"]]) {
		const plain = { unknown: { Domination: 2 } };
		const position = {
			phase: "card_play", turn: 3, first_player: 0, active: 0,
			hands: { 0: ["Domination", "Domination"], 1: [card, "Domination"], 2: ["Domination", "Domination"] },
			draw_decks: { 0: [plain], 1: [{ unknown: { [other]: 1, Domination: 3 } }], 2: [plain] },
		};
		const file = { game: `domination(players=3,first_player=0,fixed_pool=${types})`, position };
		await page.goto(address);
		await page.check("input[name=game][value=domination]");
		await page.locator(".options").getByRole("spinbutton").first().waitFor();
		await page.getByLabel("Players", { exact: false }).first().fill("3");
		for (const [i, kind] of ["you", "friend", "friend"].entries()) await page.locator(".seatline select").nth(i).selectOption(kind);
		await page.locator("input[type=file]").setInputFiles({ name: "position.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) });
		await page.getByRole("button", { name: "Begin", exact: true }).click();
		await page.waitForSelector(".prompt, dialog.curtain"); // the lobby has gone, and evaluate is not cut off
		const said = [];
		let asked = 0;
		const script = ["BUILD_WITH Domination", "BUILD_AT CAN", "DONE", "END_TURN"];
		const seen = [];
		for (const late = Date.now() + 240000; Date.now() < late && script.length; ) {
			// One look says what is there: what was there before may go at any time.
			const there = await page.evaluate(() => document.querySelector("dialog.curtain[open]") ? "curtain" :
				document.querySelector(".prompt button.main") ? "prompt" : document.querySelector(".seats .own .disc")?.textContent ?? "");
			if (seen.at(-1) !== there) seen.push(there);
			const soon = { timeout: 15000 };
			try {
				if (there === "curtain") {
					const curtain = page.locator("dialog.curtain[open]");
					const called = await curtain.locator("h2").textContent(soon);
					want((await page.locator(".table").count()) === 0, "what is under the curtain is there");
					await curtain.getByRole("button").click(soon);
					await curtain.waitFor({ state: "detached", ...soon });
					said.push(called);
				} else if (there === "prompt") {
					await page.locator(".prompt button.main").click(soon);
				} else {
					// A click may have been made and yet not have come back in time: then what comes after it
					// is offered.
					const offered = (name) => page.locator(`.choices code`, { hasText: name }).first().or(page.locator(".choices button", { hasText: new RegExp(`^${name}$`, "i") }).first()).first();
					if (there === "B" && script.length > 1 && (await offered(script[0]).count()) === 0 && (await offered(script[1]).count()) > 0) script.shift();
					const choice = offered(there === "B" ? script[0] : "DECLINE");
					if (there === "" || (await choice.count()) === 0) {
						await page.waitForTimeout(50);
						continue;
					}
					await page.waitForTimeout(settle);
					await choice.click(soon);
					asked += there === "O";
					if (there === "B") script.shift();
					await page.waitForFunction(() => document.querySelector("dialog.curtain[open]") || !document.querySelector(".choices[aria-busy=true]"), null, soon);
				}
			} catch (e) {
				if (e.name !== "TimeoutError") throw e;
			}
		}
		want(script.length === 0, `it comes to a stop before ${script[0]}, after ${JSON.stringify(seen.slice(-8))}`);
		rounds.push({ said, asked });
	}
	want(rounds[0].asked === 1 && rounds[1].asked === 0, `Orange is asked ${rounds.map((r) => r.asked)} times`);
	want(rounds[0].said.join() === rounds[1].said.join(), `the screen goes ${rounds.map((r) => r.said.join(", ")).join("; and ")}`);
	want(rounds[0].said.some((s) => s.includes("Orange")), `Orange is not called: ${rounds[0].said}`);
	want(!rounds[0].said.some((s) => s.includes("Green")), `Green is called, of which all know that it has no such card: ${rounds[0].said}`);
	return rounds[0].said.join(", ");
});

await check("hints, undo, review", {}, async (page) => {
	await begin(page, "jogu");
	await turn(page);
	await page.getByRole("button", { name: "Hint" }).click();
	await page.locator(".share").first().waitFor();
	await page.waitForSelector(".valuebar meter");
	await step(page, () => page.locator(".choices button").first().click());
	await turn(page);
	await page.keyboard.press("u");
	await page.waitForFunction(() => document.querySelector(".chain").textContent === "");
	await play(page, 6);
	await page.getByRole("button", { name: "Review" }).click();
	await page.locator(".graph circle").first().waitFor();
	await page.locator(".graph circle").first().dispatchEvent("click");
	await page.waitForSelector(".past");
	await page.getByRole("button", { name: "What would it do here?" }).click();
	await page.locator(".moment tr.played").waitFor();
	if (process.env.POWDERKEG_SHOT) await page.screenshot({ path: process.env.POWDERKEG_SHOT, fullPage: true });
	const before = page.url();
	await page.getByRole("button", { name: "What if" }).click();
	await page.waitForURL((url) => url.href !== before && url.pathname.startsWith("/table/"));
	await turn(page);
});

await check("rules as a book", {}, async (page) => {
	await begin(page, "jogu");
	await turn(page);
	await page.getByRole("button", { name: "Rules", exact: true }).click();
	const dialog = page.locator("dialog[open]");
	await dialog.locator(".contents button").nth(6).click();
	await page.waitForFunction(() => document.querySelector("dialog .book figure img").naturalWidth > 0);
	want((await dialog.locator(".clause").count()) > 60 && (await dialog.locator("figure").count()) > 4, "the book is thin");
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() => window.axe.run("dialog"));
	const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
	want(serious.length === 0, JSON.stringify(serious.map((v) => [v.id, v.nodes.slice(0, 2).map((n) => n.html.slice(0, 200))])));
	await dialog.getByRole("button", { name: "By number" }).click();
	await dialog.locator(".rules dt").first().waitFor();
	await dialog.getByRole("searchbox").fill("R10.4");
	want((await dialog.locator(".rules dt").count()) === 1, "a number finds more than its rule");
	await dialog.getByRole("button", { name: "The book" }).click();
	await dialog.locator(".book").waitFor();
});

await check("rules by a line of the log", {}, async (page) => {
	let send;
	const asked = new Promise((answer) => (send = answer));
	await page.route("**/api/games/jogu", async (route) => (await asked, route.continue()));
	await begin(page, "jogu");
	await turn(page);
	await page.locator(".log .rule").first().click();
	await page.locator("dialog").getByText("Opening the book").waitFor();
	send();
	await page.locator("dialog .rules dt").first().waitFor();
	want((await page.locator("dialog").getByText("Opening the book").count()) === 0, "the book is still being opened");
});

for (const [name, game] of [["lobby", ""], ["connect4", "connect4"], ["jogu", "jogu"]]) {
	for (const colorScheme of ["light", "dark"]) {
		await check(`axe finds nothing serious: ${name}, ${colorScheme}`, { colorScheme }, async (page) => {
			if (game) {
				await begin(page, game);
				await turn(page);
			} else {
				await page.goto(address);
				await page.waitForSelector(".game");
			}
			await page.evaluate(axe);
			const { violations } = await page.evaluate(() => window.axe.run());
			const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
			want(serious.length === 0, JSON.stringify(serious.map((v) => [v.id, v.nodes.slice(0, 2).map((n) => n.html.slice(0, 200))])));
			return violations.length ? violations.map((v) => `${v.id} (${v.impact})`).join(", ") : "";
		});
	}
}

// The finished game, what opens over a table, and the table that there is not.
for (const colorScheme of ["light", "dark"]) {
	await check(`axe finds nothing serious: finished games, dialogs, an unknown table, ${colorScheme}`, { colorScheme }, async (page) => {
		const look = async (what) => {
			await page.evaluate(axe);
			const { violations } = await page.evaluate(() => window.axe.run());
			const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
			want(serious.length === 0, `${what}: ${JSON.stringify(serious.map((v) => [v.id, v.nodes.slice(0, 2).map((n) => n.html.slice(0, 200))]))}`);
		};
		await begin(page, "tictactoe", ["you", "random"]);
		await play(page);
		await look("a finished game");
		await page.getByRole("button", { name: "Review" }).click();
		await page.locator(".graph circle").first().waitFor();
		await look("a review");
		for (const game of ["domination", "insurgency", "bloc", "minuteman"]) {
			await begin(page, game, ["you", "random"]);
			await turn(page);
			await look(game);
		}
		await page.locator(".settings summary").click();
		await look("settings");
		await page.keyboard.press("?");
		await page.locator("dialog[open]").waitFor();
		await look("the keys");
		await page.goto(`${address}table/${"A".repeat(22)}`);
		await page.locator("h1, h2, .problem").first().waitFor();
		await look("an unknown table");
	});
}

await check("focus stays at the question after every move, by keys", {}, async (page) => {
	for (const game of ["jogu", "domination", "insurgency", "bloc", "minuteman"]) {
		await begin(page, game, ["you", "random", "random", "random"].slice(0, games.find((g) => g.name === game).players));
		for (let n = 0; n < 5; n++) {
			want(!(await turn(page)), `${game} is over`);
			await page.keyboard.press("c");
			await step(page, () => page.keyboard.press("Enter"));
			want(!(await turn(page)), `${game} is over`);
			const at = await page.evaluate(() => document.activeElement?.closest(".actions")?.className ?? `${document.activeElement?.nodeName}.${document.activeElement?.className}`);
			want(at === "actions", `${game}: after move ${n + 1} of 5 the focus is at ${at}`);
		}
	}
	return "5 of 5 in each title";
});

// Letters of the names on maps, in pixels of the screen, at every enlargement.
await check("names on maps can be read", {}, async (page) => {
	const notes = [];
	for (const [width, height] of [[1280, 800], [1440, 900], [2560, 1440], [390, 844]]) {
		await page.setViewportSize({ width, height });
		for (const game of ["minuteman", "domination", "insurgency", "bloc"]) {
			await begin(page, game, ["you", "random", "random", "random"].slice(0, games.find((g) => g.name === game).players));
			await turn(page);
			if (width < 800) await page.locator(".panels button").first().click(); // the map
			for (let zoom = 0; zoom < 4; zoom++) {
				const seen = await page.evaluate(() => {
					const root = document.getElementById("board").shadowRoot;
					const svg = root.querySelector('[data-panel="board"] svg');
					const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
					const shown = [...svg.querySelectorAll("text.name, text[data-name], .names text")].filter((e) => getComputedStyle(e).visibility !== "hidden");
					const boxes = [...svg.querySelectorAll(".names text")].map((e) => e.getBBox());
					const over = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y + 0.2 * a.height < b.y + b.height && b.y < a.y + 0.8 * a.height;
					const things = [...svg.querySelectorAll("[data-piece]")].map((e) => e.getBBox());
					return {
						n: shown.length,
						all: new Set([...svg.querySelectorAll("text[data-name]")].map((e) => e.dataset.name)).size,
						least: Math.min(...shown.map((e) => Number(e.getAttribute("font-size")) * scale)),
						covered: boxes.filter((a) => things.some((b) => over(a, b))).length,
						crossed: boxes.filter((a, i) => boxes.some((b, j) => i < j && over(a, b))).length,
					};
				});
				want(seen.least >= 10.95, `${game} at ${width}, enlarged ${zoom} times: letters of ${seen.least.toFixed(1)} pixels`);
				want(seen.covered === 0 && seen.crossed === 0, `${game} at ${width}, enlarged ${zoom} times: ${seen.covered} names cover a piece, ${seen.crossed} each other`);
				want(seen.n >= (seen.all ? 0.45 * seen.all : 12), `${game} at ${width}, enlarged ${zoom} times: ${seen.n} of ${seen.all} names`);
				if (zoom === 0) notes.push(`${game} ${width}: ${seen.n} of ${seen.all || seen.n}, ${seen.least.toFixed(1)} px`);
				await page.locator("#larger").click();
			}
		}
	}
	return notes.join("; ");
});

await check("what screen readers are told", {}, async (page) => {
	const same = async (name, locator) => {
		const got = (await locator.ariaSnapshot()) + "\n";
		const file = here(`golden/${name}.aria.yml`);
		if (update) return writeFileSync(file, got);
		want(got === readFileSync(file, "utf8"), `${name} has another aria snapshot (--update rewrites it):\n${got}`);
	};
	await page.goto(address);
	await page.waitForSelector(".game");
	await page.check("input[value=tictactoe]");
	await same("lobby", page.locator(".setup"));
	await begin(page, "tictactoe", ["you", "friend"]);
	await turn(page);
	await same("table", page.locator("#page"));
	await step(page, () => page.locator(".choices button").nth(4).click());
	await page.waitForFunction(() => document.querySelector("[aria-live]")?.textContent.includes("Blue"));
});

// Every game fills one sheet, whichever way it lies, black on white, without what can be
// clicked, also of a page in the dark; and afterwards it can be clicked again.
await check("on paper", { colorScheme: "dark" }, async (page) => {
	for (const game of games) {
		await begin(page, game.name, ["you", "random"]);
		await page.waitForSelector(".choices button");
		await page.evaluate(() => {
			addEventListener("beforeprint", () => {
				const board = document.getElementById("board");
				window.paper = { clickable: board.shadowRoot.querySelectorAll("[data-action]").length };
			});
		});
		const clickable = await page.locator("#board [data-action]").count();
		for (const landscape of [true, false]) {
			const pdf = (await page.pdf({ format: "A4", landscape })).toString("latin1");
			const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length;
			want(sheets === 1, `${game.name} takes ${sheets} sheets`);
		}
		const paper = await page.evaluate(() => window.paper);
		want(paper.clickable === 0, `${game.name} has ${paper.clickable} parts on paper that stand out`);
		want((await page.locator("#board [data-action]").count()) === clickable, `${game.name} cannot be clicked afterwards`);
		await page.emulateMedia({ media: "print" });
		for (const hidden of [".side", ".top", ".prompt", ".boardfoot"]) want(!(await page.locator(hidden).isVisible()), `${game.name} has ${hidden} on paper`);
		const ink = await page.locator("#board text").first().evaluate((e) => getComputedStyle(e).fill);
		want(ink === "rgb(0, 0, 0)", `${game.name} is written in ${ink}`);
		await page.emulateMedia({ media: null });
	}
});

await check("nothing jumps", {}, async (page) => {
	await page.addInitScript(() => {
		window.shift = 0;
		new PerformanceObserver((l) => {
			for (const e of l.getEntries()) {
				window.shift += e.value;
				window.shifts = [...(window.shifts ?? []), ...e.sources.map((s) => `${s.node?.nodeName ?? "?"}.${s.node?.className ?? ""}`)];
			}
		}).observe({ type: "layout-shift", buffered: true });
	});
	await begin(page, "connect4");
	for (let n = 0; n < 5 && !(await turn(page)); n++) await step(page, () => page.locator(".choices button").first().click());
	const shift = await page.evaluate(() => window.shift);
	want(shift < 0.05, `things have shifted by ${shift}: ${await page.evaluate(() => (window.shifts ?? []).join(", "))}`);
	return `shift ${shift.toFixed(3)}`;
});

await check("figures", {}, async (page, context) => {
	const wire = await context.newCDPSession(page);
	await wire.send("Network.enable");
	let bytes = 0;
	wire.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
	await page.goto(address);
	await page.waitForSelector(".game");
	const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now());
	await page.waitForTimeout(200);
	const first = bytes;
	const times = [];
	for (const game of ["minuteman", "insurgency", "bloc"]) {
		await begin(page, game, ["you", "random"]);
		const list = (await play(page, 40)).times.sort((a, b) => a - b);
		times.push(`${game} ${list[list.length >> 1].toFixed(0)} ms, p95 ${list[Math.floor(list.length * 0.95)].toFixed(0)} ms`);
	}
	return `first paint ${first} bytes, ${paint.toFixed(0)} ms; click to redrawn board, median: ${times.join("; ")}`;
});

await browser.close();
process.exit(failed ? 1 : 0);
