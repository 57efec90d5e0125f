/** Methods by the pattern of their routes. */
export type MethodsOf = ReadonlyMap<string, ReadonlySet<string>>;

/** What the header Allow says of a path; empty for one that no route has. */
export function allowedMethods(methodsOf: MethodsOf, path: string): string {
	const methods = [...methodsOf]
		.filter(([pattern]) => matches(pattern, path))
		.flatMap(([, known]) => [...known]);
	return [...new Set(methods)].sort().join(", ");
}

/** True when each segment of the path equals the pattern's, or fills a ":name" of it. */
function matches(pattern: string, path: string): boolean {
	const wanted = pattern.split("/");
	const given = path.split("/");
	const isFilled = (part: string, value: string | undefined) =>
		part === value || (part.startsWith(":") && value !== "");
	return (
		wanted.length === given.length &&
		wanted.every((part, index) => isFilled(part, given[index]))
	);
}
