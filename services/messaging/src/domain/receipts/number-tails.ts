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

/** No number in full begins with a zero: those before it do not make a short one long enough. */
const TAIL = /^\+?0*(?=[1-9])\d*(\d{7})$/;
