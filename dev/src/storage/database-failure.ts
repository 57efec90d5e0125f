import postgres from "postgres";
import { StartError } from "../processes/start-error.ts";

const INSUFFICIENT_PRIVILEGE = "42501";
const INVALID_PASSWORD = "28P01";

export function isWrongPassword(error: unknown): boolean {
	return (
		error instanceof postgres.PostgresError && error.code === INVALID_PASSWORD
	);
}

/** Why a database could not be set up, as a sentence for the user. */
export function describeFailure(error: unknown, url: string): unknown {
	if (error instanceof StartError) return error;
	const { hostname, port } = new URL(url);
	if (!(error instanceof postgres.PostgresError))
		return new StartError(
			`No PostgreSQL responds at ${hostname}:${port || "5432"}; check DATABASE_URL.`,
		);
	if (error.code === INSUFFICIENT_PRIVILEGE)
		return new StartError(
			"The user of DATABASE_URL may not create roles and schemas; " +
				"use one that may, for example the owner of the server.",
		);
	return new StartError(`The database refused to be set up: ${error.message}.`);
}
