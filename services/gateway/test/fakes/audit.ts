import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type AuditEntry,
	AuditEntrySchema,
	AuditService,
} from "@airtower/proto/ops/v1/audit";
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampNow } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";

type Facts = Omit<AuditEntry, "$typeName" | "$unknown">;

/** The audit of one service. */
export class FakeAudit {
	private readonly entries = new Map<string, AuditEntry[]>();

	addAct(organizationId: string, facts: Partial<Facts>): void {
		const acts = this.entries.get(organizationId) ?? [];
		const made = { id: uuidv7(), createdAt: timestampNow() };
		const act = create(AuditEntrySchema, { ...made, ...facts });
		this.entries.set(organizationId, [...acts, act]);
	}

	readonly routes = (router: ConnectRouter): void => {
		router.rpc(
			AuditService.method.listOrganizationAudit,
			({ organizationId, page }) => {
				const { limit = 0, after } = page ?? {};
				const left = (this.entries.get(organizationId) ?? [])
					.toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1))
					.filter((one) => after === undefined || keyOf(one) < keyOf(after));
				const entries = left.slice(0, limit);
				const last = entries.at(-1);
				if (last?.createdAt === undefined || left.length <= limit)
					return { entries };
				return { entries, next: { createdAt: last.createdAt, id: last.id } };
			},
		);
	};
}

function keyOf({ createdAt, id }: Pick<AuditEntry, "createdAt" | "id">) {
	return `${createdAt && timestampDate(createdAt).toISOString()} ${id}`;
}
