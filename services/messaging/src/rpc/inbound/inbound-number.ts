import { invalid } from "@airtower/platform/runtime/domain-error";
import { readKeyword } from "../../domain/inbound/first-word.ts";
import { toInboundAddress } from "../../domain/inbound/inbound-address.ts";
import {
	allWords,
	type SetLists,
} from "../../domain/opt-outs/opt-out-words.ts";
import { takesWord } from "../../domain/opt-outs/read-word.ts";

const MAX_ADDRESS = 21;

/** Of a keyword that would take STOP or the like away from a number. Throws invalid `invalid_keyword`. */
export function assertNoOptOutWord(keyword: string, set: SetLists): void {
	if (allWords(set).some((word) => takesWord(keyword, word)))
		throw invalid(
			"invalid_keyword",
			"keyword",
			"Texts that begin with this word opt out, opt in or ask for help, as admin opt-outs words lists them; choose another keyword.",
		);
}

/** Reads a number as it is stored. Throws invalid `invalid_inbound_number`, `invalid_keyword`. */
export function readInboundNumber(request: {
	readonly number: string;
	readonly keyword: string;
}): { readonly number: string; readonly keyword: string | null } {
	const isNumber = /^[+\d\s().-]+$/.test(request.number);
	const plain = request.number.replace(isNumber ? /[\s().-]/g : "", "");
	const number = toInboundAddress(plain);
	if (number === "" || number.length > MAX_ADDRESS || /^\+(?!\d)/.test(number))
		throw invalid(
			"invalid_inbound_number",
			"number",
			`A number that receives is in international form like +33612345678, a short code, or a name of 1 to ${MAX_ADDRESS} characters.`,
		);
	if (request.keyword === "") return { number, keyword: null };
	const keyword = readKeyword(request.keyword);
	if (keyword === undefined)
		throw invalid(
			"invalid_keyword",
			"keyword",
			"A keyword is one word of letters and digits.",
		);
	return { number, keyword };
}
