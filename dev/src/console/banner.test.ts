import { expect, it } from "vitest";
import { type BannerFacts, banner } from "./banner.ts";

const FACTS: BannerFacts = {
	baseUrl: "http://127.0.0.1:8080/api/v1",
	demo: {
		organizationId: "o",
		apiKey: "at_key",
		sender: "Airtower",
		whatsapp: {
			phoneNumberId: "p",
			template: {
				name: "order_update",
				language: "en_US",
				category: "utility",
				parameters: [],
			},
		},
	},
	dataDir: ".data",
	headline: "Airtower is ready after 1.0 s.",
	eventBus: "PostgreSQL",
	operator: "the SMSC simulator on 127.0.0.1:2775",
	isSimulated: true,
	demoOptions: "",
};

it("gives a message to paste and the demo as they are when a simulator takes all", () => {
	const text = banner(FACTS);
	expect(text).toContain('"to":"+33612345678","message"');
	expect(text).toMatch(/npm run demo$/m);
});

it("asks for a number of one's own when an operator of one's own sends", () => {
	const own = { ...FACTS, operator: "smsc.example:2775", isSimulated: false };
	expect(banner(own)).toContain('"to":"<your number>","message"');
	expect(banner(own)).toMatch(/npm run demo -- --to <your number>$/m);
	expect(banner({ ...own, demoOptions: " -- --data-dir x" })).toMatch(
		/npm run demo -- --data-dir x --to <your number>$/m,
	);
});
