import { expect, test } from "vitest";
import { parseReceiptText } from "./receipt-meaning.ts";

test.each([
	[
		"the standard's own",
		"id:0123456789 sub:001 dlvrd:001 submit date:2601021530 done date:2601021531 stat:DELIVRD err:000 text:Hello",
		{
			id: "0123456789",
			stat: "DELIVRD",
			err: "000",
		},
	],
	[
		"no sub, no dlvrd, seconds in the dates",
		"id:1526758174 submit date:260102153000 done date:260102153107 stat:UNDELIV err:2B text:",
		{
			id: "1526758174",
			stat: "UNDELIV",
			err: "2B",
		},
	],
	[
		"any order, odd case and blanks",
		"STAT: rejectd ERR: A-17 ID: 00ab-77 Done Date: 2601021531",
		{ id: "00ab-77", stat: "REJECTD", err: "A-17" },
	],
	["only id and stat", "id:7 stat:EXPIRED", { id: "7", stat: "EXPIRED" }],
	[
		"an empty field does not swallow the next",
		"id:7 sub: dlvrd: err: stat:DELIVRD text:",
		{ id: "7", stat: "DELIVRD" },
	],
	[
		"text first, the operator's fields behind it",
		"text:hi there id:7 stat:DELIVRD",
		{ id: "7", stat: "DELIVRD" },
	],
	[
		"separated by commas and line ends",
		"id:7,sub:1,stat:DELIVRD,err:0\r\ntext:x",
		{ id: "7", stat: "DELIVRD", err: "0" },
	],
	[
		"dates in one word",
		"id:7 submitdate:2601021530 donedate:2601021531 stat:DELIVRD",
		{ id: "7", stat: "DELIVRD" },
	],
	[
		"NULs behind the fields",
		"id:7\0\0 stat:DELIVRD\0 err:000\0",
		{ id: "7", stat: "DELIVRD", err: "000" },
	],
	[
		"NULs between the fields, one of them empty",
		"id:7\0err:\0stat:DELIVRD\0text:x",
		{ id: "7", stat: "DELIVRD" },
	],
	["no receipt at all", "Your bid: 7 and mid:9, see you", {}],
	["nothing", "", {}],
])("%s", (_name, text, fields) => {
	expect(parseReceiptText(text)).toEqual(fields);
});

test("what the sender of the message wrote never overrules the operator's fields", () => {
	const text = "id:7 stat:UNDELIV err:001 text:id:8 stat:DELIVRD err:000";
	expect(parseReceiptText(text)).toEqual({
		id: "7",
		stat: "UNDELIV",
		err: "001",
	});
});

test("a very long text takes no time of the CPU", () => {
	const text = "id :".repeat(50_000);
	const before = process.cpuUsage();
	parseReceiptText(text);
	const { user, system } = process.cpuUsage(before);
	expect(user + system).toBeLessThan(500_000);
});
