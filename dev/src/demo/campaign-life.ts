import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { DemoSystem } from "./demo-system.ts";
import { ordinaryNumbers } from "./ordinary-numbers.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step, stepUntil } from "./step.ts";

interface Contact {
	readonly id: number;
	readonly name: string;
}

interface Campaign {
	readonly id: string;
	readonly status: string;
	readonly stats: { readonly accepted: number; readonly delivered: number };
}

const NAMES = ["Ada", "Grace", "Katherine"];
/** Where a campaign stays by itself without having reached everybody. */
const MISSED = ["completed_with_errors", "failed", "paused"];

export async function showCampaign(dev: DemoSystem): Promise<void> {
	const tag = `demo-${uuidv7().slice(-8)}`;
	// With new numbers: a phone number is unique among contacts.
	const phones = ordinaryNumbers(NAMES.length);
	const contacts = await step(
		"contacts created",
		() =>
			Promise.all(
				NAMES.map(async (name, index) => {
					const contact = { name, phone: phones[index], tags: [tag] };
					type Created = { contact: Contact };
					return callApi<Created>(dev, "POST", "/contacts", contact);
				}),
			),
		(created) => created.map(({ body }) => body.contact.name).join(", "),
	);
	await showProgress(dev, await create(dev, tag));
	const removed = contacts.map(({ body }) =>
		callApi(dev, "DELETE", `/contacts?id=${body.contact.id}`),
	);
	await Promise.all(removed);
}

async function create(dev: DemoSystem, tag: string): Promise<string> {
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

function showProgress(dev: DemoSystem, campaignId: string): Promise<Campaign> {
	let last = "unknown";
	return stepUntil(
		"campaign completed",
		async () => {
			type Page = { campaigns: Campaign[] };
			const { body } = await callApi<Page>(dev, "GET", "/campaigns");
			const campaign = body.campaigns.find(({ id }) => id === campaignId);
			last = campaign?.status ?? "not listed";
			if (MISSED.includes(last))
				throw new StepFailed(`the campaign is ${last}`);
			return last === "completed" ? campaign : undefined;
		},
		() => `the campaign is still ${last}`,
		({ stats }) => `${stats.accepted} accepted, ${stats.delivered} delivered`,
	);
}
