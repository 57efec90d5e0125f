import { expect, test } from "vitest";
import {
	ID_SCHEMES,
	type IdScheme,
	receiptKeys,
} from "../operator-message-id.ts";
import { diagnose, type SampleReceipt, storeKey } from "./diagnosis.ts";
import { judgeReceipt, type WaitingPart } from "./judge-receipt.ts";

/** Pseudo-random numbers from 0 up to 1, the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

type Write = (number: bigint) => string;

const hex: Write = (number) => number.toString(16);
const upper: Write = (number) => hex(number).toUpperCase();
const longHex: Write = (number) => upper(number).padStart(16, "0");
const dec: Write = (number) => number.toString();
const padded: Write = (number) => dec(number).padStart(20, "0");
const words: Write = (number) => `Msg.${hex(number)}_Z`;

/** How operators write ids in responses and in receipts, and the values of `ids` that are right for them. */
const OPERATORS: readonly (readonly [Write, Write, ...string[]])[] = [
	[hex, hex, "hex", "exact", "auto"],
	[hex, upper, "hex", "auto"],
	[longHex, hex, "hex", "auto"],
	[dec, dec, "dec", "exact", "auto"],
	[dec, padded, "dec", "auto"],
	[hex, dec, "hex-dec", "auto"],
	[longHex, padded, "hex-dec", "auto"],
	[dec, hex, "dec-hex", "auto"],
	[padded, longHex, "dec-hex", "auto"],
	[words, words, "exact", "auto"],
];
const SCHEMES = [...ID_SCHEMES.keys()];
const ROUNDS = 8;
const MESSAGES = 120;

interface World {
	readonly receipts: readonly SampleReceipt[];
	readonly parts: readonly WaitingPart[];
	readonly set: IdScheme;
}

/**
 * Messages of an operator while the route is set to some scheme; each receipt has the id of its message. Half of the
 * operators have just begun to count: there an id in one form is another message's in another form.
 */
function startWorld(
	random: () => number,
	responded: Write,
	receipted: Write,
	set: IdScheme,
): World {
	const most = random() < 0.5 ? MESSAGES : 2 ** 48;
	const first = BigInt(Math.floor(random() * most)) + 10n;
	const tails = Array.from({ length: MESSAGES }, () =>
		String(2_000_000 + Math.floor(random() * MESSAGES * 4)),
	);
	const parts = tails.map((recipientTail, n): WaitingPart => {
		const operatorMessageId = responded(first + BigInt(n));
		return {
			account: "one",
			messageId: `message-${n}`,
			number: 1,
			operatorMessageId,
			operatorKey: storeKey({ operatorMessageId }, set),
			recipientTail,
			senderTail: "irtower",
			submittedAt: null,
			receiptsBefore: 0,
		};
	});
	const receipts = tails.map((tail, n): SampleReceipt => {
		const operatorMessageId = receipted(first + BigInt(n));
		const ids = { operatorMessageId, textId: operatorMessageId, isTlv: false };
		return {
			...ids,
			id: n + 1,
			matchKeys: receiptKeys(ids, set),
			numberTails: [tail],
			submitDate: undefined,
		};
	});
	return { receipts, parts, set };
}

const CASES = OPERATORS.flatMap(([responded, receipted, ...right]) =>
	SCHEMES.filter((name) => !right.includes(name)).map((name) => ({
		responded,
		receipted,
		right,
		name,
		title: `${responded.name} and ${receipted.name} on a route with ids=${name}`,
	})),
);

test.each(CASES)(
	"of generated ids, $title: the right form is among the proposals where receipts are left, and nothing is matched to another number",
	({ responded, receipted, right, name }) => {
		const set = ID_SCHEMES.get(name) as IdScheme;
		for (let round = 1; round <= ROUNDS; round++) {
			const random = randomFrom(round * 7_919);
			const world = startWorld(random, responded, receipted, set);
			const findAsSet = partFinder(world, set);
			const parked = world.receipts.filter((receipt) => !findAsSet(receipt));
			const { findings } = diagnose(
				{ account: "one", scheme: set, mayChange: true },
				[],
				parked,
				world.parts,
			);
			const proposed = findings
				.filter(({ isProposed }) => isProposed)
				.map(({ proposal }) => proposal.replace("ids=", ""));
			if (parked.length > 0)
				expect(proposed).toEqual(expect.arrayContaining(right));
			for (const one of proposed) {
				const find = partFinder(world, ID_SCHEMES.get(one) as IdScheme);
				for (const receipt of parked) {
					const tail = find(receipt)?.recipientTail;
					if (tail !== undefined) expect(receipt.numberTails).toContain(tail);
				}
			}
			const [best = ""] = right;
			const find = partFinder(world, ID_SCHEMES.get(best) as IdScheme);
			for (const receipt of parked)
				expect(find(receipt)?.messageId).toBe(`message-${receipt.id - 1}`);
		}
	},
);

/** Finds the part of a receipt once a scheme is set, and the parts and receipts have its keys. */
function partFinder({ parts }: World, scheme: IdScheme) {
	const byKey = Map.groupBy(parts, (part) => storeKey(part, scheme));
	return (receipt: SampleReceipt): WaitingPart | undefined => {
		const keys = receiptKeys(receipt, scheme);
		const judged = judgeReceipt(receipt, keys, (key) => byKey.get(key) ?? []);
		return "part" in judged ? judged.part : undefined;
	};
}

test("an id alone does not tell that receipts are another account's", () => {
	const hexScheme = ID_SCHEMES.get("hex") as IdScheme;
	const world = startWorld(randomFrom(1), hex, hex, hexScheme);
	const own = { account: "two", scheme: hexScheme, mayChange: true };
	const other = { account: "one", scheme: hexScheme, mayChange: true };
	const [named] = diagnose(own, [other], world.receipts, world.parts).findings;
	expect(named).toMatchObject({
		proposal: "account=one",
		wouldMatch: MESSAGES,
		isProposed: true,
	});
	const nameless = world.receipts.map((receipt) => ({
		...receipt,
		numberTails: [],
	}));
	const [found] = diagnose(own, [other], nameless, world.parts).findings;
	expect(found).toMatchObject({
		wouldMatch: 0,
		isProposed: false,
		tally: { unnumbered: MESSAGES },
	});
});

test("ids over HTTP have one form: no other is tried", () => {
	const set = ID_SCHEMES.get("exact") as IdScheme;
	const world = startWorld(randomFrom(1), hex, dec, set);
	const own = { account: "one", scheme: set, mayChange: false };
	expect(diagnose(own, [], world.receipts, world.parts).findings).toEqual([]);
});
