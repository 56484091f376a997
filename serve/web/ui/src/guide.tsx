// What a guided first game says, above the choices.
import { useEffect, useRef } from "preact/hooks";
import { post, tablePath } from "./api";
import type { Eyes } from "./hub";
import { strings } from "./strings";
import type { Guide as Says } from "./types";

interface Props {
	guide: Says;
	eyes: Eyes;
	onRule: (number: string) => void;
	onNote: (text: string) => void;
}

export function Guide(props: Props) {
	const { guide, eyes } = props;
	const box = useRef<HTMLElement>(null);
	useEffect(() => box.current?.scrollIntoView?.({ block: "nearest" }), [guide.text]);
	const fail = (why: unknown) => props.onNote(why instanceof Error ? why.message : strings.failed);
	const on = () => void post(tablePath(eyes, "/guide"), {}, eyes.token).catch(fail);
	return (
		<section ref={box} class={guide.off ? "guide off" : "guide"} aria-label={strings.guide}>
			<p class="note">
				{guide.done ? strings.guideDone : strings.guideStep(guide.step, guide.steps)} {guide.free && !guide.off && strings.guideFree}
			</p>
			<p aria-live="polite">
				{guide.text}{" "}
				{guide.rule && (
					<button class="rule" onClick={() => props.onRule(guide.rule)}>
						{guide.rule}
					</button>
				)}
			</p>
			{!guide.done && <button class={guide.off ? "main" : ""} onClick={on}>{guide.off ? strings.guideOn : strings.guideShow}</button>}
		</section>
	);
}
