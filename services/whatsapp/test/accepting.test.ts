import { createHash, randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	reasonsOf,
	type Send,
	templateTo,
	templateWith,
	textTo,
} from "./support/messages.ts";
import {
	type Stage,
	startStage,
	type TestOrganization,
} from "./support/stage.ts";

let stage: Stage;
let own: TestOrganization;
let foreign: TestOrganization;

beforeAll(async () => {
	stage = await startStage();
	own = await stage.newOrganization();
	foreign = await stage.newOrganization();
});
afterAll(() => stage.close());

const TO = "+33612345678";

async function resultsOf(...messages: Send[]) {
	const { results } = await stage.clients.whatsapp.sendWhatsAppMessages({
		messages,
	});
	return results;
}

const keyed = (message: Send, key: string): Send => ({
	...message,
	idempotency: {
		key,
		fingerprint: createHash("sha256").update(JSON.stringify(message)).digest(),
	},
});

it("a caller that has given up has told its clients to try again: its message is not stored", async () => {
	const { sql } = stage.database;
	const clientReference = randomUUID();
	const messages = [{ ...templateTo(own, TO), clientReference }];
	await transaction(sql, async (sql) => {
		await sql`lock table templates in access exclusive mode`;
		const send = stage.clients.whatsapp.sendWhatsAppMessages(
			{ messages },
			{ timeoutMs: 300 },
		);
		await expect(send).rejects.toThrow();
	});
	for (let later = 0; later < 3; later++)
		expect(await resultsOf(templateTo(own, TO))).toMatchObject([
			{ result: { case: "accepted" } },
		]);
	const stored = await sql`
		select
		from messages
		where client_reference = ${clientReference}
	`;
	expect(stored).toHaveLength(0);
});

describe("a send is refused before it reaches the provider:", () => {
	const cases: [string, () => Send, string][] = [
		[
			"an unknown number",
			() => ({ ...templateTo(own, TO), phoneNumberId: randomUUID() }),
			"unknown_phone_number phoneNumberId",
		],
		[
			"another organization's number",
			() => ({ ...templateTo(own, TO), phoneNumberId: foreign.phoneNumberId }),
			"unknown_phone_number phoneNumberId",
		],
		[
			"a number id that is none",
			() => ({ ...templateTo(own, TO), phoneNumberId: "x" }),
			"unknown_phone_number phoneNumberId",
		],
		[
			"a recipient that is none",
			() => templateTo(own, "12"),
			"invalid_phone_number to",
		],
		[
			"an unknown template",
			() => templateWith(own, TO, { name: "nothing" }),
			"template_not_found template.name",
		],
		[
			"another language",
			() => templateWith(own, TO, { language: "de" }),
			"template_not_found template.name",
		],
		[
			"a pending template",
			() =>
				templateWith(own, TO, { name: "parcel_survey", parameters: ["Ada"] }),
			"template_not_sendable template.name",
		],
		[
			"a paused template",
			() => templateWith(own, TO, { name: "old_notice", parameters: ["Ada"] }),
			"template_not_sendable template.name",
		],
		[
			"a marketing template",
			() => templateWith(own, TO, { name: "spring_sale", parameters: ["Ada"] }),
			"template_not_sendable template.name",
		],
		[
			"another category",
			() => templateWith(own, TO, { category: "authentication" }),
			"template_category_mismatch template.category",
		],
		[
			"too few parameters",
			() => templateWith(own, TO, { parameters: ["Ada"] }),
			"template_parameters_mismatch template.parameters",
		],
		[
			"an empty parameter",
			() => templateWith(own, TO, { parameters: ["Ada", ""] }),
			"template_parameters_mismatch template.parameters",
		],
		[
			"a text without a window",
			() => textTo(own, TO),
			"service_window_closed to",
		],
		["an empty text", () => textTo(own, TO, " "), "required text.body"],
		[
			"a text of 4,097 characters",
			() => textTo(own, TO, "\u{1F600}".repeat(4_097)),
			"message_too_long text.body",
		],
		[
			"a NUL in a text",
			() => textTo(own, TO, "a\0b"),
			"invalid_characters text.body",
		],
		[
			"a long reference",
			() => ({ ...templateTo(own, TO), clientReference: "r".repeat(129) }),
			"too_long clientReference",
		],
	];
	it.each(cases)("%s", async (_, message, reason) => {
		const results = await resultsOf(message());
		expect(reasonsOf(results)).toEqual([reason]);
		const [result] = results;
		const value =
			result?.result.case === "refused" ? result.result.value : undefined;
		expect(value?.message).toMatch(/^[A-Z].*\.$/);
	});

	it("and its neighbours in the batch go through", async () => {
		const reasons = reasonsOf(
			await resultsOf(
				templateTo(own, TO),
				templateTo(own, "12"),
				templateTo(own, TO),
			),
		);
		expect(reasons).toEqual(["", "invalid_phone_number to", ""]);
	});
});

describe("an idempotency key", () => {
	it("gives 100 concurrent duplicates one message and one response", async () => {
		const message = keyed(templateTo(own, TO), randomUUID());
		const before = stage.api.sends.length;
		const results = await Promise.all(
			Array.from({ length: 100 }, () => resultsOf(message)),
		);
		const accepted = results
			.flat()
			.flatMap(({ result }) =>
				result.case === "accepted" ? [result.value] : [],
			);
		expect(new Set(accepted.map((one) => one.messageId)).size).toBe(1);
		expect(accepted.filter((one) => one.replayed)).toHaveLength(99);
		const id = accepted[0]?.messageId;
		await eventually(() =>
			expect(
				stage.api.sends.slice(before).filter((one) => one.opaque === id),
			).toHaveLength(1),
		);
	});

	it("serves duplicates inside one batch, and refuses another request under it", async () => {
		const key = randomUUID();
		const message = keyed(templateTo(own, TO), key);
		const other = keyed(templateTo(own, "+33612345679"), key);
		expect(reasonsOf(await resultsOf(message, message, other))).toEqual([
			"",
			"",
			"idempotency_key_reused",
		]);
		expect(reasonsOf(await resultsOf(other))).toEqual([
			"idempotency_key_reused",
		]);
	});

	it("is free again after a refusal, and is each organization's own", async () => {
		const key = randomUUID();
		expect(reasonsOf(await resultsOf(keyed(textTo(own, TO), key)))).toEqual([
			"service_window_closed to",
		]);
		expect(reasonsOf(await resultsOf(keyed(templateTo(own, TO), key)))).toEqual(
			[""],
		);
		expect(
			reasonsOf(await resultsOf(keyed(templateTo(foreign, TO), key))),
		).toEqual([""]);
	});
});
