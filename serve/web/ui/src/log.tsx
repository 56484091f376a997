// What has happened, told by events, each with the rule by which it did.
import { useEffect, useRef } from "preact/hooks";
import { strings } from "./strings";
import type { Told } from "./types";
import { pure } from "./pure";

interface Props {
	lines: Told[];
	more: boolean;
	shown: number | undefined;
	onMore: () => void;
	onRule: (number: string) => void;
	onStep: (step: number) => void;
	onAbout: (about: string[]) => void;
}

const nothing: string[] = [];

/**
 * The last line is in sight unless somebody has scrolled up: the style sheet sees to it. Of a moment that is
 * looked at, the lines are.
 */
export function Log(props: Props) {
	const list = useRef<HTMLOListElement>(null);
	useEffect(() => {
		const line = props.shown === undefined ? undefined : list.current?.querySelector(".shown");
		const box = list.current?.parentElement;
		// Only the log scrolls: scrollIntoView would move a page that is longer than its screen.
		if (line && box) box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
	}, [props.shown]);
	return (
		<section class="log" aria-labelledby="log">
			<h2 id="log" tabIndex={-1}>
				{strings.log}
			</h2>
			<div class="scroll" tabIndex={0} role="group" aria-labelledby="log">
				<ol ref={list}>
					{props.more && (
						<li>
							<button class="plain" onClick={props.onMore}>
								{strings.earlier}
							</button>
						</li>
					)}
					{props.lines.map((l, i) => (
						<Line key={i} line={l} shown={l.step === props.shown} onRule={props.onRule} onStep={props.onStep} onAbout={props.onAbout} />
					))}
				</ol>
			</div>
		</section>
	);
}

const Line = pure((props: { line: Told; shown: boolean } & Pick<Props, "onRule" | "onStep" | "onAbout">) => {
	const l = props.line;
	const about = () => props.onAbout(l.about ?? nothing);
	const leave = () => props.onAbout(nothing);
	return (
		<li onPointerEnter={about} onPointerLeave={leave} onFocusIn={about} onFocusOut={leave} class={(l.move ? "move" : "told") + (props.shown ? " shown" : "")}>
			<button class="line" onClick={() => props.onStep(l.step)}>
				{l.text}
			</button>
			{l.rule && (
				<button class="rule" title={l.title} aria-label={`${strings.rule(l.rule)}: ${l.title}`} onClick={() => props.onRule(l.rule)}>
					{l.rule}
				</button>
			)}
		</li>
	);
});
