// Seats that travel: from one device to another by a link or a code.
import { useEffect, useState } from "preact/hooks";
import { get, post, tablePath } from "./api";
import type { Eyes } from "./hub";
import { Dialog } from "./dialogs";
import { remember } from "./memory";
import { strings } from "./strings";
import type { Screen } from "./types";

/** The link that opens a seat. What stands behind # reaches no server and no log of one. */
const linkOf = (eyes: Eyes): string => `${location.origin}/table/${eyes.id}#${new URLSearchParams({ key: eyes.token }).toString()}`;

/** A button that opens both ways to take a seat along. */
export function Carry(props: { eyes: Eyes }) {
	const { eyes } = props;
	const [open, setOpen] = useState(false);
	const [code, setCode] = useState<{ code: string; minutes: number }>();
	const [note, setNote] = useState("");
	useEffect(() => {
		if (!open) return;
		setCode(undefined);
		setNote("");
		const fail = (why: unknown) => setNote(why instanceof Error ? why.message : strings.failed);
		post<{ code: string; minutes: number }>(tablePath(eyes, "/carry"), {}, eyes.token).then(setCode, fail);
	}, [open]);
	const link = linkOf(eyes);
	return (
		<>
			<button onClick={() => setOpen(true)}>{strings.carry}</button>
			{open && (
				<Dialog title={strings.carry} onClose={() => setOpen(false)}>
					<p>{strings.carryHelp}</p>
					<p class="code" aria-label={strings.code}>
						{code ? `${code.code.slice(0, 5)} ${code.code.slice(5)}` : strings.loading}
					</p>
					{code && <p class="note">{strings.codeHelp(code.minutes)}</p>}
					<label class="carrylink">
						{strings.carryLink} <input readOnly value={link} onFocus={(e) => e.currentTarget.select()} />
					</label>
					<button
						onClick={() =>
							navigator.clipboard.writeText(link).then(
								() => setNote(strings.copied),
								() => setNote(strings.failed),
							)
						}
					>
						{strings.copy}
					</button>
					<p role="status">{note}</p>
				</Dialog>
			)}
		</>
	);
}

/** A line of the lobby that takes a code. */
export function Arrive() {
	const [code, setCode] = useState("");
	const [problem, setProblem] = useState("");
	const go = async (e: Event) => {
		e.preventDefault();
		try {
			const s = await post<{ id: string; seat: number; token: string; title: string; game: string }>("/api/carry", { code });
			remember({ id: s.id, title: s.title, game: s.game, at: Date.now(), tokens: { [String(s.seat)]: s.token } });
			location.assign(`/table/${s.id}`);
		} catch (why) {
			setProblem(why instanceof Error ? why.message : strings.failed);
		}
	};
	return (
		<form class="arrive" onSubmit={(e) => void go(e)}>
			<label>
				{strings.codeTake}{" "}
				<input
					value={code}
					autocomplete="off"
					autocapitalize="characters"
					spellcheck={false}
					maxLength={20}
					required
					onInput={(e) => setCode(e.currentTarget.value)}
				/>
			</label>
			<button>{strings.go}</button>
			<p role="alert" class="problem">{problem}</p>
		</form>
	);
}

/** Takes the seat that stands in the address of a table, and takes it out of the address. */
export async function takeFromAddress(id: string): Promise<void> {
	const q = new URLSearchParams(location.hash.slice(1));
	const token = q.get("key");
	if (!token) return;
	history.replaceState(null, "", location.pathname + location.search);
	const s = await get<Screen>(`/api/tables/${id}`, token);
	remember({ id, title: s.title, game: s.game, at: Date.now(), tokens: { [String(s.seat)]: token } });
}
