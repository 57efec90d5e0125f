import {
	DEFAULT_DATA_DIR,
	shellWord,
	shownPath,
	userPath,
} from "@airtower/cli/user-path";
import type { DemoData } from "../start/demo-data.ts";
import type { DevFile } from "../start/dev-file.ts";
import type { OtherOperator } from "../start/system.ts";

/** The banner of a running system, whose folder the user has named like this. */
export function welcomeText(
	dev: DevFile,
	dataDir: string,
	headline: string,
): string {
	const dataOption =
		dataDir === DEFAULT_DATA_DIR ? "" : ` --data-dir ${shellWord(dataDir)}`;
	return banner({
		baseUrl: dev.baseUrl,
		demo: dev,
		headline,
		dataOption,
		dataDir: shownPath(userPath(dataDir)),
		eventBus: dev.eventBus,
		operator:
			dev.smsc === undefined
				? dev.operator
				: `the SMSC simulator on ${dev.operator}`,
		otherOperators: dev.otherOperators,
		isSimulated: dev.smsc !== undefined,
	});
}

export interface BannerFacts {
	readonly baseUrl: string;
	readonly demo: DemoData;
	readonly dataDir: string;
	/** What is to be said first, for example "Airtower is ready after 5.1 s." */
	readonly headline: string;
	readonly eventBus: string;
	readonly operator: string;
	/** The operators that are simulated beside it. */
	readonly otherOperators: readonly OtherOperator[];
	/** True when no SMS reaches a phone, whatever its number. */
	readonly isSimulated: boolean;
	/** The option of commands that names the data folder, after a space; empty for the usual folder. */
	readonly dataOption: string;
}

const EXAMPLE_NUMBER = "+33612345678";
/** Begins as the numbers of which the third route takes all. */
const OTHER_NUMBER = "+447400123456";

export function banner(facts: BannerFacts): string {
	const { baseUrl, demo, dataOption, isSimulated } = facts;
	const to = isSimulated ? EXAMPLE_NUMBER : "<your number>";
	const words = dataOption + (isSimulated ? "" : " --to <your number>");
	const options = words === "" ? "" : ` --${words}`;
	return `
  ${facts.headline}

  API        ${baseUrl}
  Docs       ${baseUrl}/docs
  Key        ${demo.apiKey}
  Messages   to ${facts.operator}
${operatorLines(facts)}  Events     through ${facts.eventBus}
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
${routeCommands(facts)}
  See the whole life:  npm run demo${options}
  Stop:                Ctrl-C
`;
}

function operatorLines({ otherOperators }: BannerFacts): string {
	return otherOperators
		.map(
			({ code, url, manner }) =>
				`             ${code} on ${new URL(url).host}: ${manner}\n`,
		)
		.join("");
}

/** How to see which route a message takes and why, where there are several. */
function routeCommands({ otherOperators, demo, dataOption }: BannerFacts) {
	if (otherOperators.length === 0) return "";
	const commands = [
		"routes list",
		"rules list",
		`routes explain --to ${EXAMPLE_NUMBER} --from ${demo.sender}`,
		`routes explain --to ${OTHER_NUMBER} --from ${demo.sender}`,
	];
	const lines = commands.map(
		(command) => `  npm run admin -- ${command}${dataOption}\n`,
	);
	return `\n  See which route a message takes, and why:\n\n${lines.join("")}`;
}

function whatsappBody({ whatsapp }: DemoData): string {
	return JSON.stringify({ type: "template", to: EXAMPLE_NUMBER, ...whatsapp });
}
