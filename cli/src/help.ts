import { type Command, Help, type HelpConfiguration } from "commander";

export const ENVIRONMENT = `
Without more it acts on the system that npm start runs. To act on others, set
  AIRTOWER_{ACCOUNTS,MESSAGING,WHATSAPP,CAMPAIGNS,WEBHOOKS}_RPC_URL  where the services are
  AIRTOWER_ADMIN_TOKEN or AIRTOWER_ADMIN_TOKEN_FILE                  an admin's token (tokens issue makes one)
  AIRTOWER_ADMIN_KEY_FILE, AIRTOWER_ADMIN_NAME                       or the admins' own key, and who acts (you)
  RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE, RPC_TLS_CA_FILE               with mutual TLS, as the services have them

An <organization> is given by id or by name.
npx airtower-admin is the same command without npm's own lines.
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
	const args = command.registeredArguments.map((arg) =>
		arg.variadic ? `[${arg.name()}...]` : `<${arg.name()}>`,
	);
	return [pathOf(command), ...args].join(" ");
}

function leavesOf(command: Command): readonly Command[] {
	return command.commands.length === 0 ? [command] : command.commands;
}
