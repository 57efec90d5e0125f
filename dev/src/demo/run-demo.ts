import {
	addEndpoint,
	type Endpoint,
	type ReceivedCallback,
	startReceiver,
} from "../load/receiver.ts";
import { StartError } from "../start/system.ts";
import { showAnswer } from "./answer-life.ts";
import { showCampaign } from "./campaign-life.ts";
import type { DemoSystem } from "./demo-system.ts";
import { callApi } from "./public-api.ts";
import { showSms } from "./sms-life.ts";
import { step } from "./step.ts";
import { showWhatsapp } from "./whatsapp-life.ts";

/** The recipient when none is named: for the simulator alone, it may be somebody's number. */
const SIMULATED_RECIPIENT = "+33612345678";

export async function runDemo(
	dev: DemoSystem,
	named: string | undefined,
	show = {
		sms: showSms,
		answer: showAnswer,
		campaign: showCampaign,
		whatsapp: showWhatsapp,
	},
): Promise<void> {
	const { smsc } = dev;
	const to = named ?? (smsc && SIMULATED_RECIPIENT);
	if (to === undefined)
		throw new StartError(
			"This system sends through your own operator: name the number that shall get a real SMS, " +
				"npm run demo -- --to <number>.",
		);
	const callbacks: ReceivedCallback[] = [];
	const receiver = await startReceiver({
		host: dev.receiverHost,
		onCallback: (callback) => callbacks.push(callback),
	});
	console.log(`\n  The life of one message, on ${dev.baseUrl}\n`);
	try {
		const endpoint = await register(dev, receiver.url);
		try {
			await show.sms(dev, to, endpoint.signingSecret, callbacks);
			if (smsc !== undefined) {
				console.log("\n  An answer, and STOP\n");
				await show.answer(dev, smsc);
				console.log("\n  A campaign of three\n");
				await show.campaign(dev);
			}
			console.log("\n  WhatsApp, both ways\n");
			await show.whatsapp(dev);
			console.log("");
		} finally {
			await remove(dev, endpoint.webhookEndpoint.id);
		}
	} finally {
		await receiver.close();
	}
	console.log("\n  All of it was seen.\n");
}

function register(dev: DemoSystem, url: string): Promise<Endpoint> {
	return step(
		"webhook registered",
		() => addEndpoint(dev, url),
		() => url,
	);
}

function remove(dev: DemoSystem, endpointId: string): Promise<unknown> {
	return step(
		"webhook removed",
		() => callApi(dev, "DELETE", `/webhooks/${endpointId}`),
		() => "nothing more is sent to it",
	);
}
