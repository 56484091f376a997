// The rules of a game: a book in the order of play, and behind it the list by numbers.
import { useRef, useState } from "preact/hooks";
import { capital } from "./actions";
import { Dialog } from "./dialogs";
import { strings } from "./strings";
import type { Chapter, Reading } from "./types";

/** Without a reading the rules are still on their way. What is looked for, at first start, is found in the list. */
export function Rules(props: { game: string; reading: Reading | undefined; start: string; onClose: () => void }) {
	const { game, reading } = props;
	const [find, setFind] = useState(props.start);
	const [listed, setListed] = useState(false);
	const inBook = reading !== undefined && reading.book.length > 0 && !listed && find.trim() === "";
	return (
		<Dialog title={strings.rules} class="wide" onClose={props.onClose}>
			<div class="bookhead">
				<input
					type="search"
					aria-label={strings.ruleFind}
					placeholder={strings.ruleFind}
					value={find}
					onInput={(e) => setFind(e.currentTarget.value)}
				/>
				{reading !== undefined && reading.book.length > 0 && (
					<button
						onClick={() => {
							setFind("");
							setListed(inBook);
						}}
					>
						{inBook ? strings.byNumber : strings.book}
					</button>
				)}
			</div>
			{inBook ? <Book game={game} chapters={reading.book} /> : <List reading={reading} find={find} />}
		</Dialog>
	);
}

function Book(props: { game: string; chapters: Chapter[] }) {
	const parts = useRef<(HTMLElement | null)[]>([]);
	return (
		<div class="book">
			<ol class="contents">
				{props.chapters.map((c, i) => (
					<li key={c.title}>
						<button class="plain" onClick={() => parts.current[i]?.scrollIntoView()}>
							{c.title}
						</button>
					</li>
				))}
			</ol>
			{props.chapters.map((c, i) => (
				<section key={c.title} ref={(e) => void (parts.current[i] = e)}>
					<h3>{c.title}</h3>
					<p class="intro">{c.intro}</p>
					{c.example && (
						<figure>
							<img src={`/api/games/${props.game}/example/${c.example.step}`} alt={strings.examplePicture} loading="lazy" />
							<figcaption>
								<b>{strings.example}</b> {c.example.text} <small>{c.example.rule}</small>
							</figcaption>
						</figure>
					)}
					{c.rules.map((r) => (
						<p key={r.rule} class="clause">
							<small>{r.rule}</small>
							<span>{r.text}</span>
						</p>
					))}
				</section>
			))}
		</div>
	);
}

function List(props: { reading: Reading | undefined; find: string }) {
	const wanted = props.find.trim().toLowerCase();
	const number = wanted.toUpperCase();
	const { rules, cards: deck } = props.reading ?? { rules: [], cards: [] };
	const under = rules.filter((r) => r.rule.toUpperCase() === number || r.rule.toUpperCase().startsWith(`${number}.`));
	const found = wanted === "" ? rules : under.length ? under : rules.filter((r) => `${r.title} ${r.text}`.toLowerCase().includes(wanted));
	const cards = deck.filter((c) => wanted === "" || `${c.title} ${c.text}`.toLowerCase().includes(wanted));
	return (
		<>
			{found.length === 0 && <p class="note">{!props.reading ? strings.reading : rules.length ? strings.ruleNone : strings.noRule}</p>}
			<dl class="rules">
				{found.map((r) => (
					<div key={r.rule}>
						<dt>
							<b>{r.rule}</b> {capital(r.title)}
						</dt>
						<dd>{r.text}</dd>
					</div>
				))}
			</dl>
			{cards.length > 0 && <h3>{strings.cards}</h3>}
			<dl class="rules">
				{cards.map((c) => (
					<div key={c.kind + c.name}>
						<dt>{c.title}</dt>
						<dd>{c.text}</dd>
					</div>
				))}
			</dl>
		</>
	);
}
