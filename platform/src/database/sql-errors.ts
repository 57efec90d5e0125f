import postgres from "postgres";

export function postgresCode(error: unknown): string | undefined {
	return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** True when the database refuses a row for its content (SQLSTATE classes 22, 23, 54): it will be refused again. */
export function isDataError(error: unknown): boolean {
	return /^(22|23|54)/.test(postgresCode(error) ?? "");
}

/** True for a unique violation (23505), of the named constraint when one is given. */
export function isUniqueViolation(
	error: unknown,
	constraint?: string,
): boolean {
	return (
		error instanceof postgres.PostgresError &&
		error.code === "23505" &&
		(constraint === undefined || error.constraint_name === constraint)
	);
}

export function isLockTimeout(error: unknown): boolean {
	return postgresCode(error) === "55P03";
}

const TIMEOUT_STATES = ["57014", "25P03", "25P04"];

export function isDatabaseTimeout(error: unknown): boolean {
	return TIMEOUT_STATES.includes(postgresCode(error) ?? "");
}
