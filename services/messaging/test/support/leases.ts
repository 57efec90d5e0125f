import type { PartOutcome } from "../../src/domain/submit-result.ts";
import { repeatUnknown } from "../../src/jobs/repeat-unknown.ts";
import type { TestReplica } from "./messaging.ts";
import { acceptedAs, noResponse } from "./scripted-operator.ts";

/** As if the process had shown no sign of life for longer than its lease. */
export async function letLeaseRunOut({
	ctx,
}: Pick<TestReplica, "ctx">): Promise<void> {
	await ctx.sql`
		update leases
		set lease_until = renewed_at
		where token = ${ctx.lease.token()}
	`;
}

/** Begins a submit whose response, an outcome for each part, comes when the test says so. */
export async function submitAndHang(
	replica: TestReplica,
	outcomes: readonly PartOutcome[] = [acceptedAs("late")],
): Promise<() => void> {
	const response = Promise.withResolvers<void>();
	replica.operator.script = async (_, part) => {
		await response.promise;
		return outcomes[part - 1] ?? noResponse;
	};
	await repeatUnknown(replica.ctx);
	await replica.dispatcher.round();
	return response.resolve;
}
