import { detailTable } from "../schemas/error-body.ts";
import { errorTable } from "../schemas/errors.ts";

export function errorTables(): string {
	const errors = Object.entries(errorTable).map(
		([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
	);
	const details = Object.entries(detailTable).map(
		([code, message]) => `| \`${code}\` | ${message} |`,
	);
	return [
		"**Error codes**",
		"",
		"| code | status | meaning |",
		"|---|---|---|",
		...errors,
		"",
		"**Codes of `error.details`**, beside the code of the error itself, given again with the field that it is about",
		"",
		"| code | meaning |",
		"|---|---|",
		...details,
	].join("\n");
}
