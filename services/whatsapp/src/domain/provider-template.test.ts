import { describe, expect, it } from "vitest";
import { findPlaceholders, readProviderTemplate } from "./provider-template.ts";

const base = {
	id: "1234567890",
	name: "order_update",
	language: "en_US",
	category: "UTILITY",
	status: "APPROVED",
	components: [{ type: "BODY", text: "Hi {{1}}, order {{2}} is on its way." }],
};

describe("readProviderTemplate", () => {
	it("reads name, state, body and number of placeholders", () => {
		expect(readProviderTemplate(base)).toEqual({
			providerTemplateId: "1234567890",
			name: "order_update",
			language: "en_US",
			category: "utility",
			status: "approved",
			body: "Hi {{1}}, order {{2}} is on its way.",
			parameterCount: 2,
			parameterNames: undefined,
			bodyOnly: true,
		});
	});

	it("keeps the names of named placeholders in their order", () => {
		const components = [
			{ type: "BODY", text: "Hi {{name}}, {{order_id}}, {{name}}" },
		];
		expect(readProviderTemplate({ ...base, components })).toMatchObject({
			parameterCount: 2,
			parameterNames: ["name", "order_id"],
		});
	});

	it.each([
		["IN_APPEAL", "pending"],
		["PAUSED", "paused"],
		["REJECTED", "rejected"],
		["PENDING_DELETION", "disabled"],
		["A_NEW_WORD", "disabled"],
	])("reads the status %s as %s", (status, ours) => {
		expect(readProviderTemplate({ ...base, status })?.status).toBe(ours);
	});

	it("knows templates that need more than body parameters", () => {
		const withPart = (part: unknown) =>
			readProviderTemplate({ ...base, components: [...base.components, part] });
		expect(withPart({ type: "HEADER", format: "IMAGE" })?.bodyOnly).toBe(false);
		expect(
			withPart({ type: "HEADER", format: "TEXT", text: "Hi" })?.bodyOnly,
		).toBe(true);
		const url = {
			type: "URL",
			text: "Track",
			url: "https://example.com/{{1}}",
		};
		expect(withPart({ type: "BUTTONS", buttons: [url] })?.bodyOnly).toBe(false);
	});

	it("sends the code of an authentication template to its button by itself", () => {
		const url = {
			type: "URL",
			url: "https://www.whatsapp.com/otp/code/?code=otp{{1}}",
		};
		const components = [
			{ type: "BODY", text: "*{{1}}* is your code." },
			{ type: "BUTTONS", buttons: [url] },
		];
		const read = readProviderTemplate({
			...base,
			category: "AUTHENTICATION",
			components,
		});
		expect(read).toMatchObject({ bodyOnly: true, parameterCount: 1 });
	});

	it.each([
		null,
		"text",
		{},
		{ ...base, category: "NEW" },
		{ ...base, name: 1 },
	])("returns undefined for %j", (value) => {
		expect(readProviderTemplate(value)).toBeUndefined();
	});
});

it("placeholders are counted once, in the order of their numbers", () => {
	expect(findPlaceholders("{{2}} {{10}} {{ 1 }} {{2}}")).toEqual([
		"1",
		"2",
		"10",
	]);
	expect(findPlaceholders("none { {1} }")).toEqual([]);
});
