import { countSeptets } from "@airtower/proto/rules/segments";
import { expect, test } from "vitest";
import { transliterate } from "./transliteration.ts";

test.each([
	["Zażółć gęślą jaźń", "Zazolc gesla jazn"],
	["Příliš žluťoučký kůň", "Prilis zlutoucky kun"],
	["İstanbul’da şöför ğ ı", "Istanbul'da söför g i"],
	["Țară și îngheț", "Tara si inghet"],
	["árvíztűrő tükörfúrógép", "arviztürö tükörfurogép"],
	["« Ça », œuvre, à Noël", "<< Ça >>, oeuvre, à Noel"],
	["“Quote” — it’s…", '"Quote" - it\'s...'],
	["5\u00a0€ – 10\u202f€", "5 € - 10 €"],
	["cafe\u0301", "café"],
	["x\u200by\ufeff", "xy"],
])("%j is written as %j", (text, plain) => {
	expect(transliterate(text)).toBe(plain);
});

test.each(["Привет", "γειά", "Hi 😀", "中文", "½ l", "10²"])(
	"%j has characters without a plain form",
	(text) => {
		expect(transliterate(text)).toBeUndefined();
	},
);

test("what comes out is GSM-7, and stays what it is when it goes in again", () => {
	for (let unit = 0; unit < 0x10000; unit++) {
		const plain = transliterate(String.fromCharCode(unit));
		if (plain === undefined) continue;
		expect(countSeptets(plain)).toBeDefined();
		expect(transliterate(plain)).toBe(plain);
	}
});
