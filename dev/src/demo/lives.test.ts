import { beforeEach, describe, expect, it, vi } from "vitest";
import {
	type StubRequest,
	stubSystem,
} from "../../test/support/stub-system.ts";
import { showCampaign } from "./campaign-life.ts";
import { StepFailed } from "./step.ts";
import { showWhatsapp } from "./whatsapp-life.ts";

beforeEach(() => {
	vi.restoreAllMocks();
	vi.spyOn(console, "log").mockReturnValue();
});

describe("a campaign", () => {
	const response = (status: string) => {
		let contacts = 0;
		const campaign = {
			id: "c",
			status,
			stats: { accepted: 3, delivered: 3 },
		};
		return ({ route, body }: StubRequest) => {
			if (route === "POST /contacts")
				return { contact: { id: ++contacts, name: body.name } };
			if (route === "POST /campaigns") return { campaign };
			return { campaigns: [campaign] };
		};
	};

	it("goes to numbers that no simulator treats in a way of its own", async () => {
		const { dev, requests } = await stubSystem(response("completed"));
		for (const random of [0.0001, 0.5, 0.9999999]) {
			vi.spyOn(Math, "random").mockReturnValue(random);
			await showCampaign(dev);
		}
		const phones = requests
			.filter(({ route }) => route === "POST /contacts")
			.map(({ body }) => String(body.phone));
		expect(new Set(phones).size).toBe(9);
		for (const phone of phones) expect(phone).toMatch(/^\+336\d{4}[1-9]\d{3}$/);
	});

	it.each(["completed_with_errors", "failed", "paused"])(
		"that is %s fails the demo at once",
		async (status) => {
			const { dev, requests } = await stubSystem(response(status));
			await expect(showCampaign(dev)).rejects.toThrow(
				new StepFailed(`campaign completed: the campaign is ${status}`),
			);
			const asked = requests.filter(({ route }) => route === "GET /campaigns");
			expect(asked).toHaveLength(1);
		},
	);
});

describe("WhatsApp", () => {
	/** Every user who ever wrote has an open window. */
	function responses() {
		const open: unknown[] = [];
		return ({ route, body }: StubRequest): object => {
			if (route === "POST /control/inbound") open.push(body.from);
			if (route === "POST /whatsapp/messages") return { messageId: "m" };
			if (route === "GET /whatsapp/messages")
				return { messages: [{ id: "m", status: "read" }] };
			return {
				conversations: open.map((recipient) => ({
					recipient,
					status: "open",
					window_expires_at: "2026-01-01T00:00:00Z",
				})),
			};
		};
	}

	it("opens the window of a user who has never written before", async () => {
		const { dev, requests } = await stubSystem(responses());
		await showWhatsapp(dev);
		await showWhatsapp(dev);
		const users = requests
			.filter(({ route }) => route === "POST /control/inbound")
			.map(({ body }) => body.from);
		expect(new Set(users).size).toBe(2);
	});

	it("fails at once when a message does", async () => {
		const { dev } = await stubSystem(({ route }) =>
			route === "POST /whatsapp/messages"
				? { messageId: "m" }
				: { messages: [{ id: "m", status: "failed" }] },
		);
		await expect(showWhatsapp(dev)).rejects.toThrow(
			new StepFailed("template read: the message failed"),
		);
	});
});
