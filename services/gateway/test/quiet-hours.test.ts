import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

const PATH = "/quiet-hours";
const NIGHT = { start: "21:00", end: "08:30" };

let world: World;

beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

test("they are set, shown and ended, and messaging hears which key did it", async () => {
	const { apiKey, apiKeyId, organizationId } = world.accounts.addKey();
	const ask = (method: string, body?: object) =>
		call(world.baseUrl, PATH, { method, apiKey, body });
	expect((await ask("GET")).body).toEqual({ success: true, quietHours: null });
	const set = await ask("PUT", NIGHT);
	expect([set.status, set.body]).toEqual([
		200,
		{ success: true, quietHours: NIGHT },
	]);
	expect(world.messaging.quietHourChanges.at(-1)).toMatchObject({
		organizationId,
		quietHours: { startMinute: 1_260, endMinute: 510 },
		callerApiKeyId: apiKeyId,
		callerAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
	});
	expect((await ask("GET")).body.quietHours).toEqual(NIGHT);
	expect((await ask("DELETE")).body).toEqual({ success: true });
	expect((await ask("GET")).body.quietHours).toBeNull();
});

test.each([
	[{ start: "21:00" }, "end", "required"],
	[{ ...NIGHT, start: "24:00" }, "start", "invalid_format"],
	[{ ...NIGHT, end: "8:30" }, "end", "invalid_format"],
	[{ ...NIGHT, end: 8 }, "end", "invalid_type"],
	[{ ...NIGHT, days: [] }, "days", "unknown_field"],
	[{ start: "08:00", end: "08:00" }, "end", "invalid_quiet_hours"],
])("%j is refused by its field '%s' as %s", async (body, field, code) => {
	const { apiKey } = world.accounts.addKey();
	const response = await call(world.baseUrl, PATH, {
		method: "PUT",
		apiKey,
		body,
	});
	expect(response.status).toBe(400);
	expect(response.body.error?.details).toEqual([
		expect.objectContaining({ field, code }),
	]);
});

test("a send tells when the message goes, and a repetition tells the same", async () => {
	const { apiKey } = world.accounts.addKey();
	const send_at = "2030-01-01T08:30:00.000Z";
	const body = { to: "+33612345678", message: "hello", send_at };
	const headers = { "idempotency-key": "order-7" };
	const ask = () =>
		call(world.baseUrl, "/sms/send", { method: "POST", apiKey, body, headers });
	const first = await ask();
	expect(first.body.send_at).toBe(send_at);
	expect((await ask()).text).toBe(first.text);
	const preview = await call(world.baseUrl, "/sms/preview", {
		method: "POST",
		apiKey,
		body,
	});
	expect(preview.body.send_at).toBe(send_at);
});
