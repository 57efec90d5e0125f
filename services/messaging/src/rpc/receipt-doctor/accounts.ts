import { notFound } from "@airtower/platform/runtime/domain-error";
import type { Context } from "../../context.ts";
import { ID_SCHEMES } from "../../domain/operator-message-id.ts";
import type { AccountScheme } from "../../domain/receipts/diagnosis.ts";
import type { Route } from "../../routes/routes.ts";

/** An operator account as the doctor knows it. */
export interface Account extends AccountScheme {
	/** Its routes, in order; none where none is set up any more. */
	readonly routes: readonly Route[];
}

const AUTO = { responseIds: "auto", receiptIds: "auto" } as const;
const AS_WRITTEN = { responseIds: "exact", receiptIds: "exact" } as const;

/** @param name a route's code, whose account it is; or an account */
export function findAccount(ctx: Pick<Context, "routes">, name: string) {
	const route = ctx.routes.current().find(({ code }) => code === name);
	return toAccount(ctx, route?.settings.account ?? name);
}

export function toAccount(
	{ routes }: Pick<Context, "routes">,
	account: string,
): Account {
	const all = routes.current();
	const own = all.filter(({ settings }) => settings.account === account);
	const smpp = own.flatMap(({ settings }) =>
		settings.kind === "smpp" ? [settings] : [],
	);
	const isHttp = own.length > 0 && smpp.length === 0;
	return {
		account,
		routes: own,
		scheme: smpp[0] ?? (isHttp ? AS_WRITTEN : AUTO),
		mayChange: !isHttp,
	};
}

export function codesOf({ routes }: Account): string[] {
	return routes.map(({ code }) => code);
}

/** The value of `ids` that stands for the account's scheme. */
export function schemeName({ scheme }: AccountScheme): string {
	const [name = ""] =
		[...ID_SCHEMES].find(
			([, one]) =>
				one.responseIds === scheme.responseIds &&
				one.receiptIds === scheme.receiptIds,
		) ?? [];
	return name;
}

/** Of an account that has neither a route nor a parked receipt. */
export function unknownAccount() {
	return notFound(
		"unknown_account",
		"There is no route of this code and no receipt is parked for such an account; admin receipts list shows those that are.",
		{ field: "account" },
	);
}
