import type { DemoData } from "../start/demo-data.ts";

export interface BannerFacts {
	readonly baseUrl: string;
	readonly demo: DemoData;
	readonly dataDir: string;
	/** What is to be said first, for example "Airtower is ready after 5.1 s." */
	readonly headline: string;
	readonly eventBus: string;
	readonly operator: string;
	/** True when no SMS reaches a phone, whatever its number. */
	readonly isSimulated: boolean;
	readonly demoOptions: string;
}

const EXAMPLE_NUMBER = "+33612345678";

export function banner(facts: BannerFacts): string {
	const { baseUrl, demo, demoOptions, isSimulated } = facts;
	const to = isSimulated ? EXAMPLE_NUMBER : "<your number>";
	const options = isSimulated
		? demoOptions
		: `${demoOptions || " --"} --to <your number>`;
	return `
  ${facts.headline}

  API        ${baseUrl}
  Docs       ${baseUrl}/docs
  Key        ${demo.apiKey}
  Messages   to ${facts.operator}
  Events     through ${facts.eventBus}
  Data       ${facts.dataDir} (logs in logs/)

  Send a first message:

  curl -X POST ${baseUrl}/sms/send \\
    -H "Authorization: Bearer ${demo.apiKey}" \\
    -H "Content-Type: application/json" \\
    -d '{"to":"${to}","message":"Hello from ${demo.sender}"}'

  And a WhatsApp template:

  curl -X POST ${baseUrl}/whatsapp/messages \\
    -H "Authorization: Bearer ${demo.apiKey}" \\
    -H "Content-Type: application/json" \\
    -d '${whatsappBody(demo)}'

  See the whole life:  npm run demo${options}
  Stop:                Ctrl-C
`;
}

function whatsappBody({ whatsapp }: DemoData): string {
	return JSON.stringify({ type: "template", to: EXAMPLE_NUMBER, ...whatsapp });
}
