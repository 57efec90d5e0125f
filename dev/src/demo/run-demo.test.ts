import { beforeEach, expect, it, vi } from "vitest";
import { stubSystem } from "../../test/support/stub-system.ts";
import { StartError } from "../start/system.ts";
import { runDemo } from "./run-demo.ts";

const show = {
	sms: vi.fn(),
	answer: vi.fn(),
	campaign: vi.fn(),
	whatsapp: vi.fn(),
};

beforeEach(() => {
	vi.clearAllMocks();
	vi.spyOn(console, "log").mockReturnValue();
});

const system = () =>
	stubSystem(() => ({ webhookEndpoint: { id: "w" }, signingSecret: "s" }));

it("shows everything on the simulator", async () => {
	const { dev } = await system();
	await runDemo(dev, undefined, show);
	expect(show.sms.mock.calls[0]?.[1]).toBe("+33612345678");
	expect(show.answer).toHaveBeenCalledOnce();
	expect(show.campaign).toHaveBeenCalledOnce();
	expect(show.whatsapp).toHaveBeenCalledOnce();
});

it("does nothing on an operator of the user's own until a recipient is named", async () => {
	const { dev, requests } = await system();
	const { smsc: _, ...own } = dev;
	const refused = await runDemo(own, undefined, show).catch(
		(error: unknown) => error,
	);
	expect(refused).toBeInstanceOf(StartError);
	expect(String(refused)).toContain("--to <number>");
	expect(requests).toEqual([]);
	expect(show.sms).not.toHaveBeenCalled();
});

it("sends on an operator of the user's own to the named recipient alone", async () => {
	const { dev } = await system();
	const { smsc: _, ...own } = dev;
	await runDemo(own, "+33698765432", show);
	expect(show.sms.mock.calls[0]?.[1]).toBe("+33698765432");
	expect(show.answer).not.toHaveBeenCalled();
	expect(show.campaign).not.toHaveBeenCalled();
	expect(show.whatsapp).toHaveBeenCalledOnce();
});
