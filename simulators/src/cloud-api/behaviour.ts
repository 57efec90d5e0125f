export interface PlannedStatus {
	readonly status: "sent" | "delivered" | "read" | "failed";
	/** From the submit, ms. */
	readonly afterMs: number;
	readonly errorCode?: number;
}

export interface Behaviour {
	/** "lose": takes the message and closes the connection. "throttle": refuses the first two sends. */
	readonly response: "accept" | "reject" | "throttle" | "lose";
	readonly statuses: readonly PlannedStatus[];
	/** The statuses are posted and taken before the response leaves. */
	readonly statusesFirst?: true;
}

const sent = (afterMs = 50) => ({ status: "sent", afterMs }) as const;
const delivered = (afterMs = 150) =>
	({ status: "delivered", afterMs }) as const;
const read = (afterMs = 280) => ({ status: "read", afterMs }) as const;

const ORDINARY: Behaviour = {
	response: "accept",
	statuses: [sent(), delivered(), read()],
};
const UNDELIVERABLE: Behaviour = {
	response: "accept",
	statuses: [sent(), { status: "failed", afterMs: 150, errorCode: 131_026 }],
};
/** A user who has stopped marketing messages, of one that Meta takes for such. */
const MARKETING_STOPPED: Behaviour = {
	response: "accept",
	statuses: [{ status: "failed", afterMs: 50, errorCode: 131_050 }],
};
const OUT_OF_ORDER: Behaviour = {
	response: "accept",
	statuses: [
		delivered(50),
		sent(100),
		read(150),
		delivered(200),
		read(250),
		sent(290),
	],
};

/** A text to somebody who has not written for a day: Meta takes it, and fails it afterwards. */
export const OUTSIDE_WINDOW: Behaviour = {
	response: "accept",
	statuses: [{ status: "failed", afterMs: 50, errorCode: 131_047 }],
};

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map([
	["0001", { ...ORDINARY, statuses: [sent(), delivered(1_000)] }],
	["0002", UNDELIVERABLE],
	["0003", { response: "reject", statuses: [] }],
	["0005", { ...ORDINARY, response: "throttle" }],
	["0006", { ...ORDINARY, statuses: [] }],
	[
		"0007",
		{ ...ORDINARY, statuses: [sent(), delivered()], statusesFirst: true },
	],
	["0008", OUT_OF_ORDER],
	["0009", { ...ORDINARY, statuses: [sent(), read()] }],
	["0010", { ...ORDINARY, statuses: [sent(), delivered(30_000)] }],
	["0011", MARKETING_STOPPED],
	["0012", { response: "lose", statuses: [sent(400), delivered(500)] }],
] satisfies [string, Behaviour][]);

/** Any other number gets the message and reads it within 300 ms. */
export function findBehaviour(recipient: string): Behaviour {
	return BEHAVIOURS.get(recipient.slice(-4)) ?? ORDINARY;
}
