export function required<T>(field: T | undefined): T {
	if (field === undefined) throw new Error("the response lacks a field");
	return field;
}
