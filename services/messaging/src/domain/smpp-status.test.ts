import { expect, test } from "vitest";
import {
	failureReason,
	isBindRefusal,
	statusKind,
	statusText,
} from "./smpp-status.ts";

test.each([
	[0x08, "temporary"],
	[0x14, "temporary"],
	[0x64, "temporary"],
	[0x102, "temporary"],
	[0x58, "throttled"],
	[0x03, "session"],
	[0x04, "session"],
	[0x05, "session"],
	[0x45, "unclear"],
	[0xfe, "unclear"],
	[0xff, "unclear"],
	[0x400, "unclear"],
	[0x4ff, "unclear"],
	[0x500, "permanent"],
	[0x0b, "permanent"],
	[0x01, "permanent"],
	[0x101, "permanent"],
	[0x7fffffff, "permanent"],
] as const)("status %i is %s", (status, kind) => {
	expect(statusKind(status)).toBe(kind);
});

test("a route's table wins over the standard one", () => {
	const overrides = new Map([
		[0x45, "permanent"],
		[0x401, "throttled"],
	] as const);
	expect(statusKind(0x45, overrides)).toBe("permanent");
	expect(statusKind(0x401, overrides)).toBe("throttled");
	expect(statusKind(0x58, overrides)).toBe("throttled");
});

test("a failure has a public reason", () => {
	expect(failureReason(0x0b, "permanent")).toBe("rejected");
	expect(failureReason(0x101, "permanent")).toBe("blocked");
	expect(failureReason(0x45, "unclear")).toBe("operator_error");
	expect(failureReason(0x08, "temporary")).toBe("operator_error");
});

test("bind refusals are those that lock accounts", () => {
	const refusals = Array.from({ length: 0x500 }, (_, i) => i).filter(
		isBindRefusal,
	);
	expect(refusals).toEqual([0x0d, 0x0e, 0x0f, 0x53]);
});

test("a status is written as operators' manuals write it", () => {
	expect([statusText(0x8), statusText(0x58), statusText(0x4ff)]).toEqual([
		"0x08",
		"0x58",
		"0x4FF",
	]);
});
