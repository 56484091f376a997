// Where the panels of a drawing lie on the screen.
import type { Panel } from "./drawing";

export interface Composition {
	/** The size of it all, in pixels. */
	width: number;
	height: number;
	/** In pixels, by the name of the panel; a panel that is folded away has none. */
	places: Map<string, { x: number; y: number; w: number; h: number }>;
}

/** What a drawing is enlarged to at most: beyond that a small game fills a screen with nothing. */
const largest = 2.2;

/** The panels that stay when the others are folded away. */
const lasting = new Set(["board", "hand"]);

/**
 * Fits panels into a room: as the drawing composes them or, where the rest is folded away, the hand below
 * a board that takes all the room that is left.
 */
export function compose(whole: { w: number; h: number }, panels: Panel[], room: { w: number; h: number }, folded: boolean): Composition {
	const scale = Math.min(room.w / whole.w, room.h / whole.h, largest);
	const places: Composition["places"] = new Map();
	const board = panels.find((p) => p.name === "board");
	if (!folded || !board) {
		for (const p of panels) places.set(p.name, { x: p.x * scale, y: p.y * scale, w: p.w * scale, h: p.h * scale });
		return { width: whole.w * scale, height: whole.h * scale, places };
	}
	const hand = panels.find((p) => p.name === "hand");
	const held = hand ? Math.min(scale, room.w / hand.w) : 0;
	const below = hand ? hand.h * held : 0;
	const large = Math.min(room.w / board.w, (room.h - below) / board.h, largest);
	const width = Math.max(board.w * large, hand ? hand.w * held : 0);
	places.set("board", { x: (width - board.w * large) / 2, y: 0, w: board.w * large, h: board.h * large });
	if (hand) places.set("hand", { x: 0, y: board.h * large, w: hand.w * held, h: below });
	return { width, height: board.h * large + below, places };
}

/** Reports whether there is something that can be folded away. */
export const foldable = (panels: Panel[]): boolean => panels.some((p) => !lasting.has(p.name));
