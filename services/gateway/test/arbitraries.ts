import fc from "fast-check";

export const RUNS = { numRuns: 100 };

/** Any text, half surrogates and NUL included. */
export const anyText = fc.string({ unit: "binary", maxLength: 200 });
export const anyValue = fc.oneof(
	anyText,
	fc.jsonValue(),
	fc.constantFrom("", "\u0000", "\ud800", 1e308, -0, null, [], {}),
	fc.constantFrom(
		"0000-01-01T00:00:00Z",
		"9999-12-31T23:59:59-14:00",
		"2030-01-01T00:00:00.999999999+14:00",
	),
);
