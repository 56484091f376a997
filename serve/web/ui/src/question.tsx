// The line that says who decides what and why, and beside it what went wrong.
import { capital } from "./actions";
import { type Foresight, foretold } from "./preview";
import { strings } from "./strings";
import type { Screen, Told } from "./types";

interface Props {
	screen: Screen;
	past: Screen | undefined;
	/** What happened at a moment that is played back. */
	playback: Told[] | undefined;
	onSkip: () => void;
	/** Absent where nothing can be chosen. */
	foresight: Foresight | undefined;
	watching: string;
	note: string;
	onRule: (number: string) => void;
	/** Present where the person at a shared screen has only to pass it on. */
	onPass: (() => void) | undefined;
}

export function Question(props: Props) {
	const { screen, past } = props;
	const shown = past ?? screen;
	const over = shown.prompt.player < 0 ? shown.over : undefined;
	if (props.playback) {
		return (
			<div class="prompt played" role="status">
				<p>{props.playback.map((l) => l.text).join(". ")}</p>
				<button onClick={props.onSkip}>{strings.skipPlayback}</button>
			</div>
		);
	}
	const armed = props.foresight?.armed;
	if (armed) {
		const words = screen.legal.find((c) => c.action === armed.action)?.words ?? "";
		return (
			<div class="prompt played" role="status">
				<p>
					<b>{capital(words)}</b> {armed.preview && foretold(armed.preview)}
				</p>
				<span class="buttons">
					<button class="main" onClick={() => props.foresight?.choose(armed.action)}>
						{strings.doIt}
					</button>
					<button onClick={props.foresight?.disarm}>{strings.cancel}</button>
				</span>
			</div>
		);
	}
	return (
		<div class="prompt" role="status">
			<p>
				{past ? <b>{`${strings.past} ${strings.moment(past.step + 1, screen.steps)}. `}</b> : null}
				{over ? (
					<b>{strings.over(over.winners, screen.seats, screen.seat, over.together, over.draw)} </b>
				) : props.onPass ? (
					<>
						{strings.idle}{" "}
						<button class="main" onClick={props.onPass}>
							{strings.passOn}
						</button>
					</>
				) : (
					strings.prompt(shown.prompt, screen.seats, screen.seat)
				)}{" "}
				{shown.prompt.rule && !props.onPass && (
					<button class="rule" onClick={() => props.onRule(shown.prompt.rule)}>
						{shown.prompt.rule}
					</button>
				)}
				{props.watching && <span class="note"> {props.watching}</span>}
			</p>
			<p class="aside">{props.note}</p>
		</div>
	);
}
