import { expect, test } from "vitest";
import { refusalKind } from "./refusal.ts";

test.each([
	["no_route", "skip"],
	["service_unavailable", "again"],
	["quota_exhausted", "pause"],
	["something_new", "skip"],
])("what messaging refuses as %s: %s", (reason, kind) => {
	expect(refusalKind(reason)).toBe(kind);
});
