import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeAllRules, setRouteState } from "./rules/rule-world.ts";
import { clientsOf } from "./support/clients.ts";
import { messageTo } from "./support/messaging.ts";
import {
	comparePreviews,
	type PreviewWorld,
	shownOf,
	startPreviewWorld,
} from "./support/preview-world.ts";

/** Of 100 messages each; `preview-equals-send.test.ts` has all. */
const ROUNDS = 15;
const TIMEOUT_MS = 900_000;

let world: PreviewWorld;

beforeAll(async () => {
	world = await startPreviewWorld();
});

afterAll(() => world.service.close());

test(
	"of 1,500 messages each is previewed as it is sent or refused",
	async () => {
		const seen = await comparePreviews(world, ROUNDS);
		expect(seen.get("accepted")).toBeGreaterThan(400);
		expect(seen.get("recipient_opted_out")).toBeGreaterThan(20);
	},
	TIMEOUT_MS,
);

test("a preview stores and debits nothing, and uses up no idempotency key", async () => {
	const [{ id = "" } = {}] = world.organizations;
	world.service.ledger.balances.set(id, 3);
	world.service.ledger.suspended.clear();
	await world.service.sql`delete from opt_outs`;
	await removeAllRules(world.rules);
	await setRouteState(world.service, "third", "active");
	const before = await rowCounts();
	const idempotency = { key: "key-1", fingerprint: Buffer.alloc(32, 1) };
	const message = messageTo(id, { idempotency });
	const { results } = await world.service.messaging.previewMessages({
		messages: [message, message],
	});
	for (const { send, quotaBefore } of results) {
		expect(shownOf(send)).toEqual({ remaining: 2n });
		expect(quotaBefore).toBe(3n);
	}
	expect(await rowCounts()).toEqual(before);
	expect(world.service.ledger.balances.get(id)).toBe(3);
	const other = { ...idempotency, fingerprint: Buffer.alloc(32, 2) };
	const { results: sent } = await world.service.messaging.sendMessages({
		messages: [messageTo(id, { idempotency: other })],
	});
	expect(sent.map(shownOf)).toEqual([{ remaining: 2n }]);
});

async function rowCounts() {
	const [row] = await world.service.sql`
		select
			(select count(*) from messages) as messages,
			(select count(*) from dispatch) as dispatch,
			(select count(*) from idempotency_keys) as keys
	`;
	return row;
}

test("while accounts is away a preview says what the send says", async () => {
	const [{ id = "" } = {}] = world.organizations;
	await world.service.sql`delete from opt_outs`;
	world.service.ledger.down = true;
	const messages = [messageTo(id)];
	const { results: previews } = await world.service.messaging.previewMessages({
		messages,
	});
	const { results } = await world.service.messaging.sendMessages({ messages });
	world.service.ledger.down = false;
	expect(previews.map(({ send }) => shownOf(send))).toEqual(
		results.map(shownOf),
	);
	expect(previews[0]?.quotaBefore).toBeUndefined();
	expect(previews[0]?.routes).not.toEqual([]);
});

test("another organization's messages are not previewed", async () => {
	const [{ id = "" } = {}, { id: other = "" } = {}] = world.organizations;
	const { messaging } = clientsOf(world.service.running.port, {
		organization: other,
	});
	await expect(
		messaging.previewMessages({ messages: [messageTo(id)] }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
});
