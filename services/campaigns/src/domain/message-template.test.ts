import fc from "fast-check";
import { expect, test } from "vitest";
import {
	assertTemplate,
	isTooLong,
	renderTemplate,
	trimPlaceholders,
} from "./message-template.ts";

test.each([
	["Hi {{name}}!", "Ada", "Hi Ada!"],
	["Hi {{ name }}!", "Ada", "Hi Ada!"],
	["Hi {{name|friend}}!", "Ada", "Hi Ada!"],
	["Hi {{name|friend}}!", "", "Hi friend!"],
	["Hi {{ name | my friend }}!", "", "Hi my friend!"],
	["Hi {{ name | my friend }}!", "Ada", "Hi Ada!"],
	["Hi {{name}}!", "", "Hi !"],
	["{{name}} and {{name|you}}", "$&", "$& and $&"],
	["{{{name}}}", "Ada", "{Ada}"],
	["no placeholder", "Ada", "no placeholder"],
])("%j for %j reads %j", (template, name, text) => {
	assertTemplate(template);
	expect(renderTemplate(trimPlaceholders(template), name)).toBe(text);
});

test.each(["{{first}}", "{{name|a|b}}", "{{}}", "{{name", "name}}", "  "])(
	"%j is refused",
	(template) => {
		expect(() => assertTemplate(template)).toThrow(
			expect.objectContaining({ reason: "invalid_template" }),
		);
	},
);

test.each([
	["1,601 characters", "x".repeat(1_601)],
	["1,531 characters of GSM-7", "x".repeat(1_531)],
	["671 characters of UCS-2", "ж".repeat(671)],
	["1,531 characters beside a name", `{{name}}${"x".repeat(1_531)}`],
])("a text of %s, more than any message has, is refused", (_, template) => {
	expect(() => assertTemplate(template)).toThrow(
		expect.objectContaining({
			kind: "invalid",
			reason: "message_too_long",
			field: "message_template",
		}),
	);
});

test.each([
	["1,530 characters of GSM-7", "x".repeat(1_530)],
	["670 characters of UCS-2", "ж".repeat(670)],
	["1,530 characters beside a name", `{{name|you}}${"x".repeat(1_530)}`],
])("a text of %s is the longest", (_, template) => {
	assertTemplate(template);
});

test("a name is never read as a placeholder", () => {
	fc.assert(
		fc.property(fc.string(), (name) => {
			expect(renderTemplate("<{{name}}>", name)).toBe(`<${name}>`);
		}),
	);
});

test("1,600 characters are not too long, however many units each of them takes", () => {
	expect(isTooLong("😀".repeat(1_600))).toBe(false);
	expect(isTooLong("😀".repeat(1_601))).toBe(true);
});
