import { AuditService } from "@airtower/proto/ops/v1/audit";
import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { rpcRoute } from "../rpc/route.ts";
import { DomainError } from "../runtime/domain-error.ts";
import { uuidv7 } from "../runtime/ids.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { serveRoutes, type TestRpcServer } from "../testing/rpc-server.ts";
import { auditRoute } from "./audit-service.ts";
import { recordAct } from "./record-act.ts";

const ADMIN = { issuer: "admin" } as const;
const GATEWAY = { issuer: "gateway" } as const;
const page = { limit: 10 };

let database: TestDatabase;
let server: TestRpcServer;
let organizationId: string;

beforeAll(async () => {
	database = await testDatabase([platformMigrations.audit]);
	const { sql } = database;
	server = await serveRoutes(
		"audited",
		[
			auditRoute(sql),
			rpcRoute(DeadLetterService, {
				listDeadLetters: () => ({ groups: [] }),
				redriveDeadLetters({ group }) {
					if (group === "unknown")
						throw new DomainError({
							kind: "not_found",
							reason: "unknown_group",
							message: "No.",
						});
					return { applied: 2, failed: 1 };
				},
			}),
			rpcRoute(WhatsAppAdminService, {
				registerPhoneNumber: () => ({}),
				async setTemplateDisabled({ templateId, disabled }, context) {
					const act = { before: { disabled: !disabled }, after: { disabled } };
					const subject = templateId;
					await recordAct(sql, context, { organizationId, subject, ...act });
					return {};
				},
			}),
		],
		{ auditDatabase: sql },
	);
});

beforeEach(() => {
	organizationId = uuidv7();
});

afterAll(async () => {
	await server.close();
	await database.drop();
});

async function entries(of = "") {
	const client = server.client(AuditService, ADMIN);
	const { entries } = await client.listAuditEntries({
		organizationId: of,
		page,
	});
	return entries;
}

test("an act that its handler records has one entry: who, from where, what, before and after", async () => {
	const client = server.client(WhatsAppAdminService, ADMIN);
	const templateId = uuidv7();
	await client.setTemplateDisabled({
		organizationId,
		templateId,
		disabled: true,
	});
	expect(await entries(organizationId)).toMatchObject([
		{
			actorKind: "admin",
			actor: "test",
			address: "127.0.0.1",
			action: "set_template_disabled",
			subject: templateId,
			before: '{"disabled":false}',
			after: '{"disabled":true}',
		},
	]);
});

test("an act that its handler does not record has an entry all the same, with nothing of its texts", async () => {
	const client = server.client(WhatsAppAdminService, ADMIN);
	await client.registerPhoneNumber({
		organizationId,
		phone: "+33612345678",
		providerPhoneNumberId: "1",
		providerAccountId: "2",
		accessToken: "secret-token",
	});
	const [entry] = await entries(organizationId);
	expect(entry).toMatchObject({
		actor: "test",
		action: "register_phone_number",
		organizationId,
		subject: "",
		before: "",
		after: "",
	});
});

test("a look and a refused act leave no entry, nor does a service's call", async () => {
	const before = await entries();
	const client = server.client(DeadLetterService, ADMIN);
	await client.listDeadLetters({});
	await expect(
		client.redriveDeadLetters({ group: "unknown" }),
	).rejects.toMatchObject({ code: Code.NotFound });
	await expect(
		server
			.client(DeadLetterService, GATEWAY)
			.redriveDeadLetters({ group: "events" }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	expect(await entries()).toEqual(before);
});

test.each([
	"update audit_entries set actor = 'nobody'",
	"delete from audit_entries",
	"truncate audit_entries",
])("the audit is append-only: it refuses %s", async (statement) => {
	await expect(database.sql.unsafe(statement)).rejects.toMatchObject({
		code: "23001",
	});
});

test("an admin of one organization sees its entries alone, others none", async () => {
	const own = server.client(AuditService, {
		...ADMIN,
		organization: organizationId,
	});
	await expect(own.listAuditEntries({ page })).rejects.toMatchObject({
		code: Code.PermissionDenied,
	});
	const { entries } = await own.listAuditEntries({ organizationId, page });
	expect(entries).toEqual([]);
	await expect(
		server.client(AuditService, GATEWAY).listAuditEntries({ page }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
});

test("the gateway lists what was done to the organization of its token, and of no other", async () => {
	const templateId = uuidv7();
	for (const disabled of [true, false])
		await server
			.client(WhatsAppAdminService, ADMIN)
			.setTemplateDisabled({ organizationId, templateId, disabled });
	const gateway = (organization: string) =>
		server.client(AuditService, { ...GATEWAY, organization });
	const own = gateway(organizationId);
	const one = { organizationId, page: { limit: 1 } };
	const first = await own.listOrganizationAudit(one);
	const after = first.next ?? {};
	const rest = await own.listOrganizationAudit({
		organizationId,
		page: { limit: 1, after },
	});
	expect(
		[...first.entries, ...rest.entries].map(({ before }) => before),
	).toEqual(['{"disabled":true}', '{"disabled":false}']);
	expect(rest.next).toBeUndefined();
	await expect(
		gateway(uuidv7()).listOrganizationAudit(one),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	await expect(
		server.client(AuditService, ADMIN).listOrganizationAudit(one),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	await expect(
		own.listOrganizationAudit({
			organizationId,
			page: { limit: 1, after: { ...after, id: "x" } },
		}),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});
