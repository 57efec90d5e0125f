import {
	inboundUrlOf,
	parseHttpRoute,
	secretSettings,
} from "../http/http-route.ts";
import { BadRoute } from "./bad-route.ts";
import type { OperatorRoute, RouteKind } from "./operator-route.ts";
import { parseSmppRoute, type SmppRoute } from "./smpp-route.ts";

/**
 * A route's settings by name. Of an SMPP route `address`, `password`, and the options of a route's URL; of one over
 * HTTP those of `parseHttpRoute`. What is absent has its default.
 */
export type RouteSettings = Readonly<Record<string, string>>;

const ADDRESS = "The address must be smpp(s)://systemId@host:port";

/** An operator that is called over HTTP has a preset or a description. */
export function kindOf(settings: RouteSettings): RouteKind {
	return "preset" in settings || "description" in settings ? "http" : "smpp";
}

/** Throws BadRoute that names the setting, and never shows a secret one. */
export function parseRouteSettings(
	code: string,
	settings: RouteSettings,
): OperatorRoute {
	return kindOf(settings) === "http"
		? parseHttpRoute(code, settings)
		: parseSmppSettings(code, settings);
}

function secretsOf(settings: RouteSettings): ReadonlySet<string> {
	return kindOf(settings) === "http"
		? secretSettings(settings)
		: new Set(["password"]);
}

function parseSmppSettings(
	code: string,
	{ address = "", password = "", ...options }: RouteSettings,
): SmppRoute {
	if ("code" in options)
		throw new BadRoute("code", "The code of a route cannot be changed.");
	const url = URL.parse(address);
	if (url === null || !/^smpps?:$/.test(url.protocol) || url.hostname === "")
		throw new BadRoute("address", `${ADDRESS}.`);
	if (url.password !== "" || url.search !== "" || url.hash !== "")
		throw new BadRoute(
			"address",
			`${ADDRESS}; the password and the options are settings of their own.`,
		);
	url.password = encodeURIComponent(password);
	url.search = new URLSearchParams({ ...options, code }).toString();
	return parseSmppRoute(url.href);
}

/** Of a route's URL, which is in order. */
export function settingsFromUrl(text: string): RouteSettings {
	const url = new URL(text);
	const { code: _, ...options } = Object.fromEntries(url.searchParams);
	const password = decodeURIComponent(url.password);
	url.password = "";
	url.search = "";
	url.hash = "";
	return { address: url.href, password, ...options };
}

/** An empty value gives a setting its default again. */
export function changeSettings(
	settings: RouteSettings,
	changes: RouteSettings,
): RouteSettings {
	const changed = Object.entries({ ...settings, ...changes });
	return Object.fromEntries(changed.filter(([, value]) => value !== ""));
}

/** Of a secret one only that it is set. */
export function showSettings(settings: RouteSettings): RouteSettings {
	const secrets = secretsOf(settings);
	return Object.fromEntries(
		Object.entries(settings).map(([name, value]) => [
			name,
			secrets.has(name) ? "set" : value,
		]),
	);
}

/** Where the operator of a route over HTTP posts texts from phones; empty where none does. */
export function showInboundUrl(settings: RouteSettings): string {
	return kindOf(settings) === "http" ? (inboundUrlOf(settings) ?? "") : "";
}

/** What is shown of the settings that differ, before and after: of a secret one that it was changed. */
export function showChange(
	before: RouteSettings,
	after: RouteSettings,
): { readonly before: RouteSettings; readonly after: RouteSettings } {
	const names = Object.keys({ ...before, ...after }).filter(
		(name) => before[name] !== after[name],
	);
	const secrets = secretsOf(before).union(secretsOf(after));
	const show = (settings: RouteSettings, secret: string) =>
		Object.fromEntries(
			names.map((name) => [
				name,
				secrets.has(name) ? secret : (settings[name] ?? ""),
			]),
		);
	return { before: show(before, "set"), after: show(after, "changed") };
}
