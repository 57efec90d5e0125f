/** What a load saw while pods came and went. */
export interface LoadReport {
	readonly sent: number;
	readonly accepted: number;
	/** A sentence for each of the first requests that were not accepted. */
	readonly failures: readonly string[];
	/** Units of quota that the organization lost meanwhile. */
	readonly debited: number;
	/** Messages that the operator got at least once. */
	readonly submitted: number;
	/** Submits beyond one for each message. */
	readonly repeated: number;
	readonly calledBack: number;
}

/** Why a load's figures are not as they must be; empty when they are. */
export function faultsIn(report: LoadReport): string[] {
	const { sent, accepted, failures, repeated } = report;
	const { debited, submitted, calledBack } = report;
	const counts = { accepted, debited, submitted, calledBack };
	const isExact =
		repeated === 0 && Object.values(counts).every((count) => count === sent);
	return [
		...(failures.length === 0
			? []
			: [
					`${sent - accepted} requests failed: ${failures.slice(0, 5).join("; ")}`,
				]),
		...(isExact
			? []
			: [`of ${sent} messages: ${JSON.stringify({ ...counts, repeated })}`]),
	];
}
