import { setTimeout as delay } from "node:timers/promises";
import { openLoadClient } from "../../load/client.ts";
import type { Random } from "../random.ts";
import type { Tenants } from "../target/tenants.ts";
import { Ledger } from "./ledger.ts";
import {
	campaignRequest,
	type Numbered,
	smsRequest,
	whatsappRequest,
} from "./requests.ts";
import { sendUntilAccepted } from "./send.ts";

export interface Load {
	readonly ledger: Ledger;
	/** Resolves once one more campaign is accepted. */
	sendCampaign(): Promise<void>;
	/** Whether the clients of SMS send again without a pause, and more of them do. */
	hurry(isHurried: boolean): void;
	/** Takes no new messages up and resolves once every one that was begun is accepted. */
	stop(): Promise<void>;
}

interface LoadOptions {
	readonly baseUrls: readonly string[];
	readonly tenants: Tenants;
	/** Begins every key: no other run has it. */
	readonly run: string;
	readonly random: Random;
	readonly isLong: boolean;
}

const SMS_CLIENTS = 8;
/** So many more while there is hurry: 200 messages a second on two processors. */
const HURRIED_CLIENTS = 24;
/**
 * Between two sends of a client of SMS, ms. The long form's load takes all of two processors, which leaves little of
 * them to the processes that start again.
 */
const PAUSES_MS = { short: [150, 600], long: [20, 90] } as const;
/** The number's rate holds WhatsApp messages back anyway. */
const WHATSAPP_PAUSE_MS = { short: 500, long: 200 } as const;
/** More than there are requests at a time. */
const CONNECTIONS = 64;
/** Requests of which a second one is sent at the same time, of a hundred. */
const TWICE_PERCENT = 5;

/** SMS of two organizations, WhatsApp messages of a third, a campaign of each of the two. */
export function startLoad(options: LoadOptions): Load {
	const { tenants, run, random, isLong } = options;
	const form = isLong ? "long" : "short";
	const [shortestMs, longestMs] = PAUSES_MS[form];
	const ledger = new Ledger();
	const connections = openLoadClient(CONNECTIONS);
	const client = { baseUrls: options.baseUrls, connections, ledger };
	const stopping = new AbortController();
	let number = 0;
	let isHurried = false;

	const send = async ({ sent, request }: Numbered): Promise<void> => {
		ledger.sent.push(sent);
		const copies = random.chance(TWICE_PERCENT) ? 2 : 1;
		await Promise.all(
			Array.from({ length: copies }, () =>
				sendUntilAccepted(client, sent, request),
			),
		);
	};
	const repeat = async (
		make: () => Numbered,
		pauseMs: () => number,
		goesOn = () => true,
	) => {
		while (goesOn() && !stopping.signal.aborted) {
			await send(make());
			await delay(pauseMs());
		}
	};

	const smsPause = () => {
		const pauseMs = random.between(shortestMs, longestMs);
		return isHurried ? 0 : pauseMs;
	};
	const senders = [tenants.a, tenants.b];
	const sendSms = (count: number, goesOn?: () => boolean) =>
		Array.from({ length: count }, (_, at) => {
			const tenant = senders[at % senders.length] ?? tenants.a;
			const make = () => smsRequest(tenant, run, number++, random);
			return repeat(make, smsPause, goesOn);
		});
	const clients = [
		...sendSms(SMS_CLIENTS),
		repeat(
			() => whatsappRequest(tenants.w, run, number++),
			() => WHATSAPP_PAUSE_MS[form],
		),
		...senders.map((tenant) => send(campaignRequest(tenant, run, number++))),
	];
	return {
		ledger,
		sendCampaign: () => send(campaignRequest(tenants.a, run, number++)),
		hurry: (hurried) => {
			isHurried = hurried;
			if (hurried) clients.push(...sendSms(HURRIED_CLIENTS, () => isHurried));
		},
		stop: async () => {
			stopping.abort();
			await Promise.all(clients);
			await connections.close();
		},
	};
}
