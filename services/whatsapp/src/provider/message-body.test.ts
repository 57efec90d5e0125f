import { expect, it } from "vitest";
import { messageBody } from "./message-body.ts";

const message = {
	messageId: "0190a5b2-7c1e-7000-8000-000000000001",
	to: "+33612345678",
	providerPhoneNumberId: "pn",
	accessToken: "token",
};
const common = {
	messaging_product: "whatsapp",
	recipient_type: "individual",
	to: "33612345678",
	biz_opaque_callback_data: message.messageId,
};

it("writes a text", () => {
	expect(
		messageBody({ ...message, content: { kind: "text", body: "Hi" } }),
	).toEqual({
		...common,
		type: "text",
		text: { body: "Hi", preview_url: false },
	});
});

const template = {
	kind: "template",
	name: "order_update",
	language: "en_US",
	isAuthentication: false,
	parameters: ["Ada", "42"],
	parameterNames: null,
} as const;

it("writes a template with its parameters", () => {
	expect(messageBody({ ...message, content: template })).toEqual({
		...common,
		type: "template",
		template: {
			name: "order_update",
			language: { code: "en_US" },
			components: [
				{
					type: "body",
					parameters: [
						{ type: "text", text: "Ada" },
						{ type: "text", text: "42" },
					],
				},
			],
		},
	});
});

it("writes the code of an authentication template twice", () => {
	const content = {
		...template,
		isAuthentication: true,
		parameters: ["123456"],
	};
	expect(messageBody({ ...message, content })).toMatchObject({
		template: {
			components: [
				{ type: "body", parameters: [{ type: "text", text: "123456" }] },
				{
					type: "button",
					sub_type: "url",
					index: "0",
					parameters: [{ type: "text", text: "123456" }],
				},
			],
		},
	});
});

it("writes a template without parameters without components", () => {
	const body = messageBody({
		...message,
		content: { ...template, parameters: [] },
	});
	expect(body).toMatchObject({ template: { name: "order_update" } });
	expect(JSON.stringify(body)).not.toContain("components");
});

it("names the placeholders of a template that has names", () => {
	const content = { ...template, parameterNames: ["name", "order"] };
	expect(JSON.stringify(messageBody({ ...message, content }))).toContain(
		'{"type":"text","parameter_name":"name","text":"Ada"}',
	);
});
