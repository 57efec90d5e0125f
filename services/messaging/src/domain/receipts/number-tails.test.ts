import { expect, test } from "vitest";
import { numberTails } from "./receipt.ts";

test.each([
	[["33612345678", "Airtower"], ["2345678"]],
	[["+33612345678", "0612345678"], ["2345678"]],
	[["38000", "0033612345678 "], ["2345678"]],
	[
		["2345678", "33600000001"],
		["2345678", "0000001"],
	],
	[["", undefined], []],
	[["336123XXXXX", "234567"], []],
	[["0234567", "0000000"], []],
])("the numbers of %j end in %j", (addresses, tails) => {
	expect(numberTails(addresses)).toEqual(tails);
});
