// The one key map of the table. A key means nothing while a text is being typed, with a
// modifier, or under a dialog, where Escape alone counts.
import { useEffect, useRef } from "preact/hooks";

export interface KeyMap {
	[key: string]: (() => void) | ((n: number) => void);
	digit: (n: number) => void;
}

export function useKeys(map: KeyMap): void {
	const now = useRef(map);
	now.current = map;
	useEffect(() => {
		const press = (e: KeyboardEvent) => {
			if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
			const at = e.target as HTMLElement;
			const typing = at.matches?.("input:not([type=checkbox]):not([type=radio]):not([type=range]),select,textarea");
			if (typing) {
				if (e.key === "Escape") at.blur();
				return;
			}
			if (document.querySelector("dialog[open]")) return;
			if (/^[1-9]$/.test(e.key)) {
				e.preventDefault();
				return now.current.digit(Number(e.key));
			}
			const does = now.current[e.key] as (() => void) | undefined;
			if (does && e.key !== "digit") {
				e.preventDefault();
				does();
			}
		};
		addEventListener("keydown", press);
		return () => removeEventListener("keydown", press);
	}, []);
}
