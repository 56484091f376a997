// The picture of the page with a game on it, and a small picture of each game, for the site
// and the front page:
//
//	node .github/site/pictures.mjs bin/powderkeg [FOLDER]
//
// writes table.png and thumbs/GAME.png into the folder, this one if none is named. The games
// are played by the bots that ship, from fixed seeds, and set on the table some moves in. What
// is drawn is what one seat may see.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "../../serve/web/ui/package.json"))("playwright-core");

const [program = "bin/powderkeg", folder = here] = process.argv.slice(2);

/** The games: who plays, after how many decisions and by whose eyes it is drawn, and which part of the drawing is the thumbnail. */
const scenes = {
	jogu: { agents: ["zoo:jogu"], decisions: 44, seat: 0, crop: [0, 175, 840, 560] },
	bloc: { agents: ["zoo:bloc_plans"], decisions: 220, seat: 0, crop: [0, 38, 1060, 707] },
	insurgency: { agents: ["zoo:insurgency", "zoo:insurgency_resistance"], decisions: 180, seat: 0, crop: [0, 34, 1020, 680] },
	minuteman: { agents: ["zoo:minuteman"], decisions: 300, seat: 0, crop: [1110, 250, 345, 230] },
	domination: { agents: ["zoo:domination"], decisions: 60, seat: 0, crop: [0, 48, 1020, 680] },
};
const onTheTable = "insurgency";
const seed = 7;

const scratch = mkdtempSync(join(tmpdir(), "powderkeg-pictures-"));
const web = spawn(program, ["web", "--listen", "127.0.0.1:0", "--folder", join(scratch, "tables")]);

/** The address that the page has, from what the program prints. */
function address() {
	return new Promise((found, lost) => {
		let said = "";
		const hear = (chunk) => {
			said += chunk;
			const at = said.match(/http:\/\/[0-9.:]+\//);
			if (at) found(at[0]);
		};
		web.stdout.on("data", hear);
		web.stderr.on("data", hear);
		web.on("exit", () => lost(new Error(`${program} web ended: ${said}`)));
	});
}

/** Plays so many decisions of a game and returns the file of the replay. */
function recorded(game, agents, decisions) {
	const file = join(scratch, `${game}-${decisions}.json`);
	const vs = agents.flatMap((a) => ["--vs", a]);
	const r = spawnSync(program, ["play", game, "--watch", ...vs, "--seed", String(seed)], { input: `${decisions}\nquit\n${file}\n`, encoding: "utf8" });
	if (r.status !== 0) throw new Error(`${game}: ${r.stderr}`);
	return file;
}

async function post(url, body) {
	const r = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
	if (!r.ok) throw new Error(`${url}: ${r.status} ${await r.text()}`);
	return r.json();
}

/**
 * Sets a game on the table after so many decisions, or a few more so that the seat has a choice,
 * and opens it as that seat. Returns the file of the replay.
 */
async function set(page, base, name, { agents, decisions, seat }) {
	for (let n = decisions; n < decisions + 40; n++) {
		const file = recorded(name, agents, n);
		const replay = JSON.parse(readFileSync(file, "utf8"));
		const { players } = await (await fetch(`${base}api/offer?${new URLSearchParams({ game: replay.game })}`)).json();
		const sits = (p) => (p === seat ? { kind: "person", name: "" } : { kind: "bot", name: agents[p] ?? agents[0] });
		const seats = Array.from({ length: players }, (_, p) => sits(p));
		const made = await post(`${base}api/tables`, { game: replay.game, seats, practice: true, replay, seed });
		await page.goto(base);
		const table = { id: made.id, title: name, game: name, at: 0, tokens: { [seat]: made.tokens[seat] } };
		await page.evaluate((text) => localStorage.setItem("powderkeg.tables", text), JSON.stringify([table]));
		await page.goto(`${base}table/${made.id}`);
		await page.waitForSelector(".choices button:not(:disabled)");
		await page.waitForTimeout(500);
		if ((await page.locator(".choices button:not(:disabled)").count()) >= 4) return file;
	}
	throw new Error(`${name}: seat ${seat} has no choice to make after ${decisions} decisions`);
}

/** Part of the drawing of a game that is under way, as a seat sees it, on a page of its size. */
async function thumbnail(page, file, { seat, crop }, path) {
	const drawing = file.replace(/json$/, "svg");
	spawnSync(program, ["play", "--resume", file, "--seat", String(seat), "--drawing", drawing], { input: "" }); // it ends for want of an answer
	await page.setViewportSize({ width: 360, height: Math.round((360 * crop[3]) / crop[2]) });
	await page.setContent(`<body style="margin:0">${readFileSync(drawing, "utf8")}</body>`);
	await page.evaluate((box) => {
		const svg = document.querySelector("svg");
		svg.setAttribute("viewBox", box);
		svg.style = "display:block;width:100vw;height:100vh;background:var(--pk-ground)";
		for (const e of svg.querySelectorAll("[data-action]")) e.removeAttribute("data-action"); // nothing is to be clicked in a picture
	}, crop.join(" "));
	await page.screenshot({ path });
}

const executablePath = process.env.POWDERKEG_CHROMIUM ?? "/usr/bin/chromium-headless-shell";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
	const base = await address();
	mkdirSync(join(folder, "thumbs"), { recursive: true });
	for (const [name, scene] of Object.entries(scenes)) {
		const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
		const page = await context.newPage();
		const file = await set(page, base, name, scene);
		if (name === onTheTable) await page.screenshot({ path: join(folder, "table.png") });
		await thumbnail(await context.newPage(), file, scene, join(folder, "thumbs", `${name}.png`));
		await context.close();
	}
} finally {
	await browser.close();
	web.kill();
	rmSync(scratch, { recursive: true, force: true });
}
