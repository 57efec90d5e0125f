import { expect, test } from "vitest";
import { weeksFrom } from "./partition-weeks.ts";

test.each([
	"2025-11-17T00:00:00.000Z",
	"2025-11-21T12:00:00Z",
	"2025-11-23T23:59:59.999Z",
])("the week of %s begins on its Monday", (now) => {
	expect(weeksFrom(new Date(now), 2)).toEqual([
		{ from: new Date("2025-11-17"), to: new Date("2025-11-24") },
		{ from: new Date("2025-11-24"), to: new Date("2025-12-01") },
	]);
});
