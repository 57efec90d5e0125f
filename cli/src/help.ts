import { type Command, Help, type HelpConfiguration } from "commander";

export const ENVIRONMENT = `
Acts on the system that npm start runs, or, when AIRTOWER_ADMIN_TOKEN or AIRTOWER_ADMIN_TOKEN_FILE is set (tokens issue
makes one), on the services at AIRTOWER_{ACCOUNTS,MESSAGING,WHATSAPP,CAMPAIGNS,WEBHOOKS}_RPC_URL.
AIRTOWER_ADMIN_KEY_FILE, the admins' own key, serves too;
AIRTOWER_ADMIN_NAME is then who acts (default: the user's name).
With mutual TLS, RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE and RPC_TLS_CA_FILE as the services have them.
npx airtower-admin is the same command without npm's own lines. An <organization> is given by id or by name.
Exit code: 0 done, 1 refused or failed, 2 wrong command line.`;

/** Help that lists every command with its arguments, not the groups alone. */
export const helpConfiguration: HelpConfiguration = {
	showGlobalOptions: true,
	subcommandTerm: shapeOf,
	formatHelp: (command, help) => {
		help.visibleCommands = ({ commands }) => commands.flatMap(leavesOf);
		return Help.prototype.formatHelp.call(help, command, help);
	},
};

export function pathOf(command: Command): string {
	if (command.parent === null) return "";
	return `${pathOf(command.parent)} ${command.name()}`.trimStart();
}

function shapeOf(command: Command): string {
	const args = command.registeredArguments.map((arg) => `<${arg.name()}>`);
	return [pathOf(command), ...args].join(" ");
}

function leavesOf(command: Command): readonly Command[] {
	return command.commands.length === 0 ? [command] : command.commands;
}
