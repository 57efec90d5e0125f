import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { isSignedBy } from "./callback-signature.ts";

const body = Buffer.from('{"object":"whatsapp_business_account"}');
const hex = createHmac("sha256", "secret").update(body).digest("hex");

it("takes the HMAC of the raw bytes", () => {
	expect(isSignedBy("secret", body, `sha256=${hex}`)).toBe(true);
});

it.each(["", hex, `sha256=${hex.slice(1)}`, `sha1=${hex}`, `sha256=${hex}0`])(
	"refuses the signature %j",
	(signature) => {
		expect(isSignedBy("secret", body, signature)).toBe(false);
	},
);

it("refuses another body and another secret", () => {
	expect(isSignedBy("secret", Buffer.from("{}"), `sha256=${hex}`)).toBe(false);
	expect(isSignedBy("other", body, `sha256=${hex}`)).toBe(false);
});
