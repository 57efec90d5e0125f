import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcileReservations } from "../src/jobs/reconcile-reservations.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import {
	type AccountsProcess,
	startAccountsProcess,
} from "./support/accounts-process.ts";
import { expectSoundLedgers } from "./support/ledger.ts";
import {
	type MessagingServer,
	startMessagingServer,
} from "./support/messaging-server.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";

/** Another replica on the same database, which goes on where the dead one stopped. */
let survivor: TestAccounts;
let messaging: MessagingServer;
const started = new Set<AccountsProcess>();

beforeAll(async () => {
	messaging = await startMessagingServer();
	survivor = await startTestAccounts({ messaging: messaging.messages });
});

afterAll(async () => {
	for (const service of started) await service.stop("SIGKILL");
	await survivor.close();
	await messaging.close();
});

async function start(
	faultPoints = "",
	untilReady = true,
): Promise<AccountsProcess> {
	const service = await startAccountsProcess({
		database: survivor.database,
		messagingUrl: messaging.url,
		faultPoints,
		untilReady,
	});
	started.add(service);
	return service;
}

/** Balance after each reservation, or the reason of its refusal. */
async function reserve(
	service: Pick<TestAccounts, "accounts">,
	reservations: ReturnType<typeof reservationsOf>,
) {
	const { results } = await service.accounts.reserveQuota({ reservations });
	return results.map(({ result }) =>
		result.case === "granted" ? result.value.remaining : result.value?.reason,
	);
}

test("killed before its response, a repeated batch is debited exactly once", async () => {
	const dying = await start("accounts.after_reserve_commit:3");
	const organizationId = await organizationWith(survivor, 100);
	const batches = [1, 2, 3].map(() => reservationsOf(organizationId, 20));
	const [first = [], second = [], third = []] = batches;
	const responses = [await reserve(dying, first), await reserve(dying, second)];
	await expect(reserve(dying, third)).rejects.toThrow();
	expect(await dying.ended).toBe("SIGKILL");
	await expectSoundLedgers(survivor.observer);

	const expected = Array.from({ length: 20 }, (_, nth) => BigInt(59 - nth));
	expect(await reserve(survivor, third)).toEqual(expected);
	expect(await reserve(survivor, first)).toEqual(responses[0]);
	expect(await reserve(survivor, second)).toEqual(responses[1]);
	expect(await reserve(survivor, third)).toEqual(expected);
	expect(await balanceOf(survivor, organizationId)).toBe(40);
	await expectSoundLedgers(survivor.observer);
});

test("killed under a storm of batches, the repeated storm is debited exactly once", async () => {
	const dying = await start();
	const organizationIds = await Promise.all([
		organizationWith(survivor, 10_000),
		organizationWith(survivor, 10_000),
	]);
	const batches = Array.from({ length: 60 }, () =>
		organizationIds.flatMap((id) => reservationsOf(id, 50)),
	);
	// At the first response: on a slow machine many may already be waiting behind it.
	const storm = batches.map(async (batch) => {
		const response = await reserve(dying, batch);
		void dying.stop("SIGKILL");
		return response;
	});
	const before = await Promise.allSettled(storm);
	await expectSoundLedgers(survivor.observer);

	const after = await Promise.all(
		batches.map((batch) => reserve(survivor, batch)),
	);
	before.forEach((outcome, index) => {
		if (outcome.status === "fulfilled")
			expect(after[index]).toEqual(outcome.value);
	});
	expect(before.some((outcome) => outcome.status === "rejected")).toBe(true);
	for (const id of organizationIds)
		expect(await balanceOf(survivor, id)).toBe(7_000);
	await expectSoundLedgers(survivor.observer);
});

test.each([
	["accounts.reconciler_before_commit", 70],
	["accounts.reconciler_after_commit", 90],
])(
	"killed at %s, the reconciler releases exactly once",
	async (fault, balanceAtDeath) => {
		const organizationId = await organizationWith(survivor, 100);
		const reservations = reservationsOf(organizationId, 30);
		await reserve(survivor, reservations);
		for (const { messageId } of reservations.slice(0, 10))
			messaging.messages.stored.add(messageId);
		await growOld();

		const dying = await start(fault, false);
		expect(await dying.ended).toBe("SIGKILL");
		expect(await balanceOf(survivor, organizationId)).toBe(balanceAtDeath);
		await expectSoundLedgers(survivor.observer);

		while ((await reconcileReservations(survivor.ctx)) > 0);
		expect(await balanceOf(survivor, organizationId)).toBe(90);
		await expectSoundLedgers(survivor.observer);
	},
);

/** Makes every reservation that is not settled yet old enough to be. */
async function growOld(): Promise<void> {
	await survivor.observer`
		update ledger_entries e
		set created_at = e.created_at - interval '2 min'
		from scan_positions s
		where s.name = 'reservations/sms'
		and e.created_at > split_part(s.position, ' ', 1)::timestamptz
	`;
}
