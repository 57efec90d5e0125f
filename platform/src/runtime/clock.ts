export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** So many months later, or earlier, in UTC; in a month without that day, on its last day. */
export function addMonths(date: Date, months: number): Date {
	const moved = new Date(date);
	moved.setUTCDate(1);
	moved.setUTCMonth(date.getUTCMonth() + months);
	moved.setUTCDate(Math.min(date.getUTCDate(), daysInMonth(moved)));
	return moved;
}

function daysInMonth(date: Date): number {
	return new Date(
		Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0),
	).getUTCDate();
}
