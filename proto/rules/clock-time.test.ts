import { expect, test } from "vitest";
import { parseClockTime, toClockTime } from "./clock-time.ts";

test("every minute of the day is read as it is written", () => {
	for (let minute = 0; minute < 1_440; minute++)
		expect(parseClockTime(toClockTime(minute))).toBe(minute);
	expect([toClockTime(0), toClockTime(545)]).toEqual(["00:00", "09:05"]);
});

test.each([
	"",
	"8:00",
	"24:00",
	"08:60",
	"08:00:00",
	" 08:00",
	"08h00",
	"ab:cd",
])("'%s' is no time of the day", (text) => {
	expect(parseClockTime(text)).toBeUndefined();
});
