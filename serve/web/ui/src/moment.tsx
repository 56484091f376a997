// What the teacher thinks of a moment that is past, and a game for practice from there.
import { useState } from "preact/hooks";
import { capital } from "./actions";
import { get, post, tablePath } from "./api";
import type { Eyes } from "./hub";
import { remember } from "./memory";
import { strings } from "./strings";
import type { Advice, Made, Screen } from "./types";

/** How many of the candidates are listed, besides what was chosen. */
const listed = 6;

export function Moment(props: { eyes: Eyes; past: Screen; name: (seat: number) => string; onNote: (text: string) => void }) {
	const { eyes, past } = props;
	const [advice, setAdvice] = useState<Advice>();
	const [busy, setBusy] = useState(false);
	const say = (why: unknown) => props.onNote(why instanceof Error ? why.message : strings.failed);
	const ask = () => {
		setBusy(true);
		get<Advice>(tablePath(eyes, "/hint", { step: past.step }), eyes.token)
			.then(setAdvice, say)
			.finally(() => setBusy(false));
	};
	const whatIf = () => {
		setBusy(true);
		post<Made>(tablePath(eyes, "/whatif"), { step: past.step }, eyes.token).then(
			(made) => {
				const tokens = Object.fromEntries(made.tokens.flatMap((t, p) => (t ? [[String(p), t]] : [])));
				remember({ id: made.id, title: past.title, game: past.game, at: Date.now(), tokens, apart: true });
				location.assign(`/table/${made.id}`);
			},
			(why: unknown) => {
				setBusy(false);
				say(why);
			},
		);
	};
	return (
		<section class="moment" aria-labelledby="moment">
			<h2 id="moment">{strings.candidates}</h2>
			<div class="buttons">
				<button onClick={ask} disabled={busy}>
					{advice ? strings.deeper : strings.candidatesAsk}
				</button>
				<button onClick={whatIf} disabled={busy}>
					{strings.whatIf}
				</button>
			</div>
			{advice && <Candidates advice={advice} name={props.name} />}
		</section>
	);
}

function Candidates(props: { advice: Advice; name: (seat: number) => string }) {
	const { advice } = props;
	const rows = advice.opinions.map((o, i) => ({ ...o, words: advice.words?.[i] ?? "" })).toSorted((a, b) => b.share - a.share);
	return (
		<>
			<p class="note">{strings.searched(advice)}</p>
			{advice.cost !== undefined && <p>{advice.mistake ? strings.cost(Math.round(advice.cost * 100)) : strings.noMistake}</p>}
			<table>
				<thead>
					<tr>
						<th scope="col">{strings.choices}</th>
						<th scope="col">{strings.worthThen}</th>
						<th scope="col">{strings.wouldThen}</th>
					</tr>
				</thead>
				<tbody>
					{rows.map((o, i) =>
						i < listed || o.action === advice.played ? (
							<tr key={o.action} class={o.action === advice.played ? "played" : ""}>
								<td>
									{capital(o.words)}
									{o.action === advice.played && <small>{strings.played}</small>}
								</td>
								<td>{strings.worthOf(o)}</td>
								<td>{strings.percent(o.share)}</td>
							</tr>
						) : null,
					)}
				</tbody>
			</table>
			{advice.line.length > 1 && (
				<>
					<h3>{strings.expected}</h3>
					<ol class="expected">
						{advice.line.map((s, i) => (
							<li key={i}>
								{props.name(s.seat)}: {s.words}
							</li>
						))}
					</ol>
				</>
			)}
		</>
	);
}
