// The screens of a game as they come, by the stream that all tabs share.
import { type Ear, type Eyes, hub } from "./hub";
import type { Said, Told } from "./shared";

type Listen = (eyes: Eyes, ear: Ear) => () => void;

/** How this page listens: by the worker, by itself where there is none. */
let way: Listen | undefined;

export const listening: Listen = (eyes, ear) => (way ??= byWorker() ?? hub())(eyes, ear);

/** Listens by the worker, undefined where there can be none. Of another program's worker the name would be another. */
function byWorker(): Listen | undefined {
	if (typeof SharedWorker === "undefined") return undefined;
	let worker: SharedWorker;
	try {
		worker = new SharedWorker("/assets/shared.js", { name: "powderkeg stream 1" });
	} catch {
		return undefined;
	}
	const { port } = worker;
	const ears = new Map<number, { eyes: Eyes; ear: Ear }>();
	const say = (said: Said) => port.postMessage(said);
	let n = 0;
	let own: Listen | undefined; // where the worker fails
	const ends = new Map<number, () => void>();
	port.onmessage = ({ data: told }: MessageEvent<Told>) => {
		const ear = ears.get(told.to)?.ear;
		if (!ear) return;
		if ("screen" in told) ear.screen(told.screen);
		else if ("connected" in told) ear.connected(told.connected);
		else ear.refused(...told.refused);
	};
	worker.onerror = () => {
		own ??= hub();
		for (const [to, { eyes, ear }] of ears) ends.set(to, own(eyes, ear));
	};
	const lock = `powderkeg tab ${Math.random()}`;
	void navigator.locks?.request(lock, () => {
		say({ lock });
		return new Promise(() => undefined); // as long as the tab lives
	});
	addEventListener("pagehide", () => ears.forEach((_, to) => say({ leave: to })));
	addEventListener("pageshow", (e) => e.persisted && ears.forEach(({ eyes }, to) => say({ listen: to, eyes })));
	return (eyes, ear) => {
		const to = n++;
		ears.set(to, { eyes, ear });
		if (own) ends.set(to, own(eyes, ear));
		else say({ listen: to, eyes });
		return () => {
			ears.delete(to);
			ends.get(to)?.();
			ends.delete(to);
			if (!own) say({ leave: to });
		};
	};
}
