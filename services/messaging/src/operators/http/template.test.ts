import { describe, expect, it } from "vitest";
import { fill, fillJson, fillParameters } from "./template.ts";

const values = new Map<string, string | number>([
	["to", "+33612345678"],
	["text", 'a "quoted" & {to} = 100% \\ \n é 😀'],
	["validity", 3_600],
	["none", ""],
]);

describe("a value is a value, whatever stands in it", () => {
	it("in JSON", () => {
		const filled = fillJson(
			{ messages: [{ to: "{to}", text: "{text}", note: "to {to}" }] },
			values,
		);
		expect(JSON.parse(JSON.stringify(filled))).toEqual({
			messages: [
				{
					to: "+33612345678",
					text: values.get("text"),
					note: "to +33612345678",
				},
			],
		});
	});

	it("in a form or query", () => {
		const filled = fillParameters({ To: "{to}", Body: "{text}" }, values);
		expect(Object.fromEntries(new URLSearchParams(filled))).toEqual({
			To: "+33612345678",
			Body: values.get("text"),
		});
	});

	it("in a path", () => {
		const filled = fill("/a/{text}/b", values, encodeURIComponent);
		expect(filled.split("/")).toHaveLength(4);
		expect(decodeURIComponent(filled)).toBe(`/a/${values.get("text")}/b`);
	});
});

it("a number stays one in JSON where nothing stands beside it", () => {
	expect(fillJson(["{validity}", "{validity} s", 5], values)).toEqual([
		3_600,
		"3600 s",
		5,
	]);
});

it("what comes out empty is left out, what was written empty is not", () => {
	expect(fillParameters({ a: "{none}", b: "x{none}" }, values)).toBe("b=x");
	expect(fillJson({ a: "{none}", b: "" }, values)).toEqual({ b: "" });
});

it("braces around anything but a name are text", () => {
	expect(fill("{} { to } {1} {to}", values)).toBe("{} { to } {1} +33612345678");
});
