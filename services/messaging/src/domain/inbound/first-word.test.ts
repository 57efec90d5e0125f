import { expect, test } from "vitest";
import { firstWord, readKeyword } from "./first-word.ts";

test.each([
	["STOP", "stop"],
	["  Arrêt, merci", "arret"],
	["¡Basta!", "basta"],
	["🛑 Stop 🛑", "stop"],
	["«СТОП»", "стоп"],
	["ΣΤΟΠ τώρα", "στοπ"],
	["İPTAL", "iptal"],
	["ＳＴＯＰ", "stop"],
	["win2 now", "win2"],
	["stop-please", "stop"],
	["", ""],
	["?!…", ""],
])("the first word of %j is %j", (text, word) => {
	expect(firstWord(text)).toBe(word);
});

test("a keyword is one word, in the form in which texts are compared", () => {
	expect(readKeyword(" Début ")).toBe("debut");
	for (const bad of ["", "two words", "a-b", "!", "win!"])
		expect(readKeyword(bad)).toBeUndefined();
});
