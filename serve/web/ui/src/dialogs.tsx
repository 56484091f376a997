// What opens over the table: rules, keys, the situation in words, the curtain, a choice
// between several.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { capital } from "./actions";
import { strings } from "./strings";
import type { Choice } from "./types";

export function Dialog(props: { title: string; class?: string; onClose?: () => void; children: ComponentChildren }) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const d = dialog.current;
		const before = document.activeElement;
		d?.showModal();
		return () => {
			d?.close();
			if (before instanceof HTMLElement) before.focus();
		};
	}, []);
	const close = props.onClose;
	return (
		<dialog
			ref={dialog}
			class={props.class ?? ""}
			aria-label={props.title}
			onCancel={(e) => {
				e.preventDefault();
				close?.();
			}}
			onClick={(e) => e.target === dialog.current && close?.()}
		>
			<div class="sheet">
				<header>
					<h2>{props.title}</h2>
					{close && (
						<button class="plain" aria-label={strings.close} onClick={close}>
							×
						</button>
					)}
				</header>
				{props.children}
			</div>
		</dialog>
	);
}

export function Keys(props: { onClose: () => void }) {
	return (
		<Dialog title={strings.help} onClose={props.onClose}>
			<dl class="keys">
				{strings.keys.map(([key, does]) => (
					<div key={key}>
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{does}</dd>
					</div>
				))}
			</dl>
		</Dialog>
	);
}

export function Words(props: { text: string; onClose: () => void }) {
	return (
		<Dialog title={strings.text} class="wide" onClose={props.onClose}>
			<pre tabIndex={0}>{props.text}</pre>
		</Dialog>
	);
}

export function Which(props: { choices: Choice[]; onChoose: (action: number) => void; onClose: () => void }) {
	return (
		<Dialog title={strings.which} onClose={props.onClose}>
			<ol class="choices">
				{props.choices.map((c) => (
					<li key={c.action}>
						<button onClick={() => props.onChoose(c.action)}>
							<span class="words">{capital(c.words || c.name)}</span>
							<code>{c.name}</code>
						</button>
					</li>
				))}
			</ol>
		</Dialog>
	);
}

export function Curtain(props: { name: string; onGo: () => void }) {
	return (
		<Dialog title={strings.curtain(props.name)} class="curtain">
			<button class="main" onClick={props.onGo}>
				{strings.curtainGo(props.name)}
			</button>
		</Dialog>
	);
}
