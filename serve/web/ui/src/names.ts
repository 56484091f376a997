// Names on a map that has more of them than fit: those for which there is room are written in letters that can be
// read, the others when the map is enlarged.

/** The least size of letters, in pixels. */
export const readable = 11;

interface Room {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const apart = (a: Room, b: Room) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
const family = "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
let pen: CanvasRenderingContext2D | null | undefined;

/** Writes the names of a drawing (env/drawing/svg, Place) that would be too small to read where they stand. */
export function writeNames(root: ShadowRoot): void {
	root.querySelector(".names")?.remove();
	const names = [...root.querySelectorAll<SVGTextElement>("text[data-name]")];
	const svg = names[0]?.closest("svg");
	if (!svg) return;
	const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
	const own = names.every((e) => Number(e.getAttribute("font-size")) * scale >= readable && e.textContent === e.dataset.name);
	for (const e of names) e.style.visibility = own ? "" : "hidden";
	if (own || !(scale > 0)) return;
	pen ??= document.createElement("canvas").getContext("2d");
	if (!pen) return;
	const size = readable / scale; // in units of the drawing
	pen.font = `600 100px ${family}`;
	const taken: Room[] = [];
	// What may not be covered: pieces, and the circles of the places themselves.
	for (const e of svg.querySelectorAll<SVGGraphicsElement>("[data-piece],[data-space]>circle")) {
		const b = e.getBBox();
		taken.push({ left: b.x, top: b.y, right: b.x + b.width, bottom: b.y + b.height });
	}
	const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
	layer.setAttribute("class", "names");
	layer.setAttribute("aria-hidden", "true");
	const box = svg.viewBox.baseVal;
	const ranked = names.map((e) => ({ e, rank: Number(e.dataset.rank) || 9 })).sort((a, b) => a.rank - b.rank);
	for (const { e } of ranked) {
		const name = e.dataset.name ?? "";
		const w = (1.06 * pen.measureText(name).width * size) / 100; // small letters are wider
		const [x, y] = [Number(e.getAttribute("x")), Number(e.getAttribute("y"))];
		const [low, high, beside] = [size * 0.85, -31 - size * 0.25, 15 + w / 2];
		// Below its place, above it, and on both sides.
		for (const [dx, dy] of [[0, low], [0, high], [beside, -size * 0.4], [-beside, -size * 0.4], [beside * 0.7, low], [-beside * 0.7, low], [beside * 0.7, high], [-beside * 0.7, high]] as const) {
			const room = { left: x + dx - w / 2, right: x + dx + w / 2, top: y + dy - size * 0.8, bottom: y + dy + size * 0.25 };
			if (room.left < box.x || room.right > box.x + box.width || room.top < box.y || room.bottom > box.y + box.height) continue;
			if (!taken.every((t) => apart(t, room))) continue;
			taken.push(room);
			const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
			text.setAttribute("x", String(x + dx));
			text.setAttribute("y", String(y + dy));
			text.setAttribute("font-size", String(size));
			text.textContent = name;
			layer.append(text);
			break;
		}
	}
	svg.append(layer);
}
