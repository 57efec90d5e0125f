import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { DevFile } from "../start/dev-file.ts";
import { ordinaryNumbers } from "./ordinary-numbers.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step } from "./step.ts";
import { until } from "./until.ts";

interface Contact {
	readonly id: number;
	readonly name: string;
}

interface Campaign {
	readonly id: string;
	readonly status: string;
	readonly stats: { readonly accepted: number; readonly delivered: number };
}

const CAMPAIGN_TIMEOUT_MS = 30_000;
const NAMES = ["Ada", "Grace", "Katherine"];
/** Where a campaign stays by itself without having reached everybody. */
const MISSED = ["completed_with_errors", "failed", "paused"];

/** Three contacts with a tag of their own, a campaign to them until everybody has theirs, and the contacts removed. */
export async function showCampaign(dev: DevFile): Promise<void> {
	const tag = `demo-${uuidv7().slice(-8)}`;
	const contacts = await createContacts(dev, tag);
	const campaignId = await create(dev, tag);
	await completed(dev, campaignId);
	await Promise.all(
		contacts.map(({ id }) => callApi(dev, "DELETE", `/contacts?id=${id}`)),
	);
}

/** With new numbers: a phone number is unique among contacts. */
function createContacts(dev: DevFile, tag: string): Promise<Contact[]> {
	const numbers = ordinaryNumbers(NAMES.length);
	return step(
		"contacts created",
		() =>
			Promise.all(
				NAMES.map(async (name, index) => {
					const { body } = await callApi<{ contact: Contact }>(
						dev,
						"POST",
						"/contacts",
						{ name, phone: numbers[index], tags: [tag] },
					);
					return body.contact;
				}),
			),
		(contacts) => contacts.map(({ name }) => name).join(", "),
	);
}

async function create(dev: DevFile, tag: string): Promise<string> {
	const { body } = await step(
		"campaign accepted",
		() =>
			callApi<{ campaign: Campaign }>(dev, "POST", "/campaigns", {
				name: "Demo",
				message_template: "Hello {{name|there}}, this is Airtower.",
				audience_tags: [tag],
			}),
		({ status, body }) => `HTTP ${status}, campaign ${body.campaign.id}`,
	);
	return body.campaign.id;
}

function completed(dev: DevFile, campaignId: string): Promise<Campaign> {
	let last = "unknown";
	return step(
		"campaign completed",
		() =>
			until(
				async () => {
					const { body } = await callApi<{ campaigns: Campaign[] }>(
						dev,
						"GET",
						"/campaigns",
					);
					const campaign = body.campaigns.find(({ id }) => id === campaignId);
					last = campaign?.status ?? "not listed";
					if (MISSED.includes(last))
						throw new StepFailed(`the campaign is ${last}`);
					return last === "completed" ? campaign : undefined;
				},
				CAMPAIGN_TIMEOUT_MS,
				() => `the campaign is still ${last}`,
			),
		({ stats }) => `${stats.accepted} accepted, ${stats.delivered} delivered`,
	);
}
