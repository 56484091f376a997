// The list of what the seat may do.
import { useEffect, useRef, useState } from "preact/hooks";
import { pure } from "./pure";
import { strings } from "./strings";
import type { Choice, Opinion } from "./types";

/** How many choices are listed before the rest is asked for. */
const atOnce = 60;

interface Props {
	legal: Choice[];
	hints: Opinion[];
	/** The choice that waits to be confirmed. */
	armed: number | undefined;
	/** The choice that was made, at a moment of before. */
	chose: number | undefined;
	onChoose: (action: number) => void;
	/** Called with what is pointed at, if anything. */
	onPoint: (action: number | undefined) => void;
}

export const Actions = pure((props: Props) => <List {...props} />);

function List(props: Props) {
	const { legal, hints } = props;
	const [find, setFind] = useState("");
	const [all, setAll] = useState(false);
	const box = useRef<HTMLDivElement>(null);
	const moved = useRef(false);
	useEffect(() => {
		setFind("");
		setAll(false);
		// To ask where the list is costs a layout, so that is done only where it was moved.
		if (moved.current) box.current?.querySelector("ol")?.scrollTo(0, 0);
		moved.current = false;
	}, [legal]);
	// Who chooses by keys is led to the next question, and to its name while others decide.
	const keyed = useRef(false);
	useEffect(() => {
		const point = () => {
			keyed.current = false;
		};
		addEventListener("pointerdown", point);
		return () => removeEventListener("pointerdown", point);
	}, []);
	useEffect(() => {
		const at = document.activeElement;
		if (!keyed.current || (at && at !== document.body && !at.closest(".actions"))) return;
		(box.current?.querySelector<HTMLElement>("li button") ?? document.getElementById("choices"))?.focus();
	}, [legal]);
	const wanted = find.trim().toLowerCase();
	const found = wanted ? legal.filter((c) => `${c.name} ${c.words}`.toLowerCase().includes(wanted)) : legal;
	const share = new Map(hints.map((o) => [o.action, o]));
	const first = (c: Choice) => (c.action === props.chose ? -1 : 0);
	const sorted = props.chose !== undefined && !hints.length ? found.toSorted((a, b) => first(a) - first(b)) : hints.length ? found.toSorted((a, b) => (share.get(b.action)?.share ?? 0) - (share.get(a.action)?.share ?? 0)) : found;
	const listed = all ? sorted : sorted.slice(0, atOnce);
	const step = (e: KeyboardEvent) => {
		if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
		const stops = [...(box.current?.querySelectorAll<HTMLElement>("input,li button") ?? [])];
		const at = stops.indexOf(e.target as HTMLElement);
		const to = stops[at + (e.key === "ArrowDown" ? 1 : -1)];
		if (to) {
			e.preventDefault();
			to.focus();
		}
	};
	return (
		<section class="actions" aria-labelledby="choices">
			<h2 id="choices" tabIndex={-1}>
				{props.chose === undefined ? strings.choices : strings.couldChoose} <small>{legal.length > 0 && strings.found(found.length, legal.length)}</small>
			</h2>
			<div
				ref={box}
				onKeyDown={(e) => {
					if (e.key === "Enter" || e.key === " ") keyed.current = true;
					step(e);
				}}
			>
				{legal.length > 8 && (
					<input
						id="filter"
						type="search"
						aria-label={strings.filter}
						placeholder={strings.filter}
						value={find}
						onInput={(e) => setFind(e.currentTarget.value)}
						onKeyDown={(e) => e.key === "Enter" && found.length === 1 && found[0] && props.onChoose(found[0].action)}
					/>
				)}
				{legal.length === 0 ? (
					<p class="note">{strings.noChoices}</p>
				) : (
					<ol
						class="choices"
						onScroll={() => {
							moved.current = true;
						}}
					>
						{listed.map((c) => {
							const o = share.get(c.action);
							return (
								<li key={c.action}>
									<button
										data-choice={c.action}
										class={c.action === props.armed || c.action === props.chose ? "armed" : ""}
										aria-current={c.action === props.chose ? "true" : undefined}
										onClick={() => props.onChoose(c.action)}
										onPointerEnter={(e) => e.pointerType === "mouse" && props.onPoint(c.action)}
										onPointerLeave={() => props.onPoint(undefined)}
										onFocus={() => props.onPoint(c.action)}
										onBlur={() => props.onPoint(undefined)}
									>
										<span class="words">{capital(c.words || c.name)}</span>
										{c.words.toLowerCase() !== c.name.toLowerCase() && <code>{c.name}</code>}
										{o && (
											<span class="share">
												<meter min={0} max={1} value={o.share} /> {Math.round(o.share * 100)}%{o.value !== null && ` · ${Math.round(o.value * 100)}`}
											</span>
										)}
									</button>
								</li>
							);
						})}
					</ol>
				)}
				{listed.length < sorted.length && (
					<button class="plain" onClick={() => setAll(true)}>
						{strings.showAll(sorted.length)}
					</button>
				)}
			</div>
		</section>
	);
}

export const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1);
