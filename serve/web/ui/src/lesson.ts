// What the teacher of a table was asked, and has answered.
import { useCallback, useEffect, useState } from "preact/hooks";
import { get, tablePath } from "./api";
import type { Eyes } from "./hub";
import { set, setting } from "./memory";
import type { Screens } from "./screens";
import type { Advice, Review, Screen } from "./types";

export interface Lesson {
	advice: Advice | undefined;
	/** The advice is shown on the board and in the list. */
	hinting: boolean;
	/** The value bar is always shown. */
	bar: boolean;
	setBar: (on: boolean) => void;
	ask: () => void;
	review: Review | undefined;
	reviewing: boolean;
	read: () => void;
	/** The step of the next mistake after one, or of the first. */
	mistakeAfter: (step: number | undefined) => number | undefined;
	/** Forgets what was said of a situation that is gone. */
	forget: (reviewToo: boolean) => void;
}

/** How often the teacher is asked to think on. */
const deeper = 4;

export function useLesson(eyes: Eyes, screen: Screen | undefined, live: Screens["live"], say: (why: unknown) => void): Lesson {
	const [advice, setAdvice] = useState<Advice>();
	const [hinting, setHinting] = useState(false);
	const [bar, show] = useState(setting("bar", "") === "on");
	const [review, setReview] = useState<Review>();
	const [reviewing, setReviewing] = useState(false);
	const hear = useCallback(
		(aloud: boolean, more = deeper, before = 0) => {
			const s = live.current;
			if (!s || s.prompt.player !== s.seat || !s.practice) return;
			if (aloud) setHinting(true);
			get<Advice>(tablePath(eyes, "/hint"), eyes.token).then(
				(a) => {
					if (live.current?.number !== s.number) return;
					setAdvice(a);
					if (more > 0 && a.trials > before) hear(false, more - 1, a.trials);
				},
				(why: unknown) => aloud && say(why),
			);
		},
		[eyes],
	);
	useEffect(() => {
		if (bar && screen?.practice && screen.prompt.player === screen.seat) hear(false);
	}, [bar, screen?.number]);
	const read = () => {
		setReviewing(true);
		get<Review>(tablePath(eyes, "/review"), eyes.token)
			.then(setReview, say)
			.finally(() => setReviewing(false));
	};
	const setBar = (on: boolean) => {
		set("bar", on ? "on" : "");
		show(on);
	};
	const mistakeAfter = (step: number | undefined) => {
		const costly = review?.decisions.filter((d) => d.mistake) ?? [];
		return (costly.find((d) => step !== undefined && d.step > step) ?? costly[0])?.step;
	};
	const forget = useCallback((reviewToo: boolean) => {
		setAdvice(undefined);
		setHinting(false);
		if (reviewToo) setReview(undefined);
	}, []);
	return { advice, hinting, bar, setBar, ask: () => hear(true), review, reviewing, read, mistakeAfter, forget };
}
