import { eventually } from "@airtower/platform/testing/eventually";
import { describe, expect, it } from "vitest";
import { PRESETS, startHttpRoute } from "./http-operators.ts";

const TEXT = 'Füße & "quotes" = 100% {to} \\ 😀\nend';
const numberEndingIn = (digits: string) => `+3361234${digits}`;

describe.each(PRESETS)("%s", (preset) => {
	it("gets the message as it is, and says that it was delivered", async () => {
		const { submit, lookAlike, receipts } = await startHttpRoute(preset);
		const [part, ...others] = await submit({ body: TEXT, sender: "Airtower" });
		const [send] = lookAlike.sends;
		expect(others).toEqual([]);
		expect(part).toMatchObject({
			part: 1,
			kind: "accepted",
			operatorMessageId: send?.ids[0],
			storeKey: send?.ids[0],
		});
		expect(send).toMatchObject({ text: TEXT, from: "Airtower" });
		expect(send?.to.replace("+", "")).toBe("33612349999");
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(receipts[0]).toMatchObject({
			state: "delivered",
			operatorMessageId: send?.ids[0],
			matchKeys: send?.ids,
			numberTails: ["2349999"],
			addresses: ["33612349999", "airtower"],
		});
		await eventually(() => expect(lookAlike.callbackStatuses).toEqual([200]));
	});

	it.each([
		["0002", "unknown_subscriber"],
		["0004", "expired"],
	])("a receipt of %s tells why: %s", async (digits, reason) => {
		const { submit, receipts } = await startHttpRoute(preset);
		expect(await submit({ to: numberEndingIn(digits) })).toMatchObject([
			{ kind: "accepted" },
		]);
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(receipts[0]).toMatchObject({ state: "failed", reason });
	});

	it("refuses 0003 for good, with its code", async () => {
		const { submit, lookAlike } = await startHttpRoute(preset);
		const [part] = await submit({ to: numberEndingIn("0003") });
		expect(part).toMatchObject({ kind: "refused", permanent: true });
		expect(part).toHaveProperty(
			"operatorError",
			expect.stringMatching(/^HTTP \d{3} \w+$/),
		);
		expect(lookAlike.sends).toEqual([]);
	});

	it("throttles 0005 twice: the route waits by itself, then it is taken", async () => {
		const { submit, operator, lookAlike } = await startHttpRoute(preset, {
			limits: { throttleMinMs: 300, throttleMaxMs: 300 },
		});
		const message = { to: numberEndingIn("0005") };
		for (let time = 0; time < 2; time++) {
			const [part] = await submit(message);
			expect(part).toMatchObject({
				kind: "throttled",
				retryAfterMs: expect.any(Number),
			});
			expect(operator.status().bound).toBe(true);
		}
		expect(await submit(message)).toMatchObject([{ kind: "accepted" }]);
		expect(lookAlike.requests).toBe(3);
	});

	it("takes 0012 and cuts the connection: unknown, and its receipt names the numbers", async () => {
		const { submit, receipts, lookAlike } = await startHttpRoute(preset);
		const to = numberEndingIn("0012");
		const [part] = await submit({ to, sender: "Airtower" });
		expect(part?.kind).toBe("unknown");
		expect(lookAlike.sends).toHaveLength(1);
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(receipts[0]?.addresses).toEqual([to.slice(1), "airtower"]);
	});

	it("may call before it responds (0007), and twice (0008)", async () => {
		const { submit, receipts } = await startHttpRoute(preset);
		const [part] = await submit({ to: numberEndingIn("0007") });
		expect(receipts).toMatchObject([
			{ state: "delivered", matchKeys: [Object(part).storeKey] },
		]);
		await submit({ to: numberEndingIn("0008") });
		await eventually(() => expect(receipts).toHaveLength(3));
		expect(receipts[2]).toEqual(receipts[1]);
	});

	it("refuses a wrong secret: nothing was sent, the route is down and says why", async () => {
		const names = { twilio: "token", vonage: "secret", infobip: "apiKey" };
		const { submit, operator, lookAlike } = await startHttpRoute(preset, {
			settings: { [names[preset]]: "another-secret" },
		});
		expect(await submit()).toMatchObject([{ kind: "unsent" }]);
		expect(operator.capacity()).toBe(0);
		const { bound, lastError, nextTryAt } = operator.status();
		expect({ bound, lastError }).toEqual({
			bound: false,
			lastError: expect.stringMatching(/^HTTP /),
		});
		expect(nextTryAt?.getTime()).toBeGreaterThan(Date.now());
		expect(lookAlike.sends).toEqual([]);
	});

	it("whose callback is forged is not believed", async () => {
		const { submit, lookAlike, receipts, route } = await startHttpRoute(preset);
		await submit({ to: numberEndingIn("0006") });
		const status = await lookAlike.post({
			url: route.callback,
			headers: {
				"content-type": "application/x-www-form-urlencoded",
				"x-twilio-signature": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
			},
			body: "MessageSid=SM1&MessageStatus=delivered&sig=00",
		});
		expect(status).toBe(401);
		expect(receipts).toEqual([]);
	});
});

describe("what only one of them wants", () => {
	it("Twilio: E.164, a validity within its 4 h, and the callback that it signs", async () => {
		const { submit, lookAlike, route } = await startHttpRoute("twilio");
		await submit({ validitySeconds: 86_400, sender: "+15005550006" });
		expect(lookAlike.sends[0]?.fields).toMatchObject({
			To: "+33612349999",
			From: "+15005550006",
			ValidityPeriod: "14400",
			StatusCallback: route.callback,
		});
		expect(lookAlike.sends[0]?.fields).not.toHaveProperty(
			"MessagingServiceSid",
		);
	});

	it("Vonage: digits, the alphabet in its words, ms, and our id", async () => {
		const { submit, lookAlike } = await startHttpRoute("vonage");
		await submit({
			body: "plain",
			validitySeconds: 60,
			sender: "+33700000001",
		});
		await submit({ body: "ж", validitySeconds: 1 });
		const [plain, cyrillic] = lookAlike.sends.map(({ fields }) => fields);
		expect(plain).toMatchObject({
			to: "33612349999",
			from: "33700000001",
			type: "text",
			ttl: "60000",
			"client-ref": "0199a1b2-0000-7000-8000-000000000001",
		});
		expect(cyrillic).toMatchObject({ type: "unicode", ttl: "20000" });
	});

	it("Vonage: a long message has an id and a receipt for each segment", async () => {
		const { submit, receipts } = await startHttpRoute("vonage");
		const parts = await submit({ body: "x".repeat(400) });
		expect(parts).toMatchObject(
			[1, 2, 3].map((part) => ({ part, kind: "accepted" })),
		);
		await eventually(() => expect(receipts).toHaveLength(3));
		const ids = receipts.map(({ operatorMessageId }) => operatorMessageId);
		expect(ids).toEqual(parts.map((part) => Object(part).operatorMessageId));
	});

	it("Infobip: minutes as a number, and the callback with its token", async () => {
		const { submit, lookAlike, route } = await startHttpRoute("infobip");
		await submit({ validitySeconds: 3_599 });
		expect(lookAlike.sends[0]?.fields).toMatchObject({
			validityPeriod: 59,
			notifyUrl: `${route.callback}?token=infobip-callback-token`,
		});
	});

	it("Infobip and Vonage call again until it is 200", async () => {
		for (const preset of ["infobip", "vonage"] as const) {
			let calls = 0;
			const callbackStatus = () => (++calls < 3 ? 503 : 200);
			const options = { callbackStatus };
			const { submit, lookAlike } = await startHttpRoute(preset, options);
			await submit();
			await eventually(() =>
				expect(lookAlike.callbackStatuses).toEqual([503, 503, 200]),
			);
		}
	});
});
