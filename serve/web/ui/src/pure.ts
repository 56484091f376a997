// Parts of the page that are drawn anew only when they are given something else.
import { Component, type VNode } from "preact";

/** A component that follows from its props alone, each of which is compared as it is. */
export function pure<P extends object>(draw: (props: P) => VNode) {
	return class Pure extends Component<P> {
		override shouldComponentUpdate(next: Readonly<P>): boolean {
			const now: object = this.props;
			const keys = new Set([...Object.keys(now), ...Object.keys(next)]) as Set<keyof object>;
			for (const key of keys) if (now[key] !== (next as object)[key]) return true;
			return false;
		}
		override render(): VNode {
			return draw(this.props);
		}
	};
}
