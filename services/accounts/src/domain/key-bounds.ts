import type { Scope } from "@airtower/proto/rules/scopes";

/** What a key may do, and until when; null for ever. */
export interface KeyBounds {
	readonly scopes: readonly Scope[];
	readonly expiresAt: Date | null;
}

/** A key that is gone allows nothing. */
export const NO_KEY: KeyBounds = { scopes: [], expiresAt: null };

/** Keys of an organization that may be used at one time. */
export const MAX_ACTIVE_KEYS = 100;

export function covers(
	caller: Pick<KeyBounds, "scopes">,
	scopes: readonly Scope[],
): boolean {
	return scopes.every((scope) => caller.scopes.includes(scope));
}

/** The calling key's own scopes when none are wanted; undefined for more than it has. */
export function scopesWithin(
	caller: KeyBounds,
	wanted: readonly Scope[],
): readonly Scope[] | undefined {
	const scopes = wanted.length === 0 ? caller.scopes : wanted;
	return scopes.length > 0 && covers(caller, scopes) ? scopes : undefined;
}

/** The calling key's own end when none is wanted; undefined for a later one. */
export function endWithin(
	{ expiresAt: last }: KeyBounds,
	wanted: Date | null,
): Date | null | undefined {
	if (last === null || (wanted !== null && wanted <= last)) return wanted;
	return wanted === null ? last : undefined;
}
