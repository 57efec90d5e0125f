import type { OptionSpec } from "./command.ts";

/** What every command takes. */
export const SHARED_OPTIONS: Readonly<Record<string, OptionSpec>> = {
	json: {
		about: "one JSON document instead of tables, alone with npx airtower-admin",
	},
	"data-dir": {
		value: "path",
		about: "folder that npm start was given (default .data)",
	},
	help: { about: "this text" },
};
