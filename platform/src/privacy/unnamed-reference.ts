import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";

/** A message's client reference, or null where it contains the digits of the row's `recipient`, however written. */
export function unnamedReference(sql: Queryable): postgres.Fragment {
	return sql`
		case
			when position(substr(recipient, 2) in regexp_replace(client_reference, '[^0-9]', '', 'g')) = 0
			then client_reference
		end
	`;
}
