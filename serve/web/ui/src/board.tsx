// The drawing. It lies in a shadow tree, so that its styles and the page's keep apart, and
// its style sheet is adopted, which the page's policy allows where a style element is not.
// On a wide screen its panels lie as the drawing composes them; on a narrow one, one is shown
// at a time.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { compose, foldable } from "./compose";
import { lay, type Panel } from "./drawing";
import { flightStyle, fly, keep } from "./flights";
import { set, setting } from "./memory";
import { readable, writeNames } from "./names";
import { strings } from "./strings";
import type { Borders, Card, Opinion, Told } from "./types";

interface Props {
	drawing: string;
	hints: Opinion[];
	about: string[];
	/** What the choice that is pointed at would do. */
	foretold: string;
	onPoint: (action: number | undefined) => void;
	/** How long, in ms, what has changed may be shown to happen; 0 for not at all. */
	travel: number;
	/** What was told of it. */
	told: Told[];
	/** The game, by its name. */
	game: string;
	cards: Map<string, Card>;
	borders: Record<string, Borders>;
	onActions: (actions: number[], at: DOMRect) => void;
	onNothing: (space: string) => void;
}

/** Screens that show one panel at a time (as main.css has it). */
const narrow = matchMedia("(max-width: 800px)");

const ownStyle = `
:host{display:block}
.table{position:relative;margin:0 auto;aspect-ratio:var(--ratio)}
.panel{position:absolute;overflow:hidden}
.panel[data-panel=board]{overflow:auto}
.panel.away{visibility:hidden;left:-200vw!important}
svg{display:block;width:100%;height:auto;touch-action:manipulation}
.panel>svg{width:var(--zoom,100%)}
[data-space]{outline:none}
svg.powderkeg .names text{font-weight:600;text-anchor:middle;paint-order:stroke;stroke:var(--pk-ground);stroke-width:.28em;stroke-linejoin:round}
[data-action]:focus-visible>.aim{stroke-width:7;stroke:var(--pk-ink)}
.near>.aim{stroke:var(--pk-ink)!important;stroke-width:4!important;stroke-dasharray:5 4}
.about>.aim{stroke:var(--pk-ink)!important;stroke-width:6!important}
.hinted>.aim{stroke:var(--pk-seat2)!important;stroke-width:8!important;stroke-dasharray:none}
@media (prefers-reduced-motion:no-preference){.aim{transition:stroke-width .12s}}
@media screen and (max-width:800px){.table{width:auto!important;aspect-ratio:auto}.panel{position:static;overflow:visible;width:auto!important;height:auto!important}.panel.away{position:absolute;height:0!important;overflow:hidden}}
@media print{.flights{display:none}.table{width:min(100%,96vh*var(--ratio))!important}.panel>svg{width:100%!important}.panel.away{display:none}svg.powderkeg.powderkeg{--pk-ground:#fff;--pk-panel:#fff;--pk-ink:#000;--pk-soft:#333}.about>.aim,.hinted>.aim{stroke-width:inherit!important}}
${flightStyle}`;

export function Board(props: Props) {
	const host = useRef<HTMLDivElement>(null);
	const last = useRef(props);
	last.current = props;
	const [chosen, setZoom] = useState<number>(); // in per cent of the width that there is
	const [tip, setTip] = useState("");
	const [whole, setWhole] = useState<{ w: number; h: number; panels: Panel[] }>({ w: 1, h: 1, panels: [] });
	const [room, setRoom] = useState({ w: 0, h: 0 });
	const [folded, setFolded] = useState(() => setting("folded", "") === "on");
	const [tab, setTab] = useState("board");
	const [calls, setCalls] = useState<string[]>([]); // the panels in which there is something to choose

	useLayoutEffect(() => {
		const root = host.current?.attachShadow({ mode: "open" });
		if (!root) return undefined;
		const part = (e: Event) => (e.target as Element).closest?.("[data-action],[data-space],[data-card]") ?? null;
		const choose = (e: Event) => {
			const at = part(e);
			const acting = at?.closest("[data-action]") ?? beneath(root, e);
			if (acting) last.current.onActions(actionsOf(acting), acting.getBoundingClientRect());
			else if (at?.closest("[data-space]")) last.current.onNothing(at.closest("[data-space]")?.getAttribute("data-space") ?? "");
		};
		root.addEventListener("click", choose);
		root.addEventListener("keydown", (e) => {
			const key = e as KeyboardEvent;
			if (key.key === "Enter" || key.key === " ") {
				key.preventDefault();
				choose(e);
			} else if (key.key.startsWith("Arrow")) {
				const to = beside(root, e.target as Element, key.key);
				if (to) {
					key.preventDefault();
					key.stopPropagation();
					(e.target as Element).setAttribute("tabindex", "-1");
					to.setAttribute("tabindex", "0");
					(to as SVGElement).focus();
				}
			}
		});
		const explain = (e: Event) => {
			const at = part(e);
			const card = at?.closest("[data-card]")?.getAttribute("data-card");
			const about = card ? last.current.cards.get(card) : undefined;
			const title = (at?.querySelector(":scope>title") ?? at?.closest("[data-space]")?.querySelector(":scope>title"))?.textContent ?? "";
			const space = at?.closest("[data-space]")?.getAttribute("data-space") ?? "";
			const near = last.current.borders[space]?.borders ?? [];
			const names = near.map((n) => last.current.borders[n]?.name ?? n);
			setTip([about ? `${title || about.title}. ${about.text}` : title, names.length ? strings.borders(names) : ""].filter(Boolean).join(". "));
			mark(root, "near", near);
			const actions = actionsOf(at?.closest("[data-action]") ?? root.host);
			last.current.onPoint(actions.length === 1 ? actions[0] : undefined);
		};
		root.addEventListener("pointerover", explain);
		root.addEventListener("focusin", explain);
		const leave = () => {
			mark(root, "near", []);
			last.current.onPoint(undefined);
		};
		root.addEventListener("focusout", leave);
		host.current?.addEventListener("pointerleave", leave);
		// What can be clicked does not stand out on paper.
		const rename = (from: string, to: string) => () => {
			for (const e of root.querySelectorAll(`[${from}]`)) {
				e.setAttribute(to, e.getAttribute(from) ?? "");
				e.removeAttribute(from);
			}
		};
		const before = rename("data-action", "data-off");
		const after = rename("data-off", "data-action");
		addEventListener("beforeprint", before);
		addEventListener("afterprint", after);
		return () => {
			removeEventListener("beforeprint", before);
			removeEventListener("afterprint", after);
		};
	}, []);

	useLayoutEffect(() => {
		const root = host.current?.shadowRoot;
		if (!root) return;
		const before = props.travel > 0 && root.querySelector(".table") ? keep(root) : undefined;
		const next = lay(root, props.drawing, ownStyle);
		if (before) fly(root, before, props.told, props.travel, (card) => `/api/games/${props.game}/card/${encodeURIComponent(card)}`);
		setWhole((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
		const calling = next.panels.filter((p) => root.querySelector(`[data-panel="${p.name}"] [data-action]`)).map((p) => p.name);
		setCalls((now) => (now.join() === calling.join() ? now : calling));
	}, [props.drawing]);

	// The room that there is: that of the window where one panel is shown at a time.
	useLayoutEffect(() => {
		const outer = host.current?.parentElement;
		if (!outer) return undefined;
		const measure = () => setRoom({ w: outer.clientWidth, h: outer.clientHeight });
		const watch = new ResizeObserver(measure);
		watch.observe(outer);
		narrow.addEventListener("change", measure);
		measure();
		return () => {
			watch.disconnect();
			narrow.removeEventListener("change", measure);
		};
	}, []);

	// Where the question can be answered on one panel alone, a narrow screen turns to it.
	useLayoutEffect(() => {
		if (calls.length === 1 && calls[0] && !calls.includes(tab)) setTab(calls[0]);
	}, [calls]);

	// On a narrow screen every panel is as large as its text wants.
	const [legible, setLegible] = useState<Record<string, number>>({});
	const zoom = chosen ?? legible.board ?? 100;
	useLayoutEffect(() => {
		const root = host.current?.shadowRoot;
		if (!root || !room.w) return;
		const wanted = (p: Panel) => Math.max(100, (100 * readable * p.w) / (usualText(root, p.name) * room.w));
		setLegible(narrow.matches ? Object.fromEntries(whole.panels.map((p) => [p.name, wanted(p)])) : {});
	}, [whole, room]);

	// A board that is larger than its screen begins where there is something to choose.
	useLayoutEffect(() => {
		if (!narrow.matches || (legible.board ?? 100) <= 100) return;
		host.current?.shadowRoot?.querySelector('[data-panel="board"] [data-action]')?.scrollIntoView({ block: "nearest", inline: "center" });
	}, [legible]);

	useLayoutEffect(() => {
		const root = host.current?.shadowRoot;
		const table = root?.querySelector<HTMLElement>(".table");
		if (!root || !table || room.w === 0) return;
		const one = narrow.matches;
		const at = compose(whole, whole.panels, room, folded && !one);
		const share = (part: number, all: number) => `${(100 * part) / all}%`;
		table.style.cssText = `width:${at.width}px;--ratio:${at.width / at.height}`;
		for (const e of table.children) {
			const panel = e as HTMLElement;
			const name = panel.dataset.panel ?? "";
			const to = at.places.get(name);
			panel.classList.toggle("away", one ? name !== tab : !to);
			panel.style.cssText = to ? `left:${share(to.x, at.width)};top:${share(to.y, at.height)};width:${share(to.w, at.width)};height:${share(to.h, at.height)}` : "";
			panel.style.setProperty("--zoom", `${name === "board" ? zoom : (legible[name] ?? 100)}%`);
		}
	}, [whole, room, folded, tab, zoom, legible]);

	useLayoutEffect(() => {
		const root = host.current?.shadowRoot;
		if (root && room.w > 0) writeNames(root);
	}, [props.drawing, whole, room, folded, tab, zoom, legible]);

	useLayoutEffect(() => {
		const root = host.current?.shadowRoot;
		if (!root) return;
		for (const e of root.querySelectorAll(".hinted")) e.classList.remove("hinted");
		const best = props.hints.reduce((a, o) => Math.max(a, o.share), 0);
		for (const o of props.hints) {
			if (o.share > 0 && o.share >= best / 2) {
				for (const e of root.querySelectorAll(`[data-action~="${o.action}"]`)) e.classList.add("hinted");
			}
		}
	}, [props.hints, props.drawing]);

	useLayoutEffect(() => {
		const root = host.current?.shadowRoot;
		if (!root) return;
		mark(root, "about", props.about);
	}, [props.about, props.drawing]);

	const scale = (to: number) => setZoom(Math.min(400, Math.max(100, to)));
	const fold = (on: boolean) => {
		set("folded", on ? "on" : "");
		setFolded(on);
	};
	return (
		<>
			{whole.panels.length > 1 && (
				<div class="panels" role="group" aria-label={strings.panels}>
					{whole.panels.map((p) => (
						<button key={p.name} aria-pressed={tab === p.name} class={calls.includes(p.name) ? "calls" : ""} onClick={() => setTab(p.name)}>
							{p.title}
						</button>
					))}
				</div>
			)}
			<div class="boardscroll" tabIndex={-1}>
				<div ref={host} id="board" class="board" />
			</div>
			<div class="boardfoot">
				<p class="tip">{[props.foretold, tip].filter(Boolean).join(" ")}</p>
				<div class="zoom" role="group" aria-label={strings.board}>
					{foldable(whole.panels) && (
						<button class="fold" aria-pressed={folded} title={strings.foldHelp} onClick={() => fold(!folded)}>
							{strings.fold}
						</button>
					)}
					<button id="smaller" aria-label={strings.smaller} onClick={() => scale(zoom / 1.25)}>
						−
					</button>
					<button id="fit" onClick={() => scale(100)}>
						{strings.fit}
					</button>
					<button id="larger" aria-label={strings.larger} onClick={() => scale(zoom * 1.25)}>
						+
					</button>
				</div>
			</div>
		</>
	);
}

/** The size in the middle of those that the texts of a panel have, in units of the drawing. */
function usualText(root: ShadowRoot, panel: string): number {
	const sizes = [...root.querySelectorAll(`[data-panel="${panel}"] text`)].map((e) => Number(e.getAttribute("font-size"))).sort((a, b) => a - b);
	return sizes[sizes.length >> 1] ?? readable;
}

/** What can be chosen beneath a click on something that cannot, such as a piece that lies in a space. */
function beneath(root: ShadowRoot, e: Event): Element | null {
	if (!(e instanceof MouseEvent)) return null;
	for (const under of root.elementsFromPoint(e.clientX, e.clientY)) {
		const acting = under.closest("[data-action]");
		if (acting) return acting;
	}
	return null;
}

/** Gives a class to the parts of some spaces, and to no others. */
function mark(root: ShadowRoot, name: string, spaces: string[]): void {
	for (const e of root.querySelectorAll(`.${name}`)) e.classList.remove(name);
	for (const space of spaces) {
		for (const e of root.querySelectorAll(`[data-space="${CSS.escape(space)}"]`)) e.classList.add(name);
	}
}

const actionsOf = (e: Element): number[] => (e.getAttribute("data-action") ?? "").split(" ").filter(Boolean).map(Number);

/** Puts the focus on the part of the board that can be reached by Tab. */
export function focusBoard(): void {
	const part = document.getElementById("board")?.shadowRoot?.querySelector<SVGElement>('[data-action][tabindex="0"]');
	part?.focus();
}

/** The nearest part that can be chosen in the direction of an arrow key. */
function beside(root: ShadowRoot, from: Element, key: string): Element | undefined {
	const middle = (e: Element) => {
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2] as const;
	};
	const [x, y] = middle(from);
	const [dx, dy] = key === "ArrowRight" ? [1, 0] : key === "ArrowLeft" ? [-1, 0] : key === "ArrowDown" ? [0, 1] : [0, -1];
	let best: Element | undefined;
	let least = Infinity;
	for (const e of root.querySelectorAll("[data-action]")) {
		const [ex, ey] = middle(e);
		const along = (ex - x) * dx + (ey - y) * dy;
		const aside = Math.abs((ex - x) * dy) + Math.abs((ey - y) * dx);
		if (e !== from && along > 1 && along + 2 * aside < least) {
			least = along + 2 * aside;
			best = e;
		}
	}
	return best;
}
