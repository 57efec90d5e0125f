const ALPHANUMERIC = /^(?=.*[A-Za-z])[A-Za-z0-9 ._-]{3,11}$/;
const NUMERIC = /^[0-9]{3,15}$/;

/**
 * True for a sender that handsets can show: 3-11 characters `[A-Za-z0-9 ._-]` with a letter, or 3-15 digits. Spaces at
 * either end are refused: operators trim them.
 */
export function isSenderIdValue(value: string): boolean {
	return (
		(ALPHANUMERIC.test(value) && value.trim() === value) || NUMERIC.test(value)
	);
}
