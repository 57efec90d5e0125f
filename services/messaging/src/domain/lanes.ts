/** How soon its sender needs a message to go, the most urgent first. Its lane is its index in this list. */
export const PRIORITIES = ["otp", "normal", "bulk"] as const;

export type Priority = (typeof PRIORITIES)[number];

export type Lane = 0 | 1 | 2;

/** The more urgent first. */
export const LANES: readonly Lane[] = [0, 1, 2];

export const OTP: Lane = 0;
export const BULK: Lane = 2;

/** @param priority empty means normal; the result of an unknown one is undefined */
export function toLane(priority: string): Lane | undefined {
	const known: readonly string[] = PRIORITIES;
	const index = known.indexOf(priority === "" ? "normal" : priority);
	return LANES[index];
}

export function toPriority(lane: Lane): Priority {
	return PRIORITIES[lane];
}
