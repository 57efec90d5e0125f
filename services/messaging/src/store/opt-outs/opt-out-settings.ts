import type { Queryable, Tx } from "@airtower/platform/database/database";
import { foundTable } from "@airtower/platform/privacy/erasable-table";

/** What a STOP word ends: messages from the number that it was sent to, or all of the organization's. */
type OptOutScope = "sender" | "organization";

export interface OptOutSettingsRow {
	readonly scope: OptOutScope;
	/** Null: the built-in text. Empty: no response. */
	readonly stopText: string | null;
	readonly startText: string | null;
	readonly helpText: string | null;
	readonly exemptsOneTimePasswords: boolean;
}

const DEFAULTS: OptOutSettingsRow = {
	scope: "sender",
	stopText: null,
	startText: null,
	helpText: null,
	exemptsOneTimePasswords: false,
};

const columns = (sql: Queryable) => sql`
	scope,
	stop_text as "stopText",
	start_text as "startText",
	help_text as "helpText",
	exempts_one_time_passwords as "exemptsOneTimePasswords"
`;

/** The defaults where nothing was set. */
export async function findOptOutSettings(
	sql: Queryable,
	organizationId: string,
): Promise<OptOutSettingsRow> {
	const [row] = await sql<OptOutSettingsRow[]>`
		select ${columns(sql)}
		from opt_out_settings
		where organization_id = ${organizationId}
	`;
	return row ?? DEFAULTS;
}

/** The same; who changes them too waits until the transaction ends. */
export async function lockOptOutSettings(
	sql: Tx,
	organizationId: string,
): Promise<OptOutSettingsRow> {
	const [row] = await sql<[OptOutSettingsRow]>`
		insert into opt_out_settings as known (organization_id)
		values (${organizationId})
		on conflict (organization_id) do update set scope = known.scope
		returning ${columns(sql)}
	`;
	return row;
}

export async function updateOptOutSettings(
	sql: Tx,
	organizationId: string,
	settings: OptOutSettingsRow,
): Promise<void> {
	await sql`
		update opt_out_settings
		set
			scope = ${settings.scope},
			stop_text = ${settings.stopText},
			start_text = ${settings.startText},
			help_text = ${settings.helpText},
			exempts_one_time_passwords = ${settings.exemptsOneTimePasswords}
		where organization_id = ${organizationId}
	`;
}

/** An organization's own texts go when it is erased as a whole: they name it. */
export const erasableOptOutTexts = foundTable(
	"opt_out_settings",
	async (sql, { phone, organizationId }) => {
		if (phone !== undefined || organizationId === undefined) return 0;
		const erased = await sql`
			update opt_out_settings
			set stop_text = null, start_text = null, help_text = null
			where organization_id = ${organizationId}
			and coalesce(stop_text, start_text, help_text) is not null
		`;
		return erased.count;
	},
);
