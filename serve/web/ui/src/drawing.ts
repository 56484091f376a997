// Lays drawings into the board's shadow tree: each new one over the one before, panel by panel and part by
// part, so that what has not changed stays, and so do focus and place.
const parser = new DOMParser();
const sheets = new Map<string, CSSStyleSheet>();

/** A panel of a drawing: what is played on, what is held, what stands beside it (env/drawing/sheet). */
export interface Panel {
	name: string;
	title: string;
	/** Where it lies in the whole drawing. */
	x: number;
	y: number;
	w: number;
	h: number;
}

/** A drawing with its panels. One that has none is a board by itself. */
interface Drawing {
	w: number;
	h: number;
	panels: (Panel & { head: string; content: string })[];
}

/** A part of a panel: the text of an element right below its root, without what it means. */
interface Part {
	text: string;
	/** The actions that the element means, "" for none. */
	actions: string;
}

/** The parts of a panel that is shown, each with its element. */
interface Laid {
	head: string;
	parts: { text: string; node: Element }[];
}
const laid = new WeakMap<Element, Laid>();

/** Lays a drawing over the one that the tree shows, and returns the size of the whole and its panels. */
export function lay(root: ShadowRoot, drawing: string, ownStyle: string): { w: number; h: number; panels: Panel[] } {
	let style = "";
	const plain = drawing.replace(/<style>([^<]*)<\/style>\n?/, (_, text: string) => {
		style = text.replaceAll("&gt;", ">").replaceAll("&amp;", "&");
		return "";
	});
	const { w, h, panels } = split(plain);
	let table = root.querySelector<HTMLElement>(".table");
	if (!table) {
		table = document.createElement("div");
		table.className = "table";
		root.replaceChildren(table);
	}
	const holders = new Map([...table.children].map((e) => [(e as HTMLElement).dataset.panel ?? "", e as HTMLElement]));
	const shown = panels.map((p) => {
		const holder = holders.get(p.name) ?? document.createElement("div");
		holder.className = "panel";
		holder.dataset.panel = p.name;
		layPanel(holder, p.head, p.content);
		return holder;
	});
	place(table, shown);
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
	return { w, h, panels: panels.map(({ name, title, x, y, w, h }) => ({ name, title, x, y, w, h })) };
}

const opening = '\n<svg data-panel="';
const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
const numbers = (text: string) => text.split(" ").map(Number) as [number, number, number, number];
const plainText = (escaped: string) => escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Splits a drawing into its panels, each with a start tag like that of the whole. */
function split(plain: string): Drawing {
	const end = plain.indexOf(">") + 1;
	const head = plain.slice(0, end);
	const [, , w, h] = numbers(attribute(head, "viewBox"));
	const panels: Drawing["panels"] = [];
	let to = end;
	for (let from = plain.indexOf(opening, to - 1); from >= 0; from = plain.indexOf(opening, to)) {
		const begin = plain.indexOf(">", from) + 1;
		const tag = plain.slice(from, begin);
		to = plain.indexOf("\n</svg>", begin - 1);
		const box = attribute(tag, "viewBox");
		const [x, y, width, height] = numbers(box);
		const title = attribute(tag, "data-title");
		panels.push({
			...{ name: attribute(tag, "data-panel"), title: plainText(title), x, y, w: width, h: height },
			head: head.replace(/ viewBox="[^"]*"/, ` viewBox="${box}"`).replace(/ aria-label="[^"]*"/, ` aria-label="${title}"`),
			content: plain.slice(begin, to),
		});
	}
	if (panels.length === 0) {
		panels.push({ name: "board", title: plainText(attribute(head, "aria-label")), x: 0, y: 0, w, h, head, content: plain.slice(end, plain.lastIndexOf("</svg>")) });
	}
	return { w, h, panels };
}

/**
 * Lays a panel over the one that its holder shows. To parse all of a large map takes longer
 * than all the rest, so only those of its parts (the elements right below the root) are
 * parsed whose text is new; the others stay as they are, but for the actions that they mean.
 */
function layPanel(holder: Element, head: string, content: string): void {
	const parts = cut(content);
	const before = laid.get(holder) ?? { head: "", parts: [] };
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
		laid.delete(holder);
		holder.replaceChildren(document.importNode(parser.parseFromString(`${head}${content}</svg>`, "image/svg+xml").documentElement, true));
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
		let svg = before.head ? holder.firstElementChild : null;
		if (!svg) {
			svg = document.importNode(parsed, false);
			holder.replaceChildren(svg);
		} else if (before.head !== head) {
			for (const { name, value } of [...parsed.attributes]) svg.setAttribute(name, value);
		}
		place(svg, made);
		laid.set(holder, { head, parts: parts.map(({ text }, i) => ({ text, node: made[i] as Element })) });
	}
}

/** Sets an attribute that is not so already, or removes it where the value is "". */
function put(e: Element, name: string, value: string): void {
	if ((e.getAttribute(name) ?? "") === value) return;
	if (value) e.setAttribute(name, value);
	else e.removeAttribute(name);
}

const meaning = /^(<g [^>]*?) data-action="([^"]*)"/;

/** The elements right below the root of a panel. */
function cut(content: string): Part[] {
	const parts: Part[] = [];
	const last = content.length;
	let depth = 0;
	let from = 0;
	for (let at = 0; at < last; ) {
		let to = content.indexOf("\n", at);
		if (to < 0) to = last;
		for (let tag = content.indexOf("<", at); tag >= 0 && tag < to; tag = content.indexOf("<", tag + 1)) {
			if (content.startsWith("</g>", tag)) depth--;
			else if (content.startsWith("<g ", tag) || content.startsWith("<g>", tag)) depth++;
		}
		at = to + 1;
		if (depth > 0) continue;
		let text = content.slice(from, to).trim();
		from = at;
		if (!text) continue;
		const means = meaning.exec(text);
		if (means) text = `${means[1] ?? ""}${text.slice(means[0].length)}`;
		parts.push({ text, actions: means?.[2] ?? "" });
	}
	return parts;
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
