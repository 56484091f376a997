// Contact sheets of the titles: node sheets.mjs ADDRESS FOLDER GAME:MOMENT:LINK:TOKEN... Of each moment a
// picture at every size by day and by night is put into the folder, and of each game a sheet with all of them.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [address, folder, ...moments] = process.argv.slice(2);
const sizes = [[390, 844], [820, 1180], [1280, 800], [1440, 900], [2560, 1440]];
const schemes = ["light", "dark"];
/** How high a picture is on a sheet, in pixels. */
const high = 480;

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.POWDERKEG_CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: ["--no-sandbox"] });
const games = new Map();
for (const text of moments) {
	const [game, moment, id, token] = text.split(":");
	const rows = games.get(game) ?? games.set(game, []).get(game);
	for (const colorScheme of schemes) {
		const row = { title: `${moment}, ${colorScheme}`, files: [] };
		rows.push(row);
		for (const [width, height] of sizes) {
			const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: width < 1000, isMobile: width < 500 });
			const page = await context.newPage();
			page.setDefaultTimeout(120000);
			await page.goto(address);
			await page.evaluate(([id, token]) => localStorage.setItem("powderkeg.tables", JSON.stringify([{ id, title: "", game: "", at: 0, tokens: { 0: token } }])), [id, token]);
			await page.goto(`${address}table/${id}`);
			await page.waitForSelector(".choices button, .result");
			await page.waitForTimeout(400); // what moves has come to rest
			const file = join(folder, `${game}-${moment}-${width}-${colorScheme}.png`);
			await page.screenshot({ path: file });
			row.files.push({ file, width, height });
			await context.close();
		}
	}
}
for (const [game, rows] of games) {
	const page = await browser.newPage({ viewport: { width: 2600, height: 800 } });
	const cell = ({ file, width, height }) => `<figure><img src="data:image/png;base64,${readFileSync(file, "base64")}" height="${high}"><figcaption>${width} × ${height}</figcaption></figure>`;
	await page.setContent(`<style>body{font:16px sans-serif;margin:1rem}div{display:flex;gap:1rem}figure{margin:0}img{border:1px solid #888}</style>
		${rows.map((r) => `<h2>${game}, ${r.title}</h2><div>${r.files.map(cell).join("")}</div>`).join("")}`);
	await page.screenshot({ path: join(folder, `${game}.png`), fullPage: true });
	await page.close();
}
await browser.close();
