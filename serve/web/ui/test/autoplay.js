// Runs in the page: makes choices by clicks, in turn on the board, where a part of it means
// one, and in the list, and waits after each for the screen that shows it. It ends with the
// game, after most choices, or when nothing has come of a click for wait milliseconds, and
// returns how many choices there were, how long each took to be drawn, and whether the game
// is over.
({ most, salt, wait }) =>
	new Promise((done) => {
		const times = [];
		const range = () => document.querySelector(".replay input");
		const listed = () => [...document.querySelectorAll(".actions .choices button:not(:disabled)")];
		const pick = (list, prime) => list[((times.length + salt) * prime) % list.length];
		let before; // the last moment when the click was made, undefined while none is under way
		let begun = 0;
		let measuring = false;
		let quit;
		const finish = (why) => {
			clearTimeout(quit);
			watch.disconnect();
			done({ n: times.length, over: document.querySelector(".result") !== null, times, why });
		};
		const patience = () => {
			clearTimeout(quit);
			quit = setTimeout(() => finish("nothing comes of a click"), wait);
		};
		const act = () => {
			const root = document.getElementById("board")?.shadowRoot;
			const parts = root ? [...root.querySelectorAll("[data-action]")] : [];
			patience();
			before = range().max;
			begun = performance.now();
			if (parts.length && (times.length + salt) % 2) pick(parts, 7919).dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
			else pick(listed(), 104729).click();
		};
		// What is drawn is painted by the time that a message comes which a frame has sent.
		const painted = (then) =>
			requestAnimationFrame(() => {
				const c = new MessageChannel();
				c.port1.onmessage = then;
				c.port2.postMessage(0);
			});
		const look = () => {
			if (measuring) return;
			if (before !== undefined && (range()?.max !== before || document.querySelector(".result"))) {
				measuring = true;
				painted(() => {
					times.push(performance.now() - begun);
					before = undefined;
					measuring = false;
					look();
				});
				return;
			}
			if (before !== undefined) return document.querySelector("dialog[open] .choices button")?.click();
			if (document.querySelector(".result") || times.length >= most) return finish("");
			if (listed().length) act();
		};
		const watch = new MutationObserver(look);
		watch.observe(document.body, { subtree: true, attributes: true, childList: true });
		patience();
		look();
	});
