import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type { OptOutAdminService } from "@airtower/proto/messaging/v1/opt_outs";
import { isNumberedCountry } from "@airtower/proto/rules/phone-number";
import {
	EVERYWHERE,
	listKey,
	placesWithLists,
	type SetLists,
	type WordFamily,
	wordFamilies,
	wordsOfPlace,
} from "../../domain/opt-outs/opt-out-words.ts";
import { takesWord, toWords } from "../../domain/opt-outs/read-word.ts";
import { findKeywords } from "../../store/inbound/inbound-numbers.ts";
import {
	deleteList,
	findSetLists,
	lockOptOutWords,
	putList,
} from "../../store/opt-outs/opt-out-words.ts";
import type { Handler } from "../handler.ts";

export const listOptOutWords: Handler<
	typeof OptOutAdminService.method.listOptOutWords
> = async ({ sql }, { country }, context) => {
	assertOrganization(context, "*");
	const set = await findSetLists(sql);
	const places =
		country === ""
			? placesWithLists(set)
			: [...new Set([EVERYWHERE, readCountry(country)])];
	return {
		lists: places.flatMap((place) =>
			wordFamilies.map((family) => toList(place, family, set)),
		),
	};
};

export const setOptOutWords: Handler<
	typeof OptOutAdminService.method.setOptOutWords
> = async ({ sql }, request, context) => {
	assertOrganization(context, "*");
	const { words, useBuiltIn } = request;
	const country = readCountry(request.country);
	const family = readFamily(request.family);
	for (const word of words)
		if (toWords(word).length === 0)
			throw invalid(
				"invalid_word",
				"words",
				`"${word}" has no letter, so no text begins with it.`,
			);
	if (useBuiltIn && words.length > 0)
		throw invalid(
			"invalid_word",
			"words",
			"Name words, or take the built-in ones, but not both.",
		);
	const set = await transaction(sql, async (sql) => {
		await lockOptOutWords(sql);
		const before = await findSetLists(sql);
		if (useBuiltIn) await deleteList(sql, country, family);
		else await putList(sql, country, family, words);
		const after = await findSetLists(sql);
		const list = wordsOfPlace(country, family, after);
		assertNoKeywords(list, await findKeywords(sql));
		await recordAct(sql, context, {
			subject: listKey(country, family),
			before: { words: wordsOfPlace(country, family, before).join(", ") },
			after: { words: list.join(", ") },
		});
		return after;
	});
	return { list: toList(country, family, set) };
};

/** Throws invalid `invalid_word`. */
function assertNoKeywords(
	words: readonly string[],
	keywords: readonly string[],
): void {
	for (const word of words)
		for (const keyword of keywords)
			if (takesWord(keyword, word))
				throw invalid(
					"invalid_word",
					"words",
					`"${word}" begins with "${keyword}", a keyword of a shared number; leave the word out, or remove the keyword first.`,
				);
}

function readCountry(given: string): string {
	const country = given.toUpperCase();
	if (country === EVERYWHERE || isNumberedCountry(country)) return country;
	throw invalid(
		"unknown_country",
		"country",
		"A country is written as two letters, for example FR; * is every country.",
	);
}

function readFamily(given: string): WordFamily {
	return wordFamilies.find((one) => one === given) ?? "stop";
}

function toList(country: string, family: WordFamily, set: SetLists) {
	return {
		country,
		family,
		words: [...wordsOfPlace(country, family, set)],
		isSet: set.has(listKey(country, family)),
	};
}
