import fc from "fast-check";
import { expect, test } from "vitest";
import {
	assertTemplate,
	isTooLong,
	renderTemplate,
} from "./message-template.ts";

test.each([
	["Hi {{name}}!", "Ada", "Hi Ada!"],
	["Hi {{ name }}!", "Ada", "Hi Ada!"],
	["Hi {{name|friend}}!", "Ada", "Hi Ada!"],
	["Hi {{name|friend}}!", "", "Hi friend!"],
	["Hi {{name}}!", "", "Hi !"],
	["{{name}} and {{name|you}}", "$&", "$& and $&"],
	["{{{name}}}", "Ada", "{Ada}"],
	["no place", "Ada", "no place"],
])("%j for %j reads %j", (template, name, text) => {
	assertTemplate(template);
	expect(renderTemplate(template, name)).toBe(text);
});

test.each(["{{first}}", "{{name|a|b}}", "{{}}", "{{name", "name}}", "  "])(
	"%j is refused",
	(template) => {
		expect(() => assertTemplate(template)).toThrow(
			expect.objectContaining({ reason: "invalid_template" }),
		);
	},
);

test("a text over 1600 characters is refused", () => {
	expect(() => assertTemplate("x".repeat(1_601))).toThrow(
		expect.objectContaining({ reason: "message_too_long" }),
	);
});

test("a name is never read as a place", () => {
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
