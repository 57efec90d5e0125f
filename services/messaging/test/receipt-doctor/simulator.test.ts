import type { BusEvent } from "@airtower/platform/events/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { keyRingText } from "@airtower/platform/testing/keys";
import { topics } from "@airtower/proto/rules/topics";
import { startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished, test } from "vitest";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "../support/messaging.ts";
import { startTestService } from "../support/service.ts";
import { doctorClient, numberOf } from "./doctor-world.ts";

const CHUNK = 250;
const BEFORE = CHUNK;
const PARKED = 4 * CHUNK;
const AFTER = CHUNK;
/** From here on no number has a behaviour of its own at the simulator. */
const FIRST = 20_100;

test("an operator that changes the form of its receipts' ids in the middle: nothing ends until the diagnosis is applied, then everything does once, and what comes later too", async () => {
	const smsc = await startSmsc({ settings: { receiptDelayMs: 20 } });
	const service = await startTestService({
		realOperator: true,
		env: {
			ENCRYPTION_KEYS: keyRingText(),
			SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?code=main&window=100&ids=hex`,
		},
	});
	onTestFinished(async () => {
		await service.close();
		await smsc.close();
	});
	const doctor = doctorClient(service.running.port);
	const events: BusEvent[] = [];
	await service.events.bus.subscribe({
		group: "test",
		topics: [topics.messagingOutcome],
		onBatch: async (batch) => {
			events.push(...batch);
		},
	});
	const organization = await organizationWith(service, 100_000);
	const sent: string[] = [];
	const send = async (count: number) => {
		for (let n = 0; n < count; n += CHUNK) {
			const messages = Array.from({ length: CHUNK }, (_, nth) =>
				messageTo(organization, { to: numberOf(FIRST + sent.length + nth) }),
			);
			const { results } = await service.messaging.sendMessages({ messages });
			sent.push(...results.map((result) => acceptedOf(result).messageId));
		}
	};
	const delivered = (count: number) =>
		eventually(async () => {
			const rows = await service.sql`
				select
				from messages
				where status = 'delivered'
			`;
			expect(rows.count).toBe(count);
		});

	await send(BEFORE);
	await delivered(BEFORE);
	smsc.settings.receiptIds = "dec";
	await send(PARKED);
	await eventually(async () => {
		const { accounts } = await doctor.listParkedReceipts({});
		expect(accounts).toMatchObject([{ receipts: BigInt(PARKED) }]);
	});
	await delivered(BEFORE);

	const { findings } = await doctor.diagnoseReceipts({ account: "main" });
	expect(findings[0]).toMatchObject({
		proposal: "ids=hex-dec",
		isProposed: true,
		tally: { matched: BigInt(PARKED), ambiguous: 0n, contradicted: 0n },
	});
	let cursor = "";
	do {
		const step = { account: "main", proposal: "ids=hex-dec", cursor };
		({ cursor } = await doctor.applyDiagnosis(step));
	} while (cursor !== "");
	await delivered(BEFORE + PARKED);
	await send(AFTER);
	await delivered(BEFORE + PARKED + AFTER);
	await eventually(() => expect(events).toHaveLength(sent.length));
	expect(new Set(events.map(({ key }) => key))).toEqual(new Set(sent));
	expect((await doctor.listParkedReceipts({})).accounts).toEqual([]);
});
