import type { z } from "zod";
import { BadRoute } from "../route/bad-route.ts";
import {
	COMMON_OPTIONS,
	type CommonOptions,
	type ReadOption,
	readCommonOptions,
} from "../route/common-options.ts";
import { readValue, wholeNumber } from "../route/route-values.ts";
import {
	type Description,
	description as descriptionSchema,
} from "./description.ts";
import { toRegExp } from "./description-shape.ts";
import { presets } from "./presets/presets.ts";
import { fill, placeholdersOf, type Values } from "./template.ts";

/** A route to an operator that is called over HTTP. */
export interface HttpRoute extends CommonOptions {
	readonly kind: "http";
	readonly code: string;
	/** Scope of the operator's message ids. */
	readonly account: string;
	readonly description: Description;
	/** What paths follow. */
	readonly address: URL;
	/** Where the operator posts receipts, as it is told. */
	readonly callback: string;
	/** Settings that requests and verification name. */
	readonly values: Values;
	/** Connections, each with one request at a time, over all processes. */
	readonly binds: number;
	/** Most messages of one request. */
	readonly batch: number;
	/** Most messages a second, over all processes; undefined: as fast as the operator responds. */
	readonly rate: number | undefined;
	readonly timeoutMs: number;
}

/** Where the operator posts texts from phones, as it is told; undefined for one that brings none. */
export function inboundCallback({
	callback,
	description,
}: Pick<HttpRoute, "callback" | "description">): string | undefined {
	return description.inbound && `${callback.replace(/\/$/, "")}/inbound`;
}

type Settings = Readonly<Partial<Record<string, string>>>;

const ORDINARY = [
	"preset",
	"description",
	"account",
	"address",
	"callback",
	"connections",
	"batch",
	"rate",
	"timeout",
	...COMMON_OPTIONS,
];
const MAX_VALUE_LENGTH = 2_000;
/** Of what verifies callbacks: anybody may call, and try. */
const MIN_SECRET_LENGTH = 8;
const VISIBLE = /^[\x20-\x7e]*$/;

/**
 * Reads settings by name: `preset` or `description` (a JSON document), `callback` (the public URL that the operator
 * calls, `https://<host>/callbacks/sms/<code>`), `account`, `address`, `connections` (1-64), `batch` (most messages of
 * one request, where the description has a way), `rate` (messages a second, 0: no limit), `timeout` (seconds, 1-60),
 * those of `readCommonOptions`, and those that the description names. Throws BadRoute.
 */
export function parseHttpRoute(code: string, settings: Settings): HttpRoute {
	const description = readDescription(settings);
	const own = Object.keys(description.settings);
	const known: readonly string[] = [...ORDINARY, ...own];
	for (const name of Object.keys(settings))
		if (!known.includes(name))
			throw badSetting(name, `is unknown; known are ${known.join(", ")}`);
	checkValue("account", settings.account ?? "");
	const address = readUrl("address", settings.address ?? description.address);
	const callback = readUrl("callback", settings.callback).href;
	const values = new Map<string, string>([
		["address", address.href],
		["callback", callback],
		["account", settings.account ?? ""],
	]);
	for (const [name, setting] of Object.entries(description.settings))
		values.set(name, readOwn(name, setting, settings[name]));
	if (secretOf(description, values).length < MIN_SECRET_LENGTH)
		throw badSetting(
			placeholdersOf(secretTemplate(description))[0] ?? "description",
			`needs a secret of ${MIN_SECRET_LENGTH} characters or more, by which callbacks are verified`,
		);
	const read: ReadOption = (name, fallback, parse) =>
		readValue(settings[name] ?? fallback, parse, (what) =>
			badSetting(name, what),
		);
	const rate = read("rate", "0", wholeNumber(0, 100_000));
	return {
		...readCommonOptions(read),
		kind: "http",
		code,
		account: settings.account ?? code,
		description,
		address,
		callback,
		values,
		binds: read("connections", "8", wholeNumber(1, 64)),
		batch: read("batch", "1", wholeNumber(1, description.batch?.most ?? 1)),
		rate: rate === 0 ? undefined : rate,
		timeoutMs: read("timeout", "30", wholeNumber(1, 60)) * 1_000,
	};
}

/** Names of the settings that are never shown. */
export function secretSettings(settings: Settings): ReadonlySet<string> {
	const named = Object.entries(readDescription(settings).settings);
	return new Set(named.flatMap(([name, { secret }]) => (secret ? [name] : [])));
}

/** Of settings that are in order. */
export function inboundUrlOf(settings: Settings): string | undefined {
	const { callback = "" } = settings;
	return inboundCallback({ callback, description: readDescription(settings) });
}

/** The text by which callbacks are verified: it is sent along, or signs. */
export function secretOf(
	description: Pick<Description, "callback">,
	values: Values,
): string {
	return fill(secretTemplate(description), values);
}

function secretTemplate({
	callback: { verify },
}: Pick<Description, "callback">): string {
	return verify.kind === "hmac" ? verify.key : verify.value;
}

function readDescription({ preset, description }: Settings): Description {
	if (preset !== undefined && description !== undefined)
		throw badSetting("description", "is given beside a preset");
	if (description !== undefined) return parseDescription(description);
	const known = presets[preset ?? ""];
	if (known !== undefined) return known;
	const names = Object.keys(presets).join(", ");
	throw badSetting(
		"preset",
		`must be one of ${names}, or "description" be given in its place`,
	);
}

function parseDescription(text: string): Description {
	const result = descriptionSchema.safeParse(parseJson(text));
	if (result.success) return result.data;
	throw badSetting("description", describeIssues(result.error));
}

function describeIssues({ issues }: z.ZodError): string {
	const [first] = issues;
	if (first === undefined) return "is malformed";
	const where = first.path.map(String).join(".");
	return where === ""
		? `must be a JSON document: ${first.message}`
		: `is malformed at ${where}: ${first.message}`;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function readUrl(name: string, text: string | undefined): URL {
	const url = URL.parse(text ?? "");
	if (url === null || !/^https?:$/.test(url.protocol))
		throw badSetting(name, "must be a URL that begins with https://");
	if (url.username !== "" || url.password !== "" || url.hash !== "")
		throw badSetting(name, "must have no user, password or fragment");
	if (url.search !== "") throw badSetting(name, "must have no query");
	return url;
}

function readOwn(
	name: string,
	{ about, pattern = ".*", default: fallback }: Description["settings"][string],
	given: string | undefined,
): string {
	const value = given ?? fallback;
	if (value === undefined) throw badSetting(name, `is missing: ${about}`);
	checkValue(name, value);
	if (given !== undefined && !toRegExp(pattern).test(value))
		throw badSetting(name, `must match ${pattern}`);
	return value;
}

/** Of a value that a header may name. */
function checkValue(name: string, value: string): void {
	if (!VISIBLE.test(value) || value.length > MAX_VALUE_LENGTH)
		throw badSetting(
			name,
			`must have at most ${MAX_VALUE_LENGTH} characters, all of ASCII`,
		);
}

/** A setting that is missing, unknown or malformed; no value is shown, which may be a secret. */
function badSetting(setting: string, what: string): BadRoute {
	return new BadRoute(
		setting,
		`The HTTP route's setting "${setting}" ${what}.`,
	);
}
