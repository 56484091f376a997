// What has happened, told by events, each with the rule by which it did.
import { useEffect, useRef } from "preact/hooks";
import { strings } from "./strings";
import type { Told } from "./types";

export function Log(props: { lines: Told[]; more: boolean; shown: number | undefined; name: (seat: number) => string; onMore: () => void; onRule: (number: string) => void; onStep: (step: number) => void; onAbout: (about: string[]) => void }) {
	const list = useRef<HTMLOListElement>(null);
	const count = props.lines.length;
	const atEnd = useRef(true);
	useEffect(() => {
		const l = list.current;
		if (l && atEnd.current) l.scrollTop = l.scrollHeight;
	}, [count]);
	const scrolled = () => {
		const l = list.current;
		if (l) atEnd.current = l.scrollHeight - l.scrollTop - l.clientHeight < 40;
	};
	return (
		<section class="log" aria-labelledby="log">
			<h2 id="log" tabIndex={-1}>
				{strings.log}
			</h2>
			<ol ref={list} onScroll={scrolled} tabIndex={0} aria-labelledby="log">
				{props.more && (
					<li>
						<button class="plain" onClick={props.onMore}>
							{strings.earlier}
						</button>
					</li>
				)}
				{props.lines.map((l, i) => (
					<li
						key={i}
						onPointerEnter={() => props.onAbout(l.about ?? [])}
						onPointerLeave={() => props.onAbout([])}
						onFocusIn={() => props.onAbout(l.about ?? [])}
						onFocusOut={() => props.onAbout([])}
						class={(l.move ? "move" : "told") + (l.step === props.shown ? " shown" : "")}
					>
						<button class="line" onClick={() => props.onStep(l.step)}>
							{l.text.replace(/^Seat (\d+):/, (_, p: string) => `${props.name(Number(p))}:`)}
						</button>
						{l.rule && (
							<button class="rule" title={l.title} aria-label={`${strings.rule(l.rule)}: ${l.title}`} onClick={() => props.onRule(l.rule)}>
								{l.rule}
							</button>
						)}
					</li>
				))}
			</ol>
		</section>
	);
}
