import { expect, test } from "vitest";
import { normalizePhoneNumber } from "./phone-number.ts";

test.each([
	["+33 6 12 34 56 78", "", "+33612345678"],
	["33612345678", "", "+33612345678"],
	["0612345678", "FR", "+33612345678"],
	["06 12 34 56 78", "FR", "+33612345678"],
	["06.12.34.56.78", "FR", "+33612345678"],
	["06-12-34-56-78", "FR", "+33612345678"],
	["06/12 34 56 78", "FR", "+33612345678"],
	["06\u00a012\u202f34 56 78", "FR", "+33612345678"],
	["33 6 12 34 56 78", "FR", "+33612345678"],
	["(212) 555-0123", "US", "+12125550123"],
	["212.555.0123", "US", "+12125550123"],
	["020 7946 0018", "GB", "+442079460018"],
])("%j with the country %j is %s", (text, country, number) => {
	expect(normalizePhoneNumber(text, country)).toBe(number);
});

test.each([
	["06 12 34 56 78", ""],
	["06 12 34 56 78", "XX"],
	["06 12 34 56 7", "FR"],
	["06 12 34 56 78 x9", "FR"],
	["- 06 12 34 56 78", "FR"],
	["...", "FR"],
	["   ", "FR"],
	["06 12 34 56 78 06 12 34 56 78 06 12 34", "FR"],
])("%j with the country %j is no number", (text, country) => {
	expect(normalizePhoneNumber(text, country)).toBeUndefined();
});
