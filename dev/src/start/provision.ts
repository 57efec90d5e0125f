import { uuidv7 } from "@airtower/platform/runtime/ids";
import { type AdminClients, unless } from "./admin-clients.ts";
import type { cloudApiNumber } from "./simulators.ts";

interface OrganizationRequest {
	readonly name: string;
	/** Quota to grant, in messages. */
	readonly units: number;
	/** Sender ID to request and approve; it becomes the default. */
	readonly sender: string;
}

/** Makes a new organization that can send at once: quota, an approved sender and a key. */
export async function provisionOrganization(
	clients: AdminClients,
	request: OrganizationRequest,
): Promise<Record<"organizationId" | "apiKey" | "senderId", string>> {
	const organizationId = await ensureOrganization(clients, request.name);
	const [apiKey, senderId] = await Promise.all([
		issueApiKey(clients, organizationId, "first"),
		ensureSender(clients, organizationId, request.sender),
		grantQuota(clients, organizationId, request.units, uuidv7()),
	]);
	return { organizationId, apiKey, senderId };
}

export async function ensureOrganization(
	{ accountsAdmin }: AdminClients,
	name: string,
): Promise<string> {
	const found = await accountsAdmin
		.getOrganization({ name })
		.catch(unless("unknown_organization"));
	const request = { name, email: "demo@example.com" };
	const { organization } =
		found ?? (await accountsAdmin.createOrganization(request));
	return organization?.id ?? "";
}

/** Adds quota; a grant id counts once. */
export async function grantQuota(
	{ accountsAdmin }: AdminClients,
	organizationId: string,
	units: number,
	grantId: string,
): Promise<void> {
	const grant = { organizationId, units: BigInt(units), grantId };
	await accountsAdmin.grantQuota({ ...grant, note: "granted at the start" });
}

/** Issues a key with all scopes; under another name when this one is in use. */
export async function issueApiKey(
	{ accountsAdmin }: AdminClients,
	organizationId: string,
	name: string,
): Promise<string> {
	const issue = (name: string) =>
		accountsAdmin.issueApiKey({ organizationId, name });
	const first = await issue(name).catch(unless("api_key_exists"));
	return (first ?? (await issue(`${name} ${uuidv7()}`))).secret;
}

/** The sender ID of this value; requested when there is none. One that an admin has decided on stays as it is. */
export async function ensureSender(
	{ messaging, messagingAdmin }: AdminClients,
	organizationId: string,
	value: string,
): Promise<string> {
	const { senderIds } = await messaging.listSenderIds({ organizationId });
	const found = senderIds.find((sender) => sender.value === value);
	const sender =
		found ??
		(await messaging.requestSenderId({ organizationId, value })).senderId;
	const decision = { organizationId, senderId: sender?.id ?? "" };
	if (sender?.status === "pending")
		await messagingAdmin.decideSenderId({ ...decision, status: "approved" });
	return decision.senderId;
}

export async function ensureWhatsappNumber(
	{ whatsappAdmin }: AdminClients,
	organizationId: string,
	number: typeof cloudApiNumber & {
		readonly accessToken: string;
		/** The id of a new number, unless another has it or had it. */
		readonly phoneNumberId?: string;
	},
): Promise<string> {
	const organization = { organizationId };
	const { phoneNumbers } = await whatsappAdmin.listPhoneNumbers(organization);
	const found = phoneNumbers.find(({ phone }) => phone === number.phone);
	const request = { ...organization, ...number };
	const registered =
		found ??
		(
			(await whatsappAdmin
				.registerPhoneNumber(request)
				.catch(unless("phone_number_exists"))) ??
			(await whatsappAdmin.registerPhoneNumber({
				...request,
				phoneNumberId: "",
			}))
		).phoneNumber;
	await whatsappAdmin.syncTemplates(organization);
	return registered?.id ?? "";
}
