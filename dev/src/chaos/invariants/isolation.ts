import { callApi } from "../../demo/public-api.ts";
import type { Tenant } from "../target/tenants.ts";
import type { Trial } from "../trial.ts";
import { complaint, type Invariant } from "./invariant.ts";

const TRIED = 3;
const PAGE = 100;

/** I9: no organization sees or changes another's rows. */
export const nobodySeesOthers: Invariant = {
	name: "I9",
	check: async (trial) => {
		const { a, b } = trial.tenants;
		return [
			...(await seenBy(trial, a, b)),
			...(await seenBy(trial, b, a)),
			...callbacksOfOthers(trial),
		];
	},
};

async function seenBy(
	{ load, target, random }: Trial,
	viewer: Tenant,
	owner: Tenant,
): Promise<string[]> {
	const api = { baseUrl: target.system.baseUrl, apiKey: viewer.apiKey };
	const others = random.shuffled(load.ledger.messageIds(owner)).slice(0, TRIED);
	const seen: string[] = [];
	for (const id of others) {
		const found = await callApi(api, "GET", `/sms/messages/${id}`).then(
			() => true,
			({ message }: Error) => !message.startsWith("404 "),
		);
		if (found) seen.push(id);
	}
	type Page = { messages: { id: string }[] };
	const list = `/sms/messages?limit=${PAGE}`;
	const { body } = await callApi<Page>(api, "GET", list);
	const foreign = new Set(load.ledger.messageIds(owner));
	seen.push(
		...body.messages.map(({ id }) => id).filter((id) => foreign.has(id)),
	);
	return complaint(`messages of ${owner.name} that ${viewer.name} sees`, seen);
}

function callbacksOfOthers({ load, tenants, target }: Trial): string[] {
	const all = Object.values(tenants) as Tenant[];
	return all.flatMap((tenant) => {
		const others = all.filter((each) => each !== tenant);
		const foreign = new Set(
			others.flatMap((each) => load.ledger.messageIds(each)),
		);
		const events = [...target.receiver.eventsAt(tenant.path).values()];
		const wrong = events.filter(({ messageId }) => foreign.has(messageId));
		return complaint(
			`callbacks of others at ${tenant.name}`,
			wrong.map(({ messageId }) => messageId),
		);
	});
}
