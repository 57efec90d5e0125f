import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import {
	openSecret,
	sealSecret,
} from "@airtower/platform/sealing/sealed-secret";
import type { RouteSettings } from "../operators/route/route-settings.ts";
import type { RouteRow } from "../store/routes/routes.ts";
import { routeContext } from "../store/sealed-columns.ts";

export function sealSettings(
	ring: KeyRing,
	code: string,
	settings: RouteSettings,
): Buffer {
	return sealSecret(ring, JSON.stringify(settings), routeContext(code));
}

/** Throws when the key is not in the ring. */
export function openSettings(
	ring: KeyRing,
	{ code, settings }: Pick<RouteRow, "code" | "settings">,
): RouteSettings {
	const opened = openSecret(ring, settings, routeContext(code));
	return JSON.parse(opened.toString()) as RouteSettings;
}
