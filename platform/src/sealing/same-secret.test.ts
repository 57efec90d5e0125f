import { expect, test } from "vitest";
import { isSameSecret } from "./same-secret.ts";

test("whole secrets are compared", () => {
	expect(isSameSecret("token", "token")).toBe(true);
	expect(isSameSecret("tok", "token")).toBe(false);
	expect(isSameSecret("", "token")).toBe(false);
});
