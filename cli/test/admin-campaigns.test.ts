import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { sharedSystem, useSystem } from "./support/admin-system.ts";

const use = useSystem(sharedSystem);

test("an admin pauses, resumes and cancels a campaign, and sees who was left out and why", async () => {
	const { json, newOrganization, post, requestSender } = use;
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	await requestSender(id, "Shop");
	await json("senders", "approve", name, "Shop");
	const { secret } = await json<{ secret: string }>(
		...["keys", "issue", name, "all"],
	);
	const sale = { name: "Sale", content: "Hi" };
	const recipients = ["+33612345678", "no number", "+33612345678"];
	const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
	type Created = { campaign: { id: string } };
	const [later, now] = [
		{ ...sale, recipients, scheduledAt },
		{ ...sale, recipients },
	].map((body) => post<Created>("/campaigns", secret, body));
	const change = async (action: string) =>
		json("campaigns", action, name, (await later)?.campaign.id ?? "");
	for (const [action, status, reason] of [
		["pause", "paused", "requested"],
		["resume", "scheduled", ""],
		["cancel", "cancelled", ""],
		["show", "cancelled", ""],
	])
		expect(await change(action ?? "")).toMatchObject({ status, reason });
	const campaignId = (await now)?.campaign.id ?? "";
	await eventually(async () => {
		expect(await json("campaigns", "show", name, campaignId)).toMatchObject({
			audience: 3,
			skipped: 2,
			duplicates: 1,
			delivered: 1,
			status: "completed_with_errors",
		});
	});
	const skipped = ["--status", "skipped"];
	expect(
		await json("campaigns", "recipients", name, campaignId, ...skipped),
	).toMatchObject([
		{ phone: "********5678", reason: "duplicate" },
		{ phone: "no number", reason: "invalid_phone_number" },
	]);
	expect(
		await json("campaigns", "recipients", name, campaignId),
	).toContainEqual(expect.objectContaining({ phone: "********5678" }));
});
