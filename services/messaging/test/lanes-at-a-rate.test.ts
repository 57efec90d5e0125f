import { eventually } from "@airtower/platform/testing/eventually";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import { startTestService, type TestService } from "./support/service.ts";

/** Segments a second. */
const RATE = 50;
const BATCH = 500;
/** What the operator takes in a second: the way from a commit to the wire on a busy machine, and no queue. */
const AT_ONCE = RATE;

let smsc: Smsc;
let service: TestService;
let organization: string;

beforeEach(async () => {
	smsc = await startSmsc({ settings: { receiptDelayMs: 20 } });
	service = await startTestService({
		realOperator: true,
		env: {
			SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?window=100&rate=${RATE}&code=main`,
		},
	});
	organization = await organizationWith(service, 1_000_000);
});

afterEach(async () => {
	await service.close();
	await smsc.close();
});

/** Sends so many messages, which must be accepted. */
async function send(
	count: number,
	priority: string,
	organizationId = organization,
	body = priority,
): Promise<void> {
	for (let sent = 0; sent < count; sent += BATCH) {
		const { results } = await service.messaging.sendMessages({
			messages: Array.from({ length: Math.min(BATCH, count - sent) }, () =>
				messageTo(organizationId, { priority, body }),
			),
		});
		for (const result of results) acceptedOf(result);
	}
}

/** Texts of what the operator has taken, in order. */
const taken = () => smsc.log.taken().map(({ text }) => text);

async function takenMoreThan(count: number): Promise<void> {
	await eventually(() => expect(taken().length).toBeGreaterThan(count));
}

test("one-time passwords go out at once while more than a thousand of a campaign wait for the operator's rate", async () => {
	await send(1_500, "bulk");
	await takenMoreThan(0);
	for (let nth = 0; nth < 5; nth++) {
		await send(1, "otp");
		const before = taken().length;
		await eventually(() =>
			expect(taken().filter((text) => text === "otp")).toHaveLength(nth + 1),
		);
		const waited = taken().lastIndexOf("otp") - before;
		expect(waited).toBeLessThan(AT_ONCE);
	}
});

test("a campaign has its share of the rate under a flood of one-time passwords", async () => {
	await send(600, "otp");
	await takenMoreThan(0);
	await send(200, "bulk");
	const before = taken().length;
	await takenMoreThan(before + 140);
	const bulk = taken()
		.slice(before)
		.filter((text) => text === "bulk").length;
	expect(bulk).toBeGreaterThan(20);
});

test("one organization's flood of one-time passwords leaves another's no later", async () => {
	const other = await organizationWith(service, 10);
	await send(600, "otp");
	await takenMoreThan(0);
	await send(1, "otp", other, "of the other");
	const before = taken().length;
	await eventually(() => expect(taken()).toContain("of the other"));
	expect(taken().indexOf("of the other") - before).toBeLessThan(AT_ONCE);
});
