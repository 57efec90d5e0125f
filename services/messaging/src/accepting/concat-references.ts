import { LRUCache } from "lru-cache";

const MAX_PAIRS = 20_000;
const REFERENCES = 256;
/** The longest text that is one part in every alphabet, UTF-16 units. */
const ALWAYS_ONE_PART = 70;

export interface ReferenceCounter {
	/** 0-255 (3GPP TS 23.040, 9.2.3.24.1); 0 for a text that never needs one. */
	next(sender: string, recipient: string, text: string): number;
}

/** @param firstOf where the count of a new pair begins; spread, so that replicas seldom agree */
export function createReferenceCounter(
	firstOf: () => number = () => Math.floor(Math.random() * REFERENCES),
): ReferenceCounter {
	const last = new LRUCache<string, number>({ max: MAX_PAIRS });
	return {
		next(sender, recipient, text) {
			if (text.length <= ALWAYS_ONE_PART) return 0;
			const pair = `${sender} ${recipient}`;
			const previous = last.get(pair);
			const reference =
				previous === undefined ? firstOf() : (previous + 1) % REFERENCES;
			last.set(pair, reference);
			return reference;
		},
	};
}
