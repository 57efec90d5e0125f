import { expect, test } from "vitest";
import { maskRecipient } from "./mask-recipient.ts";

test.each([
	["+33612345678", "*******5678"],
	["+290812345", "*****2345"],
])("%s is shown as %s", (recipient, shown) => {
	expect(maskRecipient(recipient)).toBe(shown);
});
