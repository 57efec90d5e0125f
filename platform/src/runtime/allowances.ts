import { LRUCache } from "lru-cache";

/** What each of many may do: so much at once, and so much each second after that. */
export interface Allowances {
	/** Takes an amount; returns 0, or after how many ms it may be asked for again, when nothing was taken. */
	take(key: string, amount?: number): number;
	giveBack(key: string, amount?: number): void;
}

interface AllowanceOptions {
	readonly burst: number;
	readonly perSecond: number;
	/** Those longest unheard of are forgotten, which gives them their whole burst again; default 10,000. */
	readonly maxKeys?: number;
	/** A clock that never goes back, ms. */
	readonly now?: () => number;
}

const MAX_KEYS = 10_000;

export function createAllowances({
	burst,
	perSecond,
	maxKeys = MAX_KEYS,
	now = () => performance.now(),
}: AllowanceOptions): Allowances {
	const allowances = new LRUCache<string, { left: number; at: number }>({
		max: maxKeys,
	});

	function allowanceOf(key: string) {
		const at = now();
		const before = allowances.get(key) ?? { left: burst, at };
		const earned = ((at - before.at) / 1_000) * perSecond;
		const allowance = { left: Math.min(burst, before.left + earned), at };
		allowances.set(key, allowance);
		return allowance;
	}

	return {
		take(key, amount = 1) {
			const allowance = allowanceOf(key);
			const lacking = amount - allowance.left;
			if (lacking > 0) return Math.ceil((lacking / perSecond) * 1_000);
			allowance.left -= amount;
			return 0;
		},
		giveBack(key, amount = 1) {
			allowanceOf(key).left += amount;
		},
	};
}
