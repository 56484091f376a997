// The worker that the tabs of a browser share, and what a tab and it say to each other.
import { type Eyes, hub } from "./hub";

/** What a tab says: who listens from now on, by a number of its own, or who does not any more. A lock is held while the tab lives. */
export type Said = { listen: number; eyes: Eyes } | { leave: number } | { lock: string };

/** What it is told, with the number of who listens. */
export type Told = { to: number } & ({ screen: string } | { connected: boolean } | { refused: [status: number, code: string, text: string] });

const listen = hub();

(globalThis as unknown as { onconnect: (e: MessageEvent) => void }).onconnect = ({ ports: [port] }) => {
	if (!port) return;
	const ends = new Map<number, () => void>();
	const tell = (told: Told) => port.postMessage(told);
	port.onmessage = ({ data: said }: MessageEvent<Said>) => {
		if ("lock" in said) {
			// Whoever waits for the lock has it when the tab has gone, however it went.
			void navigator.locks?.request(said.lock, () => ends.forEach((end) => end()));
		} else if ("leave" in said) {
			ends.get(said.leave)?.();
			ends.delete(said.leave);
		} else {
			const to = said.listen;
			ends.set(
				to,
				listen(said.eyes, {
					screen: (screen) => tell({ to, screen }),
					connected: (connected) => tell({ to, connected }),
					refused: (...refused) => tell({ to, refused }),
				}),
			);
		}
	};
};
