import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { call } from "../../services/gateway/test/call.ts";
import {
	adminClients,
	createOrganization,
	type TestOrganization,
} from "../support/organization.ts";
import { type ApiWorld, sharedApiWorld } from "./api-world.ts";

const SEED = 33;
/** Of one organization: the first one runs out of quota on the way, the last one never has any. */
const QUOTAS = [6, 10_000, 10_000, 1];
const CASES = 30;
const TIMEOUT_MS = 900_000;

let world: ApiWorld;
let organizations: readonly TestOrganization[];

beforeAll(async () => {
	world = await sharedApiWorld();
	const admin = adminClients(world.system);
	organizations = await Promise.all(
		QUOTAS.map((quota) => createOrganization(admin, quota)),
	);
});

const character = fc.constantFrom(..."ae 1@€{éŽ’😀ж");
const body = fc.record({
	to: fc.constantFrom("+33612345678", "33698765432", "+447911123456", "12"),
	message: fc.oneof(
		fc.string({ unit: character, minLength: 1, maxLength: 300 }),
		fc
			.tuple(character, fc.integer({ min: 60, max: 1_601 }))
			.map(([character, length]) => character.repeat(length)),
	),
	senderName: fc.constantFrom(undefined, "Airtower", "Airtower", "Nobody"),
	clientReference: fc.constantFrom(undefined, "order 7"),
});

test(
	"over HTTP a preview says what the send that follows says, to the unit of quota",
	async () => {
		const bodies = fc.sample(body, { numRuns: CASES, seed: SEED });
		const accepted = await Promise.all(
			organizations.map((one) => compareAll(one, bodies)),
		);
		expect(Math.min(...accepted)).toBe(1);
		expect(Math.max(...accepted)).toBeGreaterThan(6);
	},
	TIMEOUT_MS,
);

/** Returns how many were accepted. */
async function compareAll(
	{ apiKey }: TestOrganization,
	bodies: readonly object[],
): Promise<number> {
	let accepted = 0;
	for (const body of bodies) {
		const options = { method: "POST", apiKey, body };
		const preview = await call(world.baseUrl, "/sms/preview", options);
		const send = await call(world.baseUrl, "/sms/send", options);
		if (preview.status !== 200) {
			expect([preview.status, preview.body.error]).toEqual([
				send.status,
				send.body.error,
			]);
			continue;
		}
		expect(preview.body).toMatchObject({
			accepted: send.status === 202,
			httpStatus: send.status,
			error: send.body.error ?? null,
			remainingQuota: send.body.remainingQuota ?? null,
		});
		if (send.status !== 202) continue;
		accepted++;
		const { messageId } = Object(send.body.provider);
		const shown = await call(world.baseUrl, `/sms/messages/${messageId}`, {
			apiKey,
		});
		const { segments, recipient, sender_id, sender_name } = Object(
			shown.body.message,
		);
		expect(preview.body).toMatchObject({
			segments,
			recipient,
			sender: { id: sender_id, value: sender_name },
		});
	}
	return accepted;
}
