import { type Scope, scopes } from "@airtower/proto/rules/scopes";

/** In the order in which keys are shown. */
export const SCOPES: readonly Scope[] = scopes.toSorted();

/** The wanted scopes in order and once each; undefined when one is unknown. */
export function readScopes(wanted: readonly string[]): Scope[] | undefined {
	const known = SCOPES.filter((scope) => wanted.includes(scope));
	return known.length === new Set(wanted).size ? known : undefined;
}
