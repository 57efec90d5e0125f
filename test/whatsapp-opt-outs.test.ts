import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../services/gateway/test/call.ts";
import { type OwnApiWorld, startApiWorld } from "./api/api-world.ts";

const USER = "33612347777";
/** Hears of all that came before. */
const OTHER = "33612347778";
/** A killed process is started again under the load of other tests. */
const AFTER_KILL = { timeoutMs: 120_000 };

let world: OwnApiWorld;
beforeAll(async () => {
	world = await startApiWorld();
});
afterAll(() => world.dispose());

/** A user of the look-alike stops marketing messages, or resumes them; resolves once the callback was taken. */
async function say(
	value: "stop" | "resume",
	timestamp: number,
	from = USER,
): Promise<void> {
	const { url } = world.system.cloudApi;
	const { status } = await fetch(`${url}/control/preference`, {
		method: "POST",
		body: JSON.stringify({ from, value, timestamp }),
	});
	expect(status).toBe(200);
}

test("who stops marketing messages on WhatsApp is on the organization's list, though processes are killed; a resume takes them off", async () => {
	const { id: organizationId, apiKey } = await world.organization();
	const phoneNumberId = await world.whatsappNumber(organizationId);
	await world.admin.optOutSettings.setOptOutSettings({
		organizationId,
		scope: "organization",
	});
	const send = (path: string, body?: object) =>
		call(world.baseUrl, path, {
			apiKey,
			...(body && { method: "POST", body }),
		});
	const listed = async () =>
		Array.from(Object((await send("/opt-outs")).body.optOuts));
	const now = Math.floor(Date.now() / 1_000);

	await say("stop", now);
	for (const name of ["whatsapp", "messaging-delivery"] as const) {
		await world.system.kill(name, "SIGKILL");
		await world.system.restart(name);
	}
	const entry = { recipient: `+${USER}`, sender: null, source: "whatsapp" };
	await eventually(
		async () => expect(await listed()).toMatchObject([entry]),
		AFTER_KILL,
	);
	const sms = { to: USER, message: "News" };
	expect((await send("/sms/send", sms)).body.error?.code).toBe(
		"recipient_opted_out",
	);
	const template = await send("/whatsapp/messages", {
		type: "template",
		to: USER,
		phoneNumberId,
		template: {
			name: "order_update",
			language: "en_US",
			category: "utility",
			parameters: ["1042", "today"],
		},
	});
	expect(template.status, template.text).toBe(202);

	await say("resume", now + 1);
	await eventually(async () => expect(await listed()).toEqual([]), AFTER_KILL);
	// The callback of before comes again.
	await say("stop", now);
	await say("stop", now, OTHER);
	await eventually(
		async () =>
			expect(await listed()).toMatchObject([{ recipient: `+${OTHER}` }]),
		AFTER_KILL,
	);
	expect((await send("/sms/send", sms)).status).toBe(202);
});
