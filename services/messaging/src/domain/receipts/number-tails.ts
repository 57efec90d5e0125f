/** Two forms of one number are compared by so many digits: operators leave out or add prefixes. */
export const TAIL_DIGITS = 7;

export function numberTails(
	addresses: readonly (string | undefined)[],
): string[] {
	const tails = addresses.flatMap(
		(address) => TAIL.exec(address?.trim() ?? "")?.[1] ?? [],
	);
	return [...new Set(tails)];
}

const TAIL = /^\+?\d*(\d{7})$/;
