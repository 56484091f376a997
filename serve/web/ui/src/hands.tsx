// What a decision is worth against what the others may hold, or really do.
import { useEffect, useState } from "preact/hooks";
import { capital } from "./actions";
import { get, tablePath } from "./api";
import type { Eyes } from "./hub";
import { Dialog } from "./dialogs";
import { strings } from "./strings";
import type { Advice, Deal } from "./types";

/** How many of the actions are listed. */
const listed = 12;

/** Step is that of the decision, below 0 for now. */
export function Hands(props: { eyes: Eyes; step: number; name: (seat: number) => string; onClose: () => void }) {
	const { eyes, step } = props;
	const [word, setWord] = useState("");
	const [deals, setDeals] = useState<Deal[]>();
	const [chosen, setChosen] = useState<number>();
	const [against, setAgainst] = useState<Advice>();
	const [note, setNote] = useState("");
	const say = (why: unknown) => setNote(why instanceof Error ? why.message : strings.failed);
	useEffect(() => {
		const wait = setTimeout(() => get<Deal[]>(tablePath(eyes, "/deals", { step, with: word }), eyes.token).then(setDeals, say), deals ? 250 : 0);
		return () => clearTimeout(wait);
	}, [word]);
	const choose = (deal: number) => {
		setChosen(deal);
		setAgainst(undefined);
		get<Advice>(tablePath(eyes, "/against", { step, deal }), eyes.token).then(setAgainst, say);
	};
	return (
		<Dialog title={strings.hands} class="wide" onClose={props.onClose}>
			<p class="note">{strings.handsHelp}</p>
			<p role="status" class="problem">
				{note}
			</p>
			<div class="hands">
				<fieldset class="deals">
					<legend>{strings.holds}</legend>
					<input type="search" aria-label={strings.holdsFind} placeholder={strings.holdsFind} value={word} onInput={(e) => setWord(e.currentTarget.value)} />
					{deals?.length === 0 && <p class="note">{strings.holdsNone}</p>}
					{deals?.map((d, i) => (
						<label key={d.deal} class="deal">
							<input type="radio" name="deal" checked={chosen === d.deal} onChange={() => choose(d.deal)} />
							<span>
								<b>{d.deal < 0 ? strings.truth : strings.deal(i + (deals[0]?.deal === -1 ? 0 : 1))}</b>
								{d.holds.map((h) => (
									<span key={h.seat} class="held">
										{props.name(h.seat)}
										{": "}
										{h.lines.join(" · ")}
									</span>
								))}
							</span>
						</label>
					))}
				</fieldset>
				<section aria-live="polite">
					<h3>{against ? strings.against(against.by) : strings.againstChoose}</h3>
					<Worth against={against} />
				</section>
			</div>
		</Dialog>
	);
}

function Worth(props: { against: Advice | undefined }) {
	const { against } = props;
	if (!against) return null;
	const rows = against.opinions.map((o, i) => ({ ...o, words: against.words?.[i] ?? "" }));
	rows.sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || b.share - a.share);
	return (
		<table>
			<thead>
				<tr>
					<th scope="col">{strings.choices}</th>
					<th scope="col">{strings.worth}</th>
					<th scope="col">{strings.would}</th>
				</tr>
			</thead>
			<tbody>
				{rows.slice(0, listed).map((o) => (
					<tr key={o.action}>
						<td>{capital(o.words)}</td>
						<td>{strings.worthOf(o)}</td>
						<td>{strings.percent(o.share)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
