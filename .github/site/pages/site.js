// The player of the gallery: a game's pictures, one after another.
for (const player of document.querySelectorAll(".player")) {
	const { frames, folder } = JSON.parse(player.querySelector("script").textContent);
	const title = player.dataset.title;
	const image = player.querySelector("img");
	const range = player.querySelector("input");
	const output = player.querySelector("output");
	const told = player.querySelector(".told");
	const button = player.querySelector("[data-do=play]");
	let timer = 0;

	const show = (n) => {
		range.value = String(Math.min(Math.max(n, 1), frames.length));
		const at = Number(range.value);
		const frame = frames[at - 1];
		image.src = folder + frame.file;
		image.alt = `The table of ${title}, moment ${at}`;
		output.textContent = `${at} of ${frames.length}, after ${frame.move} moves`;
		told.replaceChildren(
			...frame.lines.map((line) => {
				const item = document.createElement("li");
				item.textContent = line;
				return item;
			}),
		);
		new Image().src = folder + frames[at % frames.length].file; // so that the next one is there in time
	};
	const stop = () => {
		clearInterval(timer);
		timer = 0;
		button.textContent = "Play";
	};
	const play = () => {
		if (Number(range.value) === frames.length) show(1);
		button.textContent = "Stop";
		timer = setInterval(() => {
			show(Number(range.value) + 1);
			if (Number(range.value) === frames.length) stop();
		}, 900);
	};
	player.querySelector(".controls").hidden = false;
	player.addEventListener("click", (e) => {
		const does = e.target.closest("button")?.dataset.do;
		if (does === "play") timer ? stop() : play();
		if (does === "back") show(Number(range.value) - 1);
		if (does === "on") show(Number(range.value) + 1);
	});
	range.addEventListener("input", () => {
		stop();
		show(Number(range.value));
	});
	show(1);
}

// The bar of each block of code is a landmark for screen readers, without a name and one of many;
// and a table that scrolls is to be reached by the keyboard.
const mend = () => {
	for (const bar of document.querySelectorAll(".md-code__nav:not([role])")) bar.setAttribute("role", "none");
	for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) if (wrap.scrollWidth > wrap.clientWidth) wrap.tabIndex = 0;
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", mend);
mend();
