/** How a simulated HTTP operator treats a message, told by the last four digits of the recipient. */
export interface Behaviour {
	/** "lose": takes the message and cuts the connection. "throttle": refuses the first two requests. */
	readonly response: "accept" | "reject" | "throttle" | "lose";
	readonly outcome: Outcome;
	readonly receipts: 0 | 1 | 2;
	/** From the request to the receipt, ms. */
	readonly receiptDelayMs: number;
	/** The receipt is posted and taken before the response leaves. */
	readonly receiptFirst?: true;
}

export type Outcome = "delivered" | "undeliverable" | "expired";

const DELIVERED: Behaviour = {
	response: "accept",
	outcome: "delivered",
	receipts: 1,
	receiptDelayMs: 50,
};

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map([
	["0001", { ...DELIVERED, receiptDelayMs: 1_000 }],
	["0002", { ...DELIVERED, outcome: "undeliverable" }],
	["0003", { ...DELIVERED, response: "reject", receipts: 0 }],
	["0004", { ...DELIVERED, outcome: "expired" }],
	["0005", { ...DELIVERED, response: "throttle" }],
	["0006", { ...DELIVERED, receipts: 0 }],
	["0007", { ...DELIVERED, receiptFirst: true }],
	["0008", { ...DELIVERED, receipts: 2 }],
	["0010", { ...DELIVERED, receiptDelayMs: 30_000 }],
	["0012", { ...DELIVERED, response: "lose" }],
] satisfies [string, Behaviour][]);

/** Any other number gets the message within 300 ms. */
export function findBehaviour(recipient: string): Behaviour {
	return BEHAVIOURS.get(recipient.slice(-4)) ?? DELIVERED;
}
