import { expect, it } from "vitest";
import { type BannerFacts, banner } from "./welcome.ts";

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
	otherOperators: [],
	isSimulated: true,
	dataOption: "",
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
	expect(banner({ ...own, dataOption: " --data-dir x" })).toMatch(
		/npm run demo -- --data-dir x --to <your number>$/m,
	);
});

it("names each simulated operator beside the first with its manner, and the commands that show the rules at work", () => {
	const web = {
		code: "web",
		manner: "HTTP, like Vonage",
		process: "http-sms" as const,
		url: "http://127.0.0.1:8303",
		controlUrl: "http://127.0.0.1:8303",
	};
	const text = banner({ ...FACTS, otherOperators: [web] });
	expect(text).toContain("web on 127.0.0.1:8303: HTTP, like Vonage");
	expect(text).toContain("npm run admin -- routes list");
	expect(text).toContain("npm run admin -- rules list");
	expect(text).toContain("routes explain --to +447400123456 --from Airtower");
	expect(banner(FACTS)).not.toContain("routes list");
	const elsewhere = { ...FACTS, dataOption: " --data-dir x" };
	expect(banner({ ...elsewhere, otherOperators: [web] })).toContain(
		"npm run admin -- routes list --data-dir x",
	);
});
