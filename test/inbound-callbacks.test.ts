import { randomInt } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import type { Dialect } from "@airtower/simulators/http-sms/dialect";
import { startHttpSms } from "@airtower/simulators/http-sms/http-sms";
import { infobipDialect } from "@airtower/simulators/http-sms/infobip";
import { twilioDialect } from "@airtower/simulators/http-sms/twilio";
import { vonageDialect } from "@airtower/simulators/http-sms/vonage";
import { expect, onTestFinished, test } from "vitest";
import { typedClient } from "./api/client.ts";
import { listen, randomNumber, receiveOn } from "./support/listen.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { sharedSystem } from "./support/shared-system.ts";

const PATIENT = { timeoutMs: 120_000 };
const LONG = `${"Oui, à 9 h, devant l'entrée. ".repeat(8)}👍`;
const SECRET = "a-secret-of-24-letters-x";

interface Provider {
	readonly preset: string;
	readonly dialect: Dialect;
	readonly settings: Record<string, string>;
	/** Of the URL that its dashboard is given. */
	readonly query: string;
	/** What it reads in our responses. */
	readonly reply: string;
}

const PROVIDERS: readonly Provider[] = [
	{
		preset: "twilio",
		dialect: twilioDialect({ accountSid: "AC01", authToken: SECRET }),
		settings: { account: "AC01", token: SECRET },
		query: "",
		reply: "text/xml <Response/>",
	},
	{
		preset: "vonage",
		dialect: vonageDialect({
			apiKey: "abcd1234",
			apiSecret: SECRET,
			signatureSecret: SECRET,
		}),
		settings: { account: "abcd1234", secret: SECRET, signature: SECRET },
		query: "",
		reply: 'application/json; charset=utf-8 {"success":true}',
	},
	{
		preset: "infobip",
		dialect: infobipDialect({ apiKey: SECRET }),
		settings: { apiKey: SECRET, callbackToken: SECRET },
		query: `?token=${SECRET}`,
		reply: 'application/json; charset=utf-8 {"success":true}',
	},
];

test.each(PROVIDERS)(
	"what a phone writes comes from an operator like $preset through the gateway once, as it was written; STOP is obeyed",
	async ({ preset, dialect, settings, query, reply }) => {
		const system = await sharedSystem();
		const admin = adminClients(system);
		const { id, apiKey } = await createOrganization(admin, 10);
		const client = typedClient(system.baseUrl, apiKey);
		const [from, to, nobodys] = [
			randomNumber(),
			randomNumber(),
			randomNumber(),
		];
		await receiveOn(admin, to, id);
		const hear = await listen(client, "message.received");
		const operator = await startHttpSms({ dialect });
		onTestFinished(() => operator.close());
		const code = `${preset}-${randomInt(1_000_000)}`;
		const callback = new URL(`/callbacks/sms/${code}`, system.baseUrl).href;
		await admin.messaging.addRoute({
			code,
			kind: "http",
			settings: { preset, address: operator.url, callback, ...settings },
			paused: true,
		});
		const { route } = await admin.messaging.getRoute({ code });
		expect(route?.inboundUrl).toBe(`${callback}/inbound`);
		await eventually(async () => {
			const { routes } = await admin.messaging.listRoutes({});
			const found = routes.find((one) => one.code === code);
			expect(found?.connections).toBe(8);
		}, PATIENT);

		const texts = [
			{ from, to, text: "Yes & no = 50 %" },
			{ from, to, text: LONG },
			{ from, to, text: "Stop." },
			{ from, to: nobodys, text: `for nobody ${code}` },
		];
		const url = `${callback}/inbound${query}`;
		const callbacks = dialect.inbound(texts, url);
		const post = (one: (typeof callbacks)[number]) =>
			eventually(
				async () => expect(await operator.post(one)).toBe(200),
				PATIENT,
			);
		for (const one of callbacks) await post(one);
		// As after a response that was lost.
		for (const one of callbacks) await post(one);
		expect(operator.callbackReplies.at(-1)).toBe(reply);

		const told = await hear(3);
		const { messages } = await client.get("/sms/inbound");
		expect(messages).toHaveLength(3);
		for (const { id, ...message } of messages)
			expect(told).toContainEqual({
				message_id: id,
				channel: "sms",
				...message,
			});
		const [first, long] = texts;
		expect(messages).toContainEqual(
			expect.objectContaining({ ...first, parts: 1, encoding: "gsm7" }),
		);
		expect(messages).toContainEqual(
			expect.objectContaining({ ...long, parts: 4, is_complete: true }),
		);
		const { optOuts } = await client.get("/opt-outs");
		expect(optOuts).toMatchObject([{ recipient: from }]);
		const unowned = await admin.inbound.listUnownedInbound({});
		expect(unowned.messages.filter(({ to }) => to === nobodys)).toMatchObject([
			{ body: `for nobody ${code}` },
		]);

		const [one] = callbacks;
		if (one === undefined) throw new Error("There is no callback.");
		const forged = { ...one, url: `${callback}/inbound?token=other` };
		forged.body = forged.body.replace("Yes", "No");
		await eventually(
			async () => expect(await operator.post(forged)).toBe(401),
			PATIENT,
		);
	},
);
