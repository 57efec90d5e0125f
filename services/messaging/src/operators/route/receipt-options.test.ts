import { expect, test } from "vitest";
import { toStandardText } from "../../domain/receipts/receipt-form.ts";
import { receiptForm } from "./receipt-options.ts";

function read(template: string, text: string): string | undefined {
	return toStandardText(text, receiptForm(template) ?? []);
}

test.each([
	["{id}|{stat}|{err}", "77ab|DELIVRD|000", "id:77ab stat:DELIVRD err:000"],
	["{stat};{err};{id}", "OK; 12 ;77ab\0\0", "stat:OK err:12 id:77ab"],
	[
		"Message {id} to * is {stat}.",
		"Message 12-b to +33612345678 is NOT DELIVERED.",
		"id:12-b stat:NOT_DELIVERED",
	],
	[
		"*MsgId={id}*Status={stat}",
		"Re: MsgId=5, at=now, Status=OK, more",
		"id:5 stat:OK",
	],
	["{id} {stat}*", "5 OK and text:id:6 stat:FAILED", "id:5 stat:OK"],
])("by the form %s the text %j is %j", (template, text, standard) => {
	expect(read(template, text)).toBe(standard);
});

test.each([
	["{id}|{stat}", "id:1 stat:DELIVRD"],
	["{id}|{stat}", "|DELIVRD"],
	["{id}|{stat}", "1|"],
	["Message {id} is {stat}", "message 1 is OK"],
	["*x{id}-{stat}", ""],
])("what is not of the form %s is left as it is: %j", (template, text) => {
	expect(read(template, text)).toBeUndefined();
});

test("a long text that nearly fits a form of many parts is soon known not to", () => {
	const template = `${"*a".repeat(100)}{id}a{stat}!`;
	for (let i = 0; i < 1_000; i++)
		expect(read(template, "a".repeat(100_000))).toBeUndefined();
});
