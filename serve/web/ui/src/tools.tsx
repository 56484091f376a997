// What a seat can do beside choosing: take back, ask the teacher, and how it plays.
import type { Eyes } from "./hub";
import { Carry } from "./carry";
import type { Lesson } from "./lesson";
import type { Notices } from "./notice";
import type { Confirms } from "./preview";
import type { Tempo } from "./screens";
import { strings } from "./strings";
import type { Screen } from "./types";

interface Props {
	screen: Screen;
	eyes: Eyes;
	lesson: Lesson;
	forced: boolean;
	onForced: (on: boolean) => void;
	notices: Notices;
	/** The names that programs call actions by are shown. */
	names: boolean;
	onNames: (on: boolean) => void;
	confirms: Confirms;
	onConfirms: (to: Confirms) => void;
	tempo: Tempo;
	onTempo: (to: Tempo) => void;
	onUndo: () => void;
	/** Absent where there is no decision of the seat to look into. */
	onHands: (() => void) | undefined;
}

export function Tools(props: Props) {
	const { screen, lesson, notices } = props;
	const taught = screen.practice || screen.over !== undefined;
	const check = (on: boolean, label: string, does: (on: boolean) => void) => (
		<label class="check">
			<input type="checkbox" checked={on} onChange={(e) => does(e.currentTarget.checked)} /> {label}
		</label>
	);
	const pick = <T extends string>(label: string, words: Record<T, string>, value: T, does: (to: T) => void) => (
		<label class="check">
			{label}{" "}
			<select value={value} onChange={(e) => does(e.currentTarget.value as T)}>
				{Object.entries<string>(words).map(([to, word]) => (
					<option key={to} value={to}>
						{word}
					</option>
				))}
			</select>
		</label>
	);
	return (
		<div class="buttons">
			<button aria-disabled={screen.undo !== ""} title={strings.undoWhy[screen.undo] ?? ""} onClick={props.onUndo}>
				{strings.undo}
			</button>
			{screen.practice && (
				<button disabled={screen.prompt.player !== screen.seat} onClick={lesson.ask}>
					{strings.hint}
				</button>
			)}
			{taught && (
				<button disabled={lesson.reviewing} onClick={lesson.read}>
					{lesson.reviewing ? strings.reviewing : strings.review}
				</button>
			)}
			{taught && screen.hidden && (
				<button disabled={!props.onHands} onClick={props.onHands}>
					{strings.handsOpen}
				</button>
			)}
			<details class="settings">
				<summary class="button">{strings.settings}</summary>
				<div>
					{screen.practice && check(lesson.bar, strings.always, lesson.setBar)}
					{check(props.forced, strings.forced, props.onForced)}
					{!screen.over && check(notices.sound, strings.sound, notices.setSound)}
					{!screen.over && notices.shows && check(notices.note, strings.notify, notices.setNote)}
					{check(props.names, strings.machineNames, props.onNames)}
					{pick(strings.confirms, strings.confirmed, props.confirms, props.onConfirms)}
					{pick(strings.tempo, strings.tempos, props.tempo, props.onTempo)}
					<Carry eyes={props.eyes} />
				</div>
			</details>
		</div>
	);
}
