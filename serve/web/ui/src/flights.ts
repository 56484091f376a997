// What has changed between two drawings is seen to happen: pieces go from where they were to where they are,
// cards turn over, dice roll. All of it follows from two drawings of one seat and from what that seat was told.
import type { Told } from "./types";

/** Pieces of a kind in a place of a drawing (env/drawing/sheet, Token). */
interface Pile {
	kind: string;
	place: string;
	n: number;
	/** Where the last of them is on the screen, and how it looks. */
	at: DOMRect;
	box: DOMRect;
	node: SVGGraphicsElement;
	look: Element;
}
export type Stock = Map<string, Pile>;

/** Of more changes than that, as when a game is looked at from elsewhere, none is shown. */
const most = 40;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How wide a card is that is turned over, and a die, in pixels. */
const cardWide = 132;
const cardHigh = 185;
const dieWide = 46;

export const flightStyle = `
:host{position:relative}
.flights{position:absolute;inset:0;pointer-events:none;z-index:3}
.flights>*{position:absolute;overflow:visible}
.flights .ring{border:3px solid var(--legal);border-radius:8px}
.flights .ring.left{border-style:dashed}
.flights .die{display:grid;place-items:center;background:var(--ground);color:var(--ink);border:3px solid var(--ink);border-radius:9px;font:700 24px/1 sans-serif;box-shadow:0 3px 10px #0006}
.flights .card{border-radius:9px;box-shadow:0 4px 16px #0007;background:var(--well)}
.flights .card.down{border:3px solid var(--edge);background:repeating-linear-gradient(45deg,var(--well) 0 8px,var(--edge) 8px 11px)}
.flights .card img{display:block;width:100%;height:100%}
`;

/** Counts the pieces of a drawing that is shown. */
export function stock(root: ShadowRoot): Stock {
	const all: Stock = new Map();
	for (const node of root.querySelectorAll<SVGGraphicsElement>("[data-piece]")) {
		const panel = node.closest<HTMLElement>(".panel");
		const count = Number(node.dataset.n ?? 1);
		if (!panel || panel.classList.contains("away") || count < 1) continue;
		const kind = node.dataset.piece ?? "";
		const place = `${panel.dataset.panel} ${node.closest("[data-space]")?.getAttribute("data-space") ?? ""}`;
		const key = `${kind} ${place}`;
		const before = all.get(key)?.n ?? 0;
		all.set(key, { kind, place, n: before + count, at: node.getBoundingClientRect(), box: node.getBBox(), node, look: node });
	}
	return all;
}

/** Counts them so that how they look is kept when the drawing changes. */
export function keep(root: ShadowRoot): Stock {
	const all = stock(root);
	for (const pile of all.values()) pile.look = pile.node.cloneNode(true) as Element;
	return all;
}

const family = (kind: string) => kind.replace(/\/.*/, "").replace("back", "card");

interface Change {
	pile: Pile;
	left: number;
}

/**
 * Shows in so many ms what has changed since the pieces were counted, and the dice and the cards of what was told.
 * What was under way is over. Face returns the address of the picture of a card.
 */
export function fly(root: ShadowRoot, before: Stock, lines: Told[], time: number, face: (card: string) => string): void {
	const old = root.querySelector(".flights");
	const layer = document.createElement("div");
	layer.className = "flights";
	layer.setAttribute("aria-hidden", "true");
	if (old) old.replaceWith(layer);
	else root.append(layer);
	const after = stock(root);
	const gains: Change[] = [];
	const losses: Change[] = [];
	for (const [key, pile] of after) {
		const more = pile.n - (before.get(key)?.n ?? 0);
		if (more > 0) gains.push({ pile, left: more });
	}
	for (const [key, pile] of before) {
		const fewer = pile.n - (after.get(key)?.n ?? 0);
		if (fewer > 0) losses.push({ pile, left: fewer });
	}
	const stage = new Stage(root, layer, time);
	if (gains.length + losses.length <= most) {
		const gained = new Set(gains.map((g) => g.pile.kind));
		const pair = (fits: (loss: Pile, gain: Pile) => boolean, show: (loss: Pile, gain: Pile, n: number) => void) => {
			for (const gain of gains) {
				const near = losses.filter((l) => l.left > 0 && fits(l.pile, gain.pile)).sort((a, b) => away(a.pile.at, gain.pile.at) - away(b.pile.at, gain.pile.at));
				for (const loss of near) {
					const n = Math.min(loss.left, gain.left);
					if (n < 1) break;
					loss.left -= n;
					gain.left -= n;
					show(loss.pile, gain.pile, n);
				}
			}
		};
		const isNew = (gain: Pile) => !before.has(`${gain.kind} ${gain.place}`);
		pair((l, g) => l.kind === g.kind, (l, g, n) => stage.move(l, g, n, isNew(g), false));
		pair((l, g) => l.place === g.place && family(l.kind) === family(g.kind), (l, g, n) => stage.move(l, g, n, isNew(g), true));
		pair((l, g) => l.kind !== g.kind && family(l.kind) === "card" && family(g.kind) === "card" && (l.kind.startsWith("back") || g.kind.startsWith("back")), (l, g, n) => stage.move(l, g, n, isNew(g), true));
		// A card that is seen, and lies nowhere afterwards, is shown where it came from.
		const seen = [...new Set(lines.map((l) => l.card ?? "").filter((c) => c && !gained.has(`card/${c}`)))];
		for (const [i, card] of seen.slice(-3).entries()) {
			const from = losses.find((l) => l.left > 0 && l.pile.kind === `card/${card}`) ?? losses.find((l) => l.left > 0 && l.pile.kind.startsWith("back/"));
			if (from) from.left--;
			stage.card(face(card), card, from?.pile, i);
		}
		for (const { pile, left } of losses) if (left > 0) stage.fade(pile, left);
		for (const { pile, left } of gains) if (left > 0) stage.drop(pile);
	}
	const dice = lines.filter((l) => l.die);
	for (const [i, line] of dice.slice(-6).entries()) stage.die(line.die ?? 0, line.about ?? [], i);
	if (layer.childElementCount === 0) layer.remove();
	else setTimeout(() => layer.remove(), time);
}

const middle = (r: DOMRect) => ({ x: r.x + r.width / 2, y: r.y + r.height / 2 });
const away = (a: DOMRect, b: DOMRect) => Math.hypot(a.x - b.x, a.y - b.y);

/** What is shown over a drawing. */
class Stage {
	private readonly host: DOMRect;
	constructor(
		private readonly root: ShadowRoot,
		private readonly layer: HTMLElement,
		private readonly time: number,
	) {
		this.host = root.host.getBoundingClientRect();
	}

	/** Lets n pieces go from a place to another, turning over on the way where they look otherwise there. */
	move(from: Pile, to: Pile, n: number, isNew: boolean, turns: boolean): void {
		if (still.matches) return this.mark(from, to);
		const [a, b] = [middle(from.at), middle(to.at)];
		const scale = Math.min(3, Math.max(0.3, Math.sqrt((to.at.width * to.at.height) / (from.at.width * from.at.height || 1))));
		const flat = turns ? " scaleX(0.02)" : "";
		const half = `translate(${(b.x - a.x) / 2}px,${(b.y - a.y) / 2}px) scale(${(1 + scale) / 2})`;
		const end = `translate(${b.x - a.x}px,${b.y - a.y}px) scale(${scale})`;
		const first = this.copy(from, n, turns ? "turn" : "move");
		const over = { duration: this.time * 0.85, easing: "ease-in-out", fill: "forwards" } as const;
		if (turns) {
			first.animate([{ transform: "none" }, { transform: half + flat, opacity: 1, offset: 0.5 }, { transform: half + flat, opacity: 0, offset: 0.51 }, { transform: half, opacity: 0 }], over);
			const back = `translate(${(a.x - b.x) / 2}px,${(a.y - b.y) / 2}px)`;
			this.copy(to, n, "turn").animate([{ transform: back + flat, opacity: 0 }, { transform: back + flat, opacity: 0, offset: 0.5 }, { transform: back + flat, opacity: 1, offset: 0.51 }, { transform: "none" }], over);
		} else first.animate([{ transform: "none" }, { transform: end }], over);
		if (isNew) to.node.animate([{ opacity: 0 }, { opacity: 0 }], { duration: this.time * 0.85 });
	}

	/** Lets pieces fade that are not there any more. */
	fade(pile: Pile, n: number): void {
		if (still.matches) return this.mark(pile);
		this.copy(pile, n, "fade").animate([{ opacity: 1 }, { transform: "scale(.5)", opacity: 0 }], { duration: this.time * 0.8, easing: "ease-in", fill: "forwards" });
	}

	/** Lets pieces drop in that were not there before. */
	drop(pile: Pile): void {
		if (still.matches) return this.mark(undefined, pile);
		this.copy(pile, 0, "drop").animate([{ transform: "translateY(-28px) scale(1.5)", opacity: 0 }, { transform: "none", opacity: 1, offset: 0.6 }, { transform: "none", opacity: 1 }], { duration: this.time * 0.8, easing: "ease-in", fill: "forwards" });
		pile.node.animate([{ opacity: 0 }, { opacity: 0 }], { duration: this.time * 0.8 });
	}

	/** Turns a card over to its face, where it came from or, where that is not seen, at the panel beside the board. */
	card(address: string, name: string, from: Pile | undefined, i: number): void {
		const panels = [...this.root.querySelectorAll<HTMLElement>(".panel:not(.away)")];
		const beside = panels.find((p) => p.dataset.panel !== "board" && p.dataset.panel !== "hand") ?? panels[0];
		const spot = middle(from?.at ?? beside?.getBoundingClientRect() ?? this.host);
		const [w, h] = [cardWide, cardHigh];
		const x = Math.min(Math.max(0, spot.x - this.host.x - w / 2 + i * (w + 8)), Math.max(0, this.host.width - w));
		const y = Math.min(Math.max(0, spot.y - this.host.y - h / 2), Math.max(0, this.host.height - h));
		const shown = this.put("card", x, y, w, h, "card", name);
		const picture = document.createElement("img");
		picture.src = address;
		picture.alt = "";
		shown.append(picture);
		if (still.matches) return;
		const open = from?.kind.startsWith("card/");
		if (!open) {
			this.put("card down", x, y, w, h, "card", "").animate([{ transform: "none" }, { transform: "scaleX(.02)", opacity: 1, offset: 0.25 }, { opacity: 0, offset: 0.26 }, { opacity: 0 }], { duration: this.time, fill: "forwards" });
		}
		const first = open ? "scale(.5)" : "scaleX(.02)";
		shown.animate([{ transform: first, opacity: open ? 1 : 0 }, { transform: first, opacity: open ? 1 : 0, offset: open ? 0 : 0.25 }, { transform: "none", opacity: 1, offset: 0.45 }, { transform: "none", opacity: 1, offset: 0.9 }, { opacity: 0 }], { duration: this.time, fill: "forwards" });
	}

	/** Rolls a die to what it shows, at the place that it was thrown for or in the middle of the board. */
	die(face: number, about: string[], i: number): void {
		const place = about.map((s) => this.root.querySelector(`.panel:not(.away) [data-space="${CSS.escape(s)}"]`)).find((e) => e !== null);
		const spot = middle((place ?? this.root.querySelector('[data-panel="board"]') ?? this.root.host).getBoundingClientRect());
		const x = Math.min(Math.max(0, spot.x - this.host.x - dieWide / 2 + i * (dieWide + 8)), Math.max(0, this.host.width - dieWide));
		const y = Math.max(0, spot.y - this.host.y - dieWide / 2 - (place ? dieWide : 0));
		const die = this.put("die", x, y, dieWide, dieWide, "die", String(face));
		die.textContent = String(face);
		if (still.matches) return;
		const rolls = 0.5 * this.time;
		const sides = face > 6 ? 20 : 6;
		let rolled = 0;
		const roll = setInterval(() => {
			rolled += 60;
			const over = rolled >= rolls || !die.isConnected;
			die.textContent = String(over ? face : 1 + Math.floor(Math.random() * sides));
			if (over) clearInterval(roll);
		}, 60);
		die.animate([{ transform: "translate(-70px,-50px) rotate(-540deg)" }, { transform: "none" }], { duration: rolls, easing: "ease-out" });
	}

	/** Marks where something was and where something is, for who wants nothing to move. */
	private mark(from?: Pile, to?: Pile): void {
		for (const [pile, name] of [[from, "ring left"], [to, "ring"]] as const) {
			if (!pile) continue;
			this.put(name, pile.at.x - this.host.x - 5, pile.at.y - this.host.y - 5, pile.at.width + 10, pile.at.height + 10, "mark", pile.kind);
		}
	}

	private put(name: string, x: number, y: number, w: number, h: number, what: string, kind: string): HTMLElement {
		const e = document.createElement("div");
		e.className = name;
		e.dataset.flight = what;
		e.dataset.kind = kind;
		e.style.cssText = `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
		this.layer.append(e);
		return e;
	}

	/** A picture of a pile by itself, with n for how many there are where it says so; 0 leaves what it says. */
	private copy(pile: Pile, n: number, what: string): SVGSVGElement {
		const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
		const look = pile.look.cloneNode(true) as Element;
		const says = look.querySelector("text:last-of-type");
		if (n > 0 && says && /^×?\d+$/.test(says.textContent ?? "") && look.hasAttribute("data-n")) says.textContent = String(n);
		for (const e of [look, ...look.querySelectorAll("*")]) for (const name of ["data-piece", "data-n", "data-space", "data-action", "tabindex", "role"]) e.removeAttribute(name);
		const { x, y, width, height } = pile.box;
		svg.setAttribute("viewBox", `${x} ${y} ${width || 1} ${height || 1}`);
		svg.setAttribute("class", "powderkeg");
		svg.dataset.flight = what;
		svg.dataset.kind = pile.kind;
		svg.style.cssText = `left:${pile.at.x - this.host.x}px;top:${pile.at.y - this.host.y}px;width:${pile.at.width}px;height:${pile.at.height}px`;
		svg.append(look);
		this.layer.append(svg);
		return svg;
	}
}
