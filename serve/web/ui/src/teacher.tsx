// The value bar and the review of a game.
import { strings } from "./strings";
import type { Advice, Review } from "./types";

const percent = (v: number): number => Math.round(v * 100);

/** The bar has its place also where there is nothing to tell, so that nothing jumps. */
export function ValueBar(props: { advice: Advice | undefined }) {
	const { advice } = props;
	if (!advice) return <div class="valuebar" />;
	const text = advice.value === null ? strings.valueUnknown : strings.value(percent(advice.value));
	return (
		<div class="valuebar" title={strings.searched(advice)}>
			<meter min={0} max={1} value={advice.value ?? 0} aria-label={strings.always} aria-valuetext={text} />
			<span>{text}</span>
			<small>{strings.worlds(advice.worlds)}</small>
		</div>
	);
}

export function ReviewPanel(props: { review: Review; step: number; onStep: (step: number) => void; onMistake: () => void }) {
	const { decisions } = props.review;
	const judged = decisions.filter((d) => d.value !== null);
	const costly = decisions.filter((d) => d.mistake).toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0));
	return (
		<section class="review" aria-labelledby="review">
			<h2 id="review">{strings.review}</h2>
			<p class="note">{strings.reviewBy(props.review.by, props.review.whole)}</p>
			{judged.length === 0 ? <p>{strings.reviewNone}</p> : <Graph {...props} />}
			{costly.length > 0 && (
				<>
					<h3>{strings.costly}</h3>
					<ol class="costly">
						{costly.slice(0, 6).map((d) => (
							<li key={d.step}>
								<button class="line" onClick={() => props.onStep(d.step)}>
									<b>{strings.cost(percent(d.cost ?? 0))}</b>: {d.played}; {strings.better(d.best)}
								</button>
							</li>
						))}
					</ol>
					<button onClick={props.onMistake}>{strings.mistake}</button>
				</>
			)}
		</section>
	);
}

const width = 320;
const height = 90;

function Graph(props: { review: Review; step: number; onStep: (step: number) => void }) {
	const points = props.review.decisions.flatMap((d, i) => (d.value === null ? [] : [{ d, i }]));
	const last = Math.max(1, props.review.decisions.length - 1);
	const x = (i: number) => (i / last) * (width - 12) + 6;
	const y = (v: number) => 4 + (1 - v) * (height - 8);
	return (
		<svg class="graph" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={strings.graph}>
			<line x1={0} x2={width} y1={y(0.5)} y2={y(0.5)} class="middle" />
			<polyline points={points.map(({ d, i }) => `${x(i).toFixed(1)},${y(d.value ?? 0).toFixed(1)}`).join(" ")} />
			{points.map(({ d, i }) => (
				<circle
					key={i}
					cx={x(i)}
					cy={y(d.value ?? 0)}
					r={d.mistake ? 4 + 10 * (d.cost ?? 0) : 2}
					class={(d.mistake ? "mistake" : "") + (d.step === props.step ? " here" : "")}
					onClick={() => props.onStep(d.step)}
				>
					<title>{`${d.played}: ${percent(d.value ?? 0)}%`}</title>
				</circle>
			))}
		</svg>
	);
}
