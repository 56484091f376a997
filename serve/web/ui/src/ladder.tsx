// The bots of a game by strength, and how one's own games with each of them came out.
import { strings } from "./strings";
import { tallyOf } from "./tally";
import type { Offer } from "./types";

export function Ladder(props: { game: Offer }) {
	const { game } = props;
	const rungs = game.opponents
		.map((o) => ({ ...o, tally: tallyOf(game.name, o.agent) }))
		.filter((o) => o.agent.startsWith("level:") || o.tally.earnest.played + o.tally.practice.played > 0);
	if (rungs.length === 0) return null;
	return (
		<table class="ladder">
			<caption>{strings.ladder}</caption>
			<thead>
				<tr>
					<th scope="col">{strings.ladderBot}</th>
					<th scope="col">{strings.ladderRating}</th>
					<th scope="col">{strings.ladderWon}</th>
					<th scope="col">{strings.ladderPractice}</th>
				</tr>
			</thead>
			<tbody>
				{rungs.map((o) => (
					<tr key={o.agent} data-agent={o.agent}>
						<th scope="row">{strings.rung(strings.levels[o.level] ?? o.level, o.agent)}</th>
						<td>{o.elo ?? strings.unrated}</td>
						<td>{strings.wonOf(o.tally.earnest)}</td>
						<td>{strings.wonOf(o.tally.practice)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
