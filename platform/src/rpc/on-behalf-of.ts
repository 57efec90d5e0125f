import { AsyncLocalStorage } from "node:async_hooks";

const organizations = new AsyncLocalStorage<string>();

/** Calls that the work makes carry this organization in their tokens; "*" for several or none. */
export function onBehalfOf<T>(organization: string | "*", work: () => T): T {
	return organizations.run(organization, work);
}

/** "*" where nothing was said. */
export function currentOrganization(): string | "*" {
	return organizations.getStore() ?? "*";
}
