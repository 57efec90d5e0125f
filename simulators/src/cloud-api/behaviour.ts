/** What a status callback says, and when after the submit. */
export interface PlannedStatus {
	readonly status: "sent" | "delivered" | "read" | "failed";
	/** From the submit, ms. */
	readonly afterMs: number;
	/** Meta's code of a failure. */
	readonly errorCode?: number;
}

/** How a send is treated, told by the last four digits of the recipient. */
export interface Behaviour {
	/** "lose": takes the message and closes the connection. "throttle": refuses the first two sends. */
	readonly answer: "accept" | "reject" | "throttle" | "lose";
	readonly statuses: readonly PlannedStatus[];
	/** The statuses are posted and taken before the response leaves. */
	readonly statusesFirst?: true;
}

const sent = { status: "sent", afterMs: 50 } as const;
const delivered = { status: "delivered", afterMs: 150 } as const;
const read = { status: "read", afterMs: 280 } as const;

const ORDINARY: Behaviour = {
	answer: "accept",
	statuses: [sent, delivered, read],
};
const UNDELIVERABLE: Behaviour = {
	answer: "accept",
	statuses: [sent, { status: "failed", afterMs: 150, errorCode: 131_026 }],
};

/** A text to somebody who has not written for a day: Meta takes it, and fails it afterwards. */
export const OUTSIDE_WINDOW: Behaviour = {
	answer: "accept",
	statuses: [{ status: "failed", afterMs: 50, errorCode: 131_047 }],
};

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map([
	["0001", { ...ORDINARY, statuses: [sent, { ...delivered, afterMs: 1_000 }] }],
	["0002", UNDELIVERABLE],
	["0003", { answer: "reject", statuses: [] }],
	["0005", { ...ORDINARY, answer: "throttle" }],
	["0006", { ...ORDINARY, statuses: [] }],
	["0007", { ...ORDINARY, statuses: [sent, delivered], statusesFirst: true }],
	[
		"0008",
		{
			...ORDINARY,
			statuses: [
				{ ...delivered, afterMs: 50 },
				{ ...sent, afterMs: 100 },
				{ ...read, afterMs: 150 },
				{ ...delivered, afterMs: 200 },
				{ ...read, afterMs: 250 },
				{ ...sent, afterMs: 290 },
			],
		},
	],
	["0009", { ...ORDINARY, statuses: [sent, read] }],
	[
		"0010",
		{ ...ORDINARY, statuses: [sent, { ...delivered, afterMs: 30_000 }] },
	],
	[
		"0012",
		{
			answer: "lose",
			statuses: [
				{ ...sent, afterMs: 400 },
				{ ...delivered, afterMs: 500 },
			],
		},
	],
] satisfies [string, Behaviour][]);

/** Behaviour for a recipient; any other number gets the message and reads it within 300 ms. */
export function findBehaviour(recipient: string): Behaviour {
	return BEHAVIOURS.get(recipient.slice(-4)) ?? ORDINARY;
}
