/** What a message is to the one who sends it, by how soon it must go: its lane is its place in this list. */
export const PRIORITIES = ["otp", "normal", "bulk"] as const;

export type Priority = (typeof PRIORITIES)[number];

export type Lane = 0 | 1 | 2;

/** The more urgent first. */
export const LANES: readonly Lane[] = [0, 1, 2];

export const OTP: Lane = 0;
export const BULK: Lane = 2;

/** @param priority empty means normal; undefined for one that there is not */
export function toLane(priority: string): Lane | undefined {
	const known: readonly string[] = PRIORITIES;
	const place = known.indexOf(priority === "" ? "normal" : priority);
	return LANES[place];
}

export function toPriority(lane: Lane): Priority {
	return PRIORITIES[lane];
}
