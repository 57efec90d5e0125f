const ALPHANUMERIC = /^(?=.*[A-Za-z])[A-Za-z0-9 ._-]{3,11}$/;
const NUMERIC = /^[0-9]{3,15}$/;

/** True for a sender that handsets can show. Spaces at either end are refused: operators trim them. */
export function isSenderIdValue(value: string): boolean {
	return (
		(ALPHANUMERIC.test(value) && value.trim() === value) || NUMERIC.test(value)
	);
}
