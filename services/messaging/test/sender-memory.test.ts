import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSenderMemory } from "../src/accepting/senders.ts";
import {
	insertSender,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging();
});

afterAll(() => messaging.close());

async function organizationWithShop(status: "approved" | "pending") {
	const organizationId = uuidv7();
	await insertSender(messaging.sql, organizationId, {
		value: "Shop",
		status,
		isDefault: true,
	});
	return organizationId;
}

/** A memory with a clock of its own, and how one organization's "Shop" looks through it. */
function memoryAt(clock: { ms: number }) {
	const memory = createSenderMemory(messaging.sql, () => clock.ms);
	const statusOf = async (organizationId: string) => {
		const found = await memory.find([{ organizationId, value: "Shop" }]);
		return found.values().next().value?.status;
	};
	return { memory, statusOf };
}

async function setStatus(organizationId: string, status: string) {
	await messaging.sql`
		update sender_ids
		set status = ${status}
		where organization_id = ${organizationId}
	`;
}

test("an approval counts at once: a sender that may not send is not remembered", async () => {
	const organizationId = await organizationWithShop("pending");
	const { statusOf } = memoryAt({ ms: 1 });
	expect(await statusOf(organizationId)).toBe("pending");
	await setStatus(organizationId, "approved");
	expect(await statusOf(organizationId)).toBe("approved");
});

test("another process's decision counts after a second", async () => {
	const organizationId = await organizationWithShop("approved");
	const clock = { ms: 1 };
	const { statusOf } = memoryAt(clock);
	await statusOf(organizationId);
	await setStatus(organizationId, "suspended");
	clock.ms = 1_001;
	expect(await statusOf(organizationId)).toBe("approved");
	clock.ms = 1_002;
	expect(await statusOf(organizationId)).toBe("suspended");
});

test("a decision of this process counts at once, and for its organization alone", async () => {
	const [one, other] = [
		await organizationWithShop("approved"),
		await organizationWithShop("approved"),
	];
	const { memory, statusOf } = memoryAt({ ms: 1 });
	await statusOf(one);
	await statusOf(other);
	await setStatus(one, "suspended");
	await setStatus(other, "suspended");
	memory.forget(one);
	expect(await statusOf(one)).toBe("suspended");
	expect(await statusOf(other)).toBe("approved");
});

test("a sender is found again by every name it has, in its own organization only", async () => {
	const organizationId = await organizationWithShop("approved");
	const stranger = uuidv7();
	const { memory } = memoryAt({ ms: 1 });
	const [row] = (await memory.find([{ organizationId }])).values();
	await setStatus(organizationId, "suspended");
	const namesIn = (organizationId: string) => [
		{ organizationId, id: row?.id.toUpperCase() ?? "" },
		{ organizationId, value: "Shop" },
		{ organizationId },
	];
	const remembered = await memory.find(namesIn(organizationId));
	expect([...remembered.values()].map(({ status }) => status)).toEqual(
		Array(3).fill("approved"),
	);
	expect(await memory.find(namesIn(stranger))).toEqual(new Map());
});
