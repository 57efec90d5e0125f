/**
 * Digits by which two forms of one number are compared: operators leave out or add the international prefix, the
 * country and the trunk prefix, and all subscriber numbers that receive messages have as many.
 */
export const TAIL_DIGITS = 7;

/** The last seven digits of each number; names and numbers shorter than that have none. */
export function numberTails(
	addresses: readonly (string | undefined)[],
): string[] {
	const tails = addresses.flatMap(
		(address) => TAIL.exec(address?.trim() ?? "")?.[1] ?? [],
	);
	return [...new Set(tails)];
}

const TAIL = /^\+?\d*(\d{7})$/;
