/** How the simulated operator treats one part, told by the last four digits of the recipient. */
export interface Behaviour {
	/** "lose": takes the part and never responds. "throttle": refuses the first two submits. */
	readonly response: "accept" | "reject" | "throttle" | "lose";
	readonly stat: "DELIVRD" | "UNDELIV" | "EXPIRED";
	readonly err: string;
	readonly receipts: 0 | 1 | 2;
	/** From the submit to the receipt, ms; absent: as the settings say. */
	readonly receiptDelayMs?: number;
	readonly receiptFirst?: true;
}

const DELIVERED: Behaviour = {
	response: "accept",
	stat: "DELIVRD",
	err: "000",
	receipts: 1,
};
const UNDELIVERABLE: Behaviour = { ...DELIVERED, stat: "UNDELIV", err: "027" };

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map([
	["0001", { ...DELIVERED, receiptDelayMs: 1_000 }],
	["0002", UNDELIVERABLE],
	["0003", { ...DELIVERED, response: "reject", receipts: 0 }],
	["0004", { ...DELIVERED, stat: "EXPIRED", err: "015" }],
	["0005", { ...DELIVERED, response: "throttle" }],
	["0006", { ...DELIVERED, receipts: 0 }],
	["0007", { ...DELIVERED, receiptDelayMs: 0, receiptFirst: true }],
	["0008", { ...DELIVERED, receipts: 2 }],
	["0010", { ...DELIVERED, receiptDelayMs: 30_000 }],
	["0012", { ...DELIVERED, response: "lose" }],
]);

/** The number whose long messages lose one part, and which part that is. */
const FAILING_PART = { digits: "0011", part: 2 };

export function findBehaviour(recipient: string, part: number): Behaviour {
	const digits = recipient.slice(-4);
	if (digits === FAILING_PART.digits && part === FAILING_PART.part)
		return UNDELIVERABLE;
	return BEHAVIOURS.get(digits) ?? DELIVERED;
}
