// The site in a real browser: node .github/site/check.mjs bin/site [--shots=FOLDER] [--only=WORD]
// Every check prints a line; the exit status is 1 if one fails. It needs what the tests of the
// page need (make browser) and says so where that is missing.
import { createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const [site, ...flags] = process.argv.slice(2);
const flag = (name) => flags.find((f) => f.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
const shots = flag("shots");
const only = flag("only");
const program = process.env.POWDERKEG_CHROMIUM ?? "/usr/bin/chromium-headless-shell";
const from = createRequire(join(dirname(fileURLToPath(import.meta.url)), "../../serve/web/ui/package.json"));
let chromium;
let axe;
try {
	({ chromium } = from("playwright-core"));
	axe = readFileSync(from.resolve("axe-core/axe.min.js"), "utf8");
} catch {
	console.log("skipped: the site in a browser, for want of playwright-core and axe-core (npm ci in serve/web/ui)");
	process.exit(0);
}
if (!existsSync(program)) {
	console.log(`skipped: the site in a browser, for want of ${program} (make browser, or name one in POWDERKEG_CHROMIUM)`);
	process.exit(0);
}

const kinds = {
	".html": "text/html",
	".css": "text/css",
	".js": "text/javascript",
	".json": "application/json",
	".svg": "image/svg+xml",
	".png": "image/png",
	".pdf": "application/pdf",
};
const server = createServer((ask, answer) => {
	const path = join(site, normalize(decodeURIComponent(new URL(ask.url, "http://site").pathname)).replace(/\/$/, "/index.html"));
	if (!existsSync(path)) return answer.writeHead(404).end();
	answer.writeHead(200, { "Content-Type": kinds[extname(path)] ?? "application/octet-stream" });
	createReadStream(path).pipe(answer);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const base = `http://127.0.0.1:${server.address().port}/`;

/** Pages of each kind. */
const pages = {
	home: "index.html",
	games: "games/index.html",
	game: "games/insurgency/index.html",
	rules: "games/jogu/rules.html",
	observations: "games/jogu/observations.html",
	config: "reference/config.html",
	commands: "reference/commands.html",
	python: "reference/python.html",
	go: "reference/go.html",
	report: "experiments/reports/0013-domination-zoo.html",
	gallery: "gallery/index.html",
	replay: "gallery/insurgency.html",
	tutorial: "tutorials/first-bot.html",
	author: "tutorials/add-a-game.html",
	notebook: "serve/python/notebooks/search.html",
	front: "project/readme.html",
	paper: "experiments/paper.html",
	changes: "project/CHANGELOG.html",
};

const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
let failed = 0;

async function check(name, options, run) {
	if (!name.includes(only)) return;
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	context.setDefaultTimeout(120000); // other work may have the processors
	const elsewhere = [];
	context.on("request", (r) => r.url().startsWith(base) || /^(data|blob):/.test(r.url()) || elsewhere.push(r.url()));
	const faults = [];
	context.on("console", (m) => m.type() === "error" && faults.push(m.text()));
	context.on("weberror", (e) => faults.push(String(e.error())));
	try {
		const note = await run(await context.newPage());
		if (elsewhere.length) throw new Error(`it asks another host: ${elsewhere[0]}`);
		if (faults.length) throw new Error(`the console has ${JSON.stringify(faults.slice(0, 3))}`);
		console.log(`ok   ${name}${note ? `: ${note}` : ""}`);
	} catch (why) {
		failed++;
		console.log(`FAIL ${name}: ${why.message ?? why}`);
	}
	await context.close();
}

const want = (truth, what) => {
	if (!truth) throw new Error(what);
};

async function shoot(page, name) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await page.screenshot({ path: join(shots, `${name}.png`) });
}

for (const [name, path] of Object.entries(pages)) {
	for (const colorScheme of ["light", "dark"]) {
		await check(`${name} in ${colorScheme}`, { colorScheme, reducedMotion: "reduce" }, async (page) => {
			const answer = await page.goto(base + path);
			want(answer.status() === 200, `${path}: ${answer.status()}`);
			await page.waitForFunction(() => document.readyState === "complete");
			await shoot(page, `${name}-${colorScheme}`);
			await page.evaluate(axe);
			const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
			const told = violations.map((v) => `${v.id} (${v.nodes.length}): ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].any[0]?.message ?? ""}`);
			want(violations.length === 0, `axe finds ${told.join("; ")}`);
			return "axe finds nothing";
		});
	}
	await check(`${name} on a phone`, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, async (page) => {
		await page.goto(base + path);
		await shoot(page, `${name}-phone`);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		want(wide <= 0, `it is ${wide} pixels too wide`);
	});
}

for (const [words, path] of [
	["exploitability", "0003-exploitability"],
	["clip_range", "reference/config"],
	["Scrambler", "games/jogu"],
	["import-check", "reference/commands"],
]) {
	await check(`a search for ${words}`, {}, async (page) => {
		await page.goto(`${base}index.html`);
		await page.waitForFunction(() => document.readyState === "complete");
		await page.keyboard.press("/");
		await page.locator(".md-search__input").fill(words);
		await page.waitForSelector(".md-search-result__link");
		await page.waitForFunction((part) => [...document.querySelectorAll(".md-search-result__link")].some((a) => a.href.includes(part)), path);
		await shoot(page, `search-${words}`);
		return `${await page.locator(".md-search-result__item").count()} pages`;
	});
}

await check("a game is replayed", {}, async (page) => {
	await page.goto(`${base}gallery/insurgency.html`);
	const last = await page.locator(".player input").getAttribute("max");
	await page.locator(".player input").fill(last);
	await page.getByRole("button", { name: "Back", exact: true }).click();
	await page.waitForFunction((n) => document.querySelector(".player output").textContent.startsWith(`${n} of`), Number(last) - 1);
	const drawn = () => page.evaluate(() => document.querySelector(".player img").complete && document.querySelector(".player img").naturalWidth > 0);
	await page.waitForFunction(() => document.querySelector(".player img").naturalWidth > 0);
	want(await drawn(), "the picture is not drawn");
	want((await page.locator(".told li").count()) > 0, "nothing is told");
	await page.getByRole("button", { name: "Play" }).click();
	await page.waitForFunction((n) => document.querySelector(".player output").textContent.startsWith(`${n} of`), last);
	await shoot(page, "replayed");
	return `${last} moments`;
});

await browser.close();
server.close();
process.exit(failed ? 1 : 0);
