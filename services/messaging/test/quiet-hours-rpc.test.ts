import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestCaller,
	testRpcClient,
} from "@airtower/platform/testing/rpc-client";
import { QuietHoursService } from "@airtower/proto/messaging/v1/quiet_hours";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusalOf } from "./support/clients.ts";
import { startTestService, type TestService } from "./support/service.ts";

const NIGHT = { startMinute: 21 * 60, endMinute: 8 * 60 };
const EVENING = { startMinute: 20 * 60, endMinute: 0 };

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.close());

function clients(caller: TestCaller = {}) {
	const common = {
		baseUrl: `http://127.0.0.1:${service.running.port}`,
		audience: "messaging",
		...caller,
	};
	return {
		hours: testRpcClient({ ...common, service: QuietHoursService }),
		audit: testRpcClient({ ...common, service: AuditService }),
	};
}

async function hoursOf(organizationId: string) {
	const found = await clients().hours.getQuietHours({ organizationId });
	const { startMinute, endMinute } = found.quietHours ?? {};
	return found.quietHours && { startMinute, endMinute };
}

test("quiet hours are set, changed and ended, each change with its place in the audit", async () => {
	const organizationId = uuidv7();
	const callerApiKeyId = uuidv7();
	const { hours } = clients({ issuer: "gateway" });
	expect(await hoursOf(organizationId)).toBeUndefined();
	const by = { callerApiKeyId, callerAddress: "192.0.2.7" };
	await hours.setQuietHours({ organizationId, quietHours: NIGHT, ...by });
	expect(await hoursOf(organizationId)).toEqual(NIGHT);
	await hours.setQuietHours({ organizationId, quietHours: NIGHT, ...by });
	const admin = clients({ issuer: "admin" });
	await admin.hours.setQuietHours({ organizationId, quietHours: EVENING });
	expect(await hoursOf(organizationId)).toEqual(EVENING);
	await hours.clearQuietHours({ organizationId, ...by });
	await hours.clearQuietHours({ organizationId, ...by });
	expect(await hoursOf(organizationId)).toBeUndefined();
	const { entries } = await admin.audit.listAuditEntries({
		organizationId,
		page: { limit: 10 },
	});
	const night = '{"end":"08:00","start":"21:00"}';
	const evening = '{"end":"00:00","start":"20:00"}';
	const key = { actorKind: "api_key", actor: callerApiKeyId };
	expect(entries.map(toComparable)).toEqual([
		{ ...key, action: "clear_quiet_hours", before: evening, after: "" },
		expect.objectContaining({
			actorKind: "admin",
			before: night,
			after: evening,
		}),
		{ ...key, action: "set_quiet_hours", before: "", after: night },
	]);
});

function toComparable(entry: {
	readonly actorKind: string;
	readonly actor: string;
	readonly action: string;
	readonly before: string;
	readonly after: string;
}) {
	const { actorKind, actor, action, before, after } = entry;
	return { actorKind, actor, action, before, after };
}

test.each([
	[
		"without an open hour",
		{ startMinute: 480, endMinute: 421 },
		"invalid_quiet_hours",
	],
	[
		"that begin when they end",
		{ startMinute: 480, endMinute: 480 },
		"invalid_quiet_hours",
	],
	[
		"that end after the day",
		{ startMinute: 480, endMinute: 1_440 },
		"validation_failed",
	],
	[
		"that begin before it",
		{ startMinute: -1, endMinute: 480 },
		"validation_failed",
	],
])("quiet hours %s are refused", async (_, quietHours, reason) => {
	const organizationId = uuidv7();
	const asked = clients().hours.setQuietHours({ organizationId, quietHours });
	expect(await refusalOf(asked)).toBe(reason);
	expect(await hoursOf(organizationId)).toBeUndefined();
});

test("an hour that stays open is enough", async () => {
	const organizationId = uuidv7();
	const quietHours = { startMinute: 480, endMinute: 420 };
	await clients().hours.setQuietHours({ organizationId, quietHours });
	expect(await hoursOf(organizationId)).toEqual(quietHours);
});

test("nobody reads or changes another organization's", async () => {
	const organizationId = uuidv7();
	const { hours } = clients({ issuer: "gateway", organization: uuidv7() });
	for (const call of [
		hours.getQuietHours({ organizationId }),
		hours.setQuietHours({ organizationId, quietHours: NIGHT }),
		hours.clearQuietHours({ organizationId }),
	])
		expect(await refusalOf(call)).toBe("organization_mismatch");
});
