import { DomainError } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type CampaignForecastSchema,
	type CampaignSchema,
	CampaignsService,
	type ChangeCampaignRequest,
	type CreateCampaignRequest,
	type GetCampaignRequest,
	type ListRecipientsRequest,
	type PreviewCampaignResponseSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import {
	type ContactSchema,
	ContactsService,
	type CreateContactRequest,
} from "@airtower/proto/campaigns/v1/contacts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { StoredResponses } from "./idempotency.ts";
import { pageOf } from "./pages.ts";

type Contact = MessageInitShape<typeof ContactSchema> & {
	id: bigint;
	phone: string;
	tags: string[];
};
type Campaign = MessageInitShape<typeof CampaignSchema> & { id: string };

const STATUS_AFTER: Readonly<Record<string, string>> = {
	pause: "paused",
	resume: "sending",
	cancel: "cancelled",
};

/** Of every campaign. */
const RECIPIENTS = ["+33612345678", "no number"].map((phone) => ({
	id: phone.replace(" ", "-"),
	phone,
	createdAt: timestampNow(),
	status: phone.startsWith("+") ? "delivered" : "skipped",
	reason: phone.startsWith("+") ? "" : "invalid_phone_number",
	messageId: phone.startsWith("+") ? uuidv7() : "",
}));

/** Contacts and campaigns as campaigns would keep them. */
export class FakeCampaigns {
	/** Requests as they came. */
	readonly campaignRequests: CreateCampaignRequest[] = [];
	readonly previewRequests: CreateCampaignRequest[] = [];
	readonly recipientRequests: ListRecipientsRequest[] = [];
	/** Of every campaign that is not refused. */
	forecast: MessageInitShape<typeof CampaignForecastSchema> = {
		senderId: uuidv7(),
		senderName: "ACME",
		status: "sending",
		stats: {},
	};
	private readonly contacts = new Map<string, Contact[]>();
	private readonly campaigns = new Map<string, Campaign[]>();
	private readonly contactResponses = new StoredResponses<Contact>();
	private readonly campaignResponses = new StoredResponses<Campaign>();
	private lastId = 0n;

	readonly routes = (router: ConnectRouter): void => {
		router.service(ContactsService, {
			createContact: (request) => this.createContact(request),
			listContacts: ({ organizationId, page, tag }) => {
				const all = this.contacts.get(organizationId) ?? [];
				const wanted = all.filter(
					({ tags }) => tag === "" || tags.includes(tag),
				);
				const { shown, ...next } = pageOf(wanted, page);
				return { contacts: shown, ...next };
			},
			deleteContact: ({ organizationId, contactId }) => {
				const all = this.contacts.get(organizationId) ?? [];
				const rest = all.filter(({ id }) => id !== contactId);
				if (rest.length === all.length)
					throw refusal("not_found", "unknown_contact", "id");
				this.contacts.set(organizationId, rest);
				return {};
			},
		});
		router.service(CampaignsService, {
			createCampaign: (request) => this.createCampaign(request),
			previewCampaign: ({ campaign }) => this.previewCampaign(campaign),
			listCampaigns: ({ organizationId, page }) => {
				const all = this.campaigns.get(organizationId) ?? [];
				const { shown, ...next } = pageOf(all, page);
				return { campaigns: shown, ...next };
			},
			getCampaign: (request) => ({ campaign: this.findCampaign(request) }),
			listRecipients: (request) => {
				this.findCampaign(request);
				this.recipientRequests.push(request);
				const { shown, ...next } = pageOf(RECIPIENTS, request.page);
				return { recipients: shown, ...next };
			},
			changeCampaign: (request) => this.changeCampaign(request),
		});
	};

	private findCampaign(
		asked: Pick<GetCampaignRequest, "organizationId" | "campaignId">,
	): Campaign {
		const all = this.campaigns.get(asked.organizationId) ?? [];
		const found = all.find(({ id }) => id === asked.campaignId);
		if (found === undefined) throw refusal("not_found", "unknown_campaign", "");
		return found;
	}

	private changeCampaign(request: ChangeCampaignRequest) {
		const { organizationId, change, idempotency } = request;
		const earlier = this.campaignResponses.find(organizationId, idempotency);
		if (earlier !== undefined) return { campaign: earlier, replayed: true };
		const campaign = this.findCampaign(request);
		if (campaign.status === "cancelled" && change !== "cancel")
			throw refusal("conflict", "campaign_ended", "");
		campaign.status = STATUS_AFTER[change] ?? "";
		campaign.statusReason = change === "pause" ? "requested" : "";
		const changed = { ...campaign };
		this.campaignResponses.keep(organizationId, idempotency, changed);
		return { campaign: changed };
	}

	private createContact(request: CreateContactRequest) {
		const { organizationId, name, phone, email, tags, idempotency } = request;
		const earlier = this.contactResponses.find(organizationId, idempotency);
		if (earlier !== undefined) return { contact: earlier, replayed: true };
		const known = this.contacts.get(organizationId) ?? [];
		if (!/^\+[1-9][0-9]{6,14}$/.test(phone))
			throw refusal("invalid", "invalid_phone_number", "phone");
		if (known.some((one) => one.phone === phone))
			throw refusal("conflict", "contact_exists", "phone");
		const createdAt = timestampNow();
		const contact = { id: ++this.lastId, name, phone, email, tags, createdAt };
		this.contacts.set(organizationId, [...known, contact]);
		this.contactResponses.keep(organizationId, idempotency, contact);
		return { contact };
	}

	private previewCampaign(
		request: CreateCampaignRequest | undefined,
	): MessageInitShape<typeof PreviewCampaignResponseSchema> {
		if (request === undefined) throw new Error("no campaign");
		this.previewRequests.push(request);
		const refused = refusalOf(request);
		if (refused === undefined)
			return { result: { case: "forecast", value: this.forecast } };
		const { reason, field = "", message } = refused;
		return { result: { case: "refused", value: { reason, field, message } } };
	}

	private createCampaign(request: CreateCampaignRequest) {
		this.campaignRequests.push(request);
		const { organizationId, idempotency } = request;
		const earlier = this.campaignResponses.find(organizationId, idempotency);
		if (earlier !== undefined) return { campaign: earlier, replayed: true };
		const refused = refusalOf(request);
		if (refused !== undefined) throw refused;
		const campaign: Campaign = {
			id: uuidv7(),
			name: request.name,
			status: request.scheduledAt === undefined ? "sending" : "scheduled",
			messageTemplate: request.messageTemplate,
			senderId: request.senderId || uuidv7(),
			senderName: request.senderName || "ACME",
			audienceTags: request.audienceTags,
			audienceTagMatchMode: request.audienceTagMatchMode,
			createdAt: timestampNow(),
			stats: {},
		};
		const known = this.campaigns.get(organizationId) ?? [];
		this.campaigns.set(organizationId, [...known, campaign]);
		this.campaignResponses.keep(organizationId, idempotency, campaign);
		return { campaign };
	}
}

function refusalOf(request: CreateCampaignRequest): DomainError | undefined {
	if (request.senderName === "Unknown")
		return refusal("invalid", "unknown_sender", "sender_name");
	if (request.messageTemplate.includes("{{first}}"))
		return refusal("invalid", "invalid_template", "message_template");
	return undefined;
}

function refusal(
	kind: "invalid" | "conflict" | "not_found",
	reason: string,
	field: string,
): DomainError {
	return new DomainError({ kind, reason, field, message: "It cannot be." });
}
