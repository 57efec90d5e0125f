import {
	DEFAULT_DATA_DIR,
	shellWord,
	shownPath,
	userPath,
} from "@airtower/cli/user-path";
import type { DevFile } from "../start/dev-file.ts";
import { banner } from "./banner.ts";

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
