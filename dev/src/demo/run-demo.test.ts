import { beforeEach, expect, it, vi } from "vitest";
import { StartError } from "../start/system.ts";
import { showCampaign } from "./campaign-life.ts";
import { runDemo } from "./run-demo.ts";
import { showSms } from "./sms-life.ts";
import { stubSystem } from "./testing/stub-system.ts";
import { showWhatsapp } from "./whatsapp-life.ts";

vi.mock("./sms-life.ts", () => ({ showSms: vi.fn() }));
vi.mock("./campaign-life.ts", () => ({ showCampaign: vi.fn() }));
vi.mock("./whatsapp-life.ts", () => ({ showWhatsapp: vi.fn() }));

beforeEach(() => {
	vi.clearAllMocks();
	vi.spyOn(console, "log").mockReturnValue();
});

const system = () =>
	stubSystem(() => ({ webhookEndpoint: { id: "w" }, signingSecret: "s" }));

it("shows everything on the simulator", async () => {
	const { dev } = await system();
	await runDemo(dev, undefined);
	expect(vi.mocked(showSms).mock.calls[0]?.[1]).toBe("+33612345678");
	expect(showCampaign).toHaveBeenCalledOnce();
	expect(showWhatsapp).toHaveBeenCalledOnce();
});

it("does nothing on an operator of the user's own until a recipient is named", async () => {
	const { dev, requests } = await system();
	const { smsc: _, ...own } = dev;
	const refused = await runDemo(own, undefined).catch(
		(error: unknown) => error,
	);
	expect(refused).toBeInstanceOf(StartError);
	expect(String(refused)).toContain("--to <number>");
	expect(requests).toEqual([]);
	expect(showSms).not.toHaveBeenCalled();
});

it("sends on an operator of the user's own to the named recipient alone", async () => {
	const { dev } = await system();
	const { smsc: _, ...own } = dev;
	await runDemo(own, "+33698765432");
	expect(vi.mocked(showSms).mock.calls[0]?.[1]).toBe("+33698765432");
	expect(showCampaign).not.toHaveBeenCalled();
	expect(showWhatsapp).toHaveBeenCalledOnce();
});
