import type { Call } from "./command.ts";
import { UsageError } from "./errors.ts";
import { readSecret } from "./secret-file.ts";

/**
 * A route's settings from arguments like `window=20`, from the password file and from the settings file.
 * @throws UsageError that names what is wrong
 */
export async function readSettings(
	call: Call,
): Promise<Record<string, string>> {
	const settings: Record<string, string> = {};
	for (const word of call.words) {
		const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
		if (name === "")
			throw new UsageError(
				`A setting is written name=value, which "${word}" is not.`,
			);
		if (name === "password")
			throw new UsageError(
				"Others see the arguments of a command: give the password with --password-file.",
			);
		if (name in settings) throw new UsageError(`${name} is given twice.`);
		settings[name] = value;
	}
	const file = call.option("password-file");
	if (file !== undefined)
		settings.password = await readSecret("password", file);
	const more = call.option("settings-file");
	return more === undefined
		? settings
		: { ...settings, ...(await readSettingsFile(more)) };
}

/** A value that is not a string, such as a description, is passed on as JSON. */
async function readSettingsFile(path: string): Promise<Record<string, string>> {
	const text = await readSecret("settings", path);
	const settings: unknown = parseJson(text);
	if (settings === null || typeof settings !== "object")
		throw new UsageError(
			`The settings file ${path} must contain a JSON object like {"token": "..."}.`,
		);
	return Object.fromEntries(
		Object.entries(settings).map(([name, value]) => [
			name,
			typeof value === "string" ? value : JSON.stringify(value),
		]),
	);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
