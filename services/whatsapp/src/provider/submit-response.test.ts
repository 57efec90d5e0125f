import { expect, it } from "vitest";
import { parseSubmitResponse } from "./submit-response.ts";

it("reads the id and the recipient's name of a message that was taken", () => {
	const text = JSON.stringify({
		messaging_product: "whatsapp",
		contacts: [{ input: "5255", wa_id: "52155" }],
		messages: [{ id: "wamid.HBg" }],
	});
	expect(parseSubmitResponse(200, text)).toEqual({
		kind: "taken",
		providerMessageId: "wamid.HBg",
		waId: "52155",
	});
});

it("reads code and transience of an error", () => {
	const text = '{"error":{"code":130429,"message":"slow","is_transient":true}}';
	expect(parseSubmitResponse(429, text)).toEqual({
		kind: "refused",
		code: 130_429,
		httpStatus: 429,
		isTransient: true,
		text,
	});
});

it.each(["", "<html>", "{}", '{"messages":[]}', '{"messages":[{"id":""}]}'])(
	"a success that says nothing (%s) is unknown",
	(text) => {
		expect(parseSubmitResponse(200, text)).toMatchObject({ kind: "unknown" });
	},
);

it("an error page without a code is a refusal by its HTTP status", () => {
	expect(parseSubmitResponse(503, "<html>")).toMatchObject({
		kind: "refused",
		code: undefined,
		httpStatus: 503,
	});
	expect(parseSubmitResponse(404, "")).toMatchObject({
		kind: "refused",
		code: undefined,
		httpStatus: 404,
	});
});

it.each([500, 502, 504, 520])(
	"a %i of a proxy is unknown, unless the provider itself speaks",
	(status) => {
		expect(parseSubmitResponse(status, "<html>")).toMatchObject({
			kind: "unknown",
		});
		expect(parseSubmitResponse(status, '{"error":{"code":1}}')).toMatchObject({
			kind: "refused",
			code: 1,
		});
	},
);
