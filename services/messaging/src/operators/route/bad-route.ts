import { ConfigError } from "@airtower/platform/runtime/config";

/** What is wrong with a route, in one sentence. */
export class BadRoute extends ConfigError {
	/** Name of the setting, for example `address` or `password`. */
	readonly setting: string;

	constructor(setting: string, message: string) {
		super(message);
		this.setting = setting;
	}
}
