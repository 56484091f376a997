// Tells who looks elsewhere that it is their turn: in the title and the icon of the page, and by a sound
// and a notification of the browser for those who want them.
import { useEffect, useRef, useState } from "preact/hooks";
import { set, setting } from "./memory";
import { strings } from "./strings";

export interface Notices {
	sound: boolean;
	setSound: (on: boolean) => void;
	/** Whether the browser shows notifications at all. */
	shows: boolean;
	note: boolean;
	setNote: (on: boolean) => void;
}

/** Browsers let a page sound once somebody has touched it, so that one is made where the box is ticked. */
let speaker: AudioContext | undefined;

/** Two notes, a fifth apart. */
function chime(): void {
	speaker ??= new AudioContext();
	void speaker.resume();
	for (const [i, pitch] of [440, 660].entries()) {
		const at = speaker.currentTime + i * 0.16;
		const tone = speaker.createOscillator();
		const volume = speaker.createGain();
		tone.frequency.value = pitch;
		volume.gain.setValueAtTime(0.12, at);
		volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
		tone.connect(volume).connect(speaker.destination);
		tone.start(at);
		tone.stop(at + 0.3);
	}
}

const shows = typeof Notification !== "undefined";

/**
 * Notices that a turn begins at a table with such a title, where number counts the screens; turn is
 * undefined before there is one. A table that has just been opened tells nobody. Bots that answer at once
 * leave no screen between one's own: there is no sound then, and who has looked away all the same is told.
 */
export function useNotices(turn: boolean | undefined, number: number, title: string): Notices {
	const [sound, setSound] = useState(setting("sound", "") === "on");
	const [note, setNote] = useState(shows && setting("notify", "") === "on" && Notification.permission === "granted");
	const before = useRef<{ turn: boolean; number: number } | undefined>(undefined);
	useEffect(() => {
		if (turn === undefined) return;
		document.title = `${turn ? "● " : ""}${title}`;
		document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", `/assets/${turn ? "turn" : "icon"}.svg`);
		const last = before.current;
		before.current = { turn, number };
		if (!turn || !last || last.number === number) return;
		if (sound && !last.turn) chime();
		if (!note || !document.hidden) return;
		const shown = new Notification(title, { body: strings.yourTurn, icon: "/assets/turn.svg", tag: location.pathname });
		shown.onclick = () => {
			window.focus();
			shown.close();
		};
	}, [turn, number, title]);
	return {
		sound,
		setSound: (on) => {
			set("sound", on ? "on" : "");
			setSound(on);
			if (on) chime();
		},
		shows,
		note,
		setNote: (on) => {
			if (!on) {
				set("notify", "");
				return setNote(false);
			}
			void Notification.requestPermission().then((answer) => {
				set("notify", answer === "granted" ? "on" : "");
				setNote(answer === "granted");
			});
		},
	};
}
