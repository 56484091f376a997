// A click that was aimed at one question does not answer the next.
import { useEffect, useRef } from "preact/hooks";

/** For so long after a move, or after a question has changed where the pointer is, a click was meant for what was there before, in ms. */
const settle = 400;
/** A pointer has moved when it has gone so far, in px. */
const still = 10;
/** What a move is chosen by. */
const movers = ".choices, #board";

/**
 * Keeps clicks away that come too soon after a move, or that were aimed at another question than
 * that of the screen with this number. What it returns is to be called when a
 * move is made, or when a click has brought up something else to click.
 */
export function useSteady(number: number | undefined): () => void {
	const moved = useRef(-Infinity);
	const changed = useRef({ number, at: -Infinity, x: NaN, y: NaN });
	// pressed is the number of the screen at which a click has begun, undefined where none has.
	const pointer = useRef<{ x: number; y: number; pressed?: number | undefined }>({ x: NaN, y: NaN });
	if (changed.current.number !== number) changed.current = { number, at: performance.now(), x: pointer.current.x, y: pointer.current.y };
	useEffect(() => {
		const follow = (e: PointerEvent) => {
			pointer.current = { x: e.clientX, y: e.clientY, pressed: e.type === "pointerdown" ? changed.current.number : pointer.current.pressed };
		};
		const click = (e: MouseEvent) => {
			const by = changed.current;
			const pressed = pointer.current.pressed ?? by.number; // some aids click without pressing
			pointer.current.pressed = undefined;
			if (e.detail === 0 || !e.composedPath().some((n) => n instanceof Element && n.matches(movers))) return; // by a key, or no move
			const under = Math.hypot(e.clientX - by.x, e.clientY - by.y) < still;
			const soon = e.timeStamp - moved.current < settle || (under && e.timeStamp - by.at < settle);
			if (soon || pressed !== by.number) {
				e.stopPropagation();
				e.preventDefault();
			}
		};
		addEventListener("pointermove", follow, true);
		addEventListener("pointerdown", follow, true);
		addEventListener("click", click, true);
		return () => {
			removeEventListener("pointermove", follow, true);
			removeEventListener("pointerdown", follow, true);
			removeEventListener("click", click, true);
		};
	}, []);
	return () => {
		moved.current = performance.now();
	};
}
