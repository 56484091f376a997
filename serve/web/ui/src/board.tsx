// The drawing. It lies in a shadow tree, so that its styles and the page's keep apart, and
// its style sheet is adopted, which the page's policy allows where a style element is not.
// Each new drawing is laid over the old one part by part: what has not changed stays, and
// so do focus and place.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { strings } from "./strings";
import type { Borders, Card, Opinion } from "./types";

interface Props {
	drawing: string;
	hints: Opinion[];
	about: string[];
	cards: Map<string, Card>;
	borders: Record<string, Borders>;
	onActions: (actions: number[], at: DOMRect) => void;
	onNothing: (space: string) => void;
}

/** Drawings of at most this width are shown whole. */
const small = 500;

const ownStyle = `
:host{display:block}
svg{display:block;width:100%;height:auto;max-height:var(--tallest,none);touch-action:manipulation}
[data-space]{outline:none}
[data-action]:focus-visible>.aim{stroke-width:7;stroke:var(--pk-ink)}
.near>.aim{stroke:var(--pk-ink)!important;stroke-width:4!important;stroke-dasharray:5 4}
.about>.aim{stroke:var(--pk-ink)!important;stroke-width:6!important}
.hinted>.aim{stroke:var(--pk-seat2)!important;stroke-width:8!important;stroke-dasharray:none}
@media (prefers-reduced-motion:no-preference){.aim{transition:stroke-width .12s}}
@media print{svg.powderkeg.powderkeg{--pk-ground:#fff;--pk-panel:#fff;--pk-ink:#000;--pk-soft:#333}.about>.aim,.hinted>.aim{stroke-width:inherit!important}}
`;

export function Board(props: Props) {
	const host = useRef<HTMLDivElement>(null);
	const last = useRef(props);
	last.current = props;
	const [zoom, setZoom] = useState(100);
	const [tip, setTip] = useState("");
	const [tall, setTall] = useState(false);

	useLayoutEffect(() => {
		const root = host.current?.attachShadow({ mode: "open" });
		if (!root) return undefined;
		const part = (e: Event) => (e.target as Element).closest?.("[data-action],[data-space],[data-card]") ?? null;
		const choose = (e: Event) => {
			const at = part(e);
			if (!at) return;
			const acting = at.closest("[data-action]");
			if (acting) last.current.onActions(actionsOf(acting), acting.getBoundingClientRect());
			else if (at.closest("[data-space]")) last.current.onNothing(at.closest("[data-space]")?.getAttribute("data-space") ?? "");
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
		};
		root.addEventListener("pointerover", explain);
		root.addEventListener("focusin", explain);
		const leave = () => mark(root, "near", []);
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
		show(root, props.drawing);
		const box = root.querySelector("svg")?.viewBox.baseVal;
		setTall(box !== undefined && box.width > small && box.height > 0.75 * box.width);
	}, [props.drawing]);

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

	const scale = (to: number) => setZoom(Math.min(400, Math.max(50, to)));
	return (
		<>
			<div class="boardscroll" tabIndex={-1}>
				<div ref={host} id="board" class={tall && zoom === 100 ? "board tall" : "board"} data-zoom={zoom} style={{ width: `${zoom}%` }} />
			</div>
			<div class="boardfoot">
				<p class="tip">{tip}</p>
				<div class="zoom" role="group" aria-label={strings.board}>
					<button id="smaller" aria-label={strings.smaller} onClick={() => scale(zoom / 1.25)}>
						−
					</button>
					<button id="fit" onClick={() => scale(zoom === 100 ? 99 : 100)}>
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

const parser = new DOMParser();
const sheets = new Map<string, CSSStyleSheet>();

/** A part of a drawing: the text of an element right below the root, without what it means. */
interface Part {
	text: string;
	/** The actions that the element means, "" for none. */
	actions: string;
}

/** The parts of a drawing that is shown, each with its element. */
interface Laid {
	head: string;
	parts: { text: string; node: Element }[];
}
const laid = new WeakMap<ShadowRoot, Laid>();

/**
 * Lays a drawing over the one that the tree shows. To parse all of a large map takes longer
 * than all the rest, so only those of its parts (the elements right below the root) are
 * parsed whose text is new; the others stay as they are, but for the actions that they mean.
 */
function show(root: ShadowRoot, drawing: string): void {
	let style = "";
	const plain = drawing.replace(/<style>([^<]*)<\/style>/, (_, text: string) => {
		style = text.replaceAll("&gt;", ">").replaceAll("&amp;", "&");
		return "";
	});
	const { head, parts } = cut(plain);
	const before = laid.get(root) ?? { head: "", parts: [] };
	const kept = new Map<string, Element[]>();
	for (const { text, node } of before.parts) {
		const same = kept.get(text);
		if (same) same.push(node);
		else kept.set(text, [node]);
	}
	const nodes = parts.map(({ text }) => kept.get(text)?.shift());
	const missing = parts.filter((_, i) => !nodes[i]);
	const parsed = parser.parseFromString(`${head}${missing.map((p) => p.text).join("")}</svg>`, "image/svg+xml").documentElement;
	if (parsed.childElementCount !== missing.length) {
		// A drawing that is laid out otherwise is shown all the same.
		laid.delete(root);
		root.replaceChildren(document.importNode(parser.parseFromString(plain, "image/svg+xml").documentElement, true));
	} else {
		// A part that has changed is made over in its place, so that it keeps the focus.
		const over = new Map<string, Element>();
		for (const node of [...kept.values()].flat()) over.set(node.getAttribute("data-space") ?? "", node);
		over.delete("");
		const fresh = [...parsed.children].values();
		const made = nodes.map((node) => {
			if (node) return node;
			const next = fresh.next().value as Element;
			const old = over.get(next.getAttribute("data-space") ?? "");
			if (!old) return document.importNode(next, true);
			over.delete(next.getAttribute("data-space") ?? "");
			morph(old, next);
			return old;
		});
		for (const [i, node] of made.entries()) put(node, "data-action", parts[i]?.actions ?? "");
		let svg = before.head ? root.firstElementChild : null;
		if (!svg) {
			svg = document.importNode(parsed, false);
			root.replaceChildren(svg);
		} else if (before.head !== head) {
			for (const { name, value } of [...parsed.attributes]) svg.setAttribute(name, value);
		}
		place(svg, made);
		laid.set(root, { head, parts: parts.map(({ text }, i) => ({ text, node: made[i] as Element })) });
	}
	const sheets = [sheet(style), sheet(ownStyle)];
	if (sheets.some((s, i) => root.adoptedStyleSheets[i] !== s)) root.adoptedStyleSheets = sheets;
	for (const e of root.querySelectorAll("[role=button]:not([data-action])")) {
		e.removeAttribute("role");
		e.removeAttribute("tabindex");
	}
	let first = true;
	for (const e of root.querySelectorAll("[data-action]")) {
		put(e, "role", "button");
		put(e, "tabindex", first ? "0" : "-1");
		first = false;
	}
}

/** Sets an attribute that is not so already, or removes it where the value is "". */
function put(e: Element, name: string, value: string): void {
	if ((e.getAttribute(name) ?? "") === value) return;
	if (value) e.setAttribute(name, value);
	else e.removeAttribute(name);
}

const meaning = /^(<g [^>]*?) data-action="([^"]*)"/;

/** The text of the root's start tag, and the elements right below it. */
function cut(plain: string): { head: string; parts: Part[] } {
	const end = plain.indexOf(">") + 1;
	const parts: Part[] = [];
	const last = plain.lastIndexOf("</svg>");
	let depth = 0;
	let from = end;
	for (let at = end; at < last; ) {
		let to = plain.indexOf("\n", at);
		if (to < 0 || to > last) to = last;
		for (let tag = plain.indexOf("<", at); tag >= 0 && tag < to; tag = plain.indexOf("<", tag + 1)) {
			if (plain.startsWith("</g>", tag)) depth--;
			else if (plain.startsWith("<g ", tag) || plain.startsWith("<g>", tag)) depth++;
		}
		at = to + 1;
		if (depth > 0) continue;
		let text = plain.slice(from, to).trim();
		from = at;
		if (!text) continue;
		const means = meaning.exec(text);
		if (means) text = `${means[1] ?? ""}${text.slice(means[0].length)}`;
		parts.push({ text, actions: means?.[2] ?? "" });
	}
	return { head: plain.slice(0, end), parts };
}

/** Makes the nodes the children of the element, in their order, and moves only what must. */
function place(parent: Element, nodes: Element[]): void {
	const wanted = new Set(nodes);
	for (const old of [...parent.childNodes]) if (!wanted.has(old as Element)) old.remove();
	let at = parent.firstChild;
	for (const node of nodes) {
		if (node === at) at = at.nextSibling;
		else parent.insertBefore(node, at);
	}
}

function sheet(text: string): CSSStyleSheet {
	let s = sheets.get(text);
	if (!s) {
		s = new CSSStyleSheet();
		s.replaceSync(text);
		sheets.set(text, s);
	}
	return s;
}

/** Attributes that are kept up apart from the text of a part. */
const ours = new Set(["data-action", "role", "tabindex"]);

/** Makes the element from like to, keeping what is alike. */
function morph(from: Element, to: Element): void {
	for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !ours.has(name)) from.removeAttribute(name);
	for (const { name, value } of [...to.attributes]) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
	const [a, b] = [[...from.childNodes], [...to.childNodes]];
	for (const [i, next] of b.entries()) {
		const old = a[i];
		if (!old) {
			from.append(document.importNode(next, true));
		} else if (old.isEqualNode(next)) {
			continue;
		} else if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName) {
			old.replaceWith(document.importNode(next, true));
		} else if (next instanceof Element && old instanceof Element) {
			morph(old, next);
		} else if (old.nodeValue !== next.nodeValue) {
			old.nodeValue = next.nodeValue;
		}
	}
	for (const old of a.slice(b.length)) old.remove();
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
