import { Audit, access, audit } from "@airtower/proto/common/v1/access";
import {
	type DescMethod,
	type DescService,
	getOption,
} from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import type { Db } from "../database/database.ts";
import { ADMIN } from "../identity/jwk.ts";
import { callerKey } from "../rpc/caller.ts";
import { isUuid } from "../runtime/ids.ts";
import { recordAct, recordedKey } from "./record-act.ts";

/**
 * Records an admin's call that its handler has neither recorded nor found to change nothing, right after it was done:
 * who did what to which organization. @throws Error naming methods that serve admins and declare no `audit`
 */
export function recordUnrecorded(
	sql: Db,
	services: readonly DescService[],
): Interceptor {
	const recorded = findRecorded(services);
	return (next) => async (req) => {
		const response = await next(req);
		const { method, contextValues: values } = req;
		const isAct =
			values.get(callerKey)?.issuer === ADMIN && recorded.has(method);
		if (req.stream || !isAct || values.get(recordedKey)) return response;
		const id = String(Object(req.message).organizationId);
		const about = isUuid(id) ? { organizationId: id } : {};
		await recordAct(sql, { method, values }, about);
		return response;
	};
}

function findRecorded(services: readonly DescService[]): Set<DescMethod> {
	const methods = services
		.flatMap((service) => service.methods)
		.filter((method) => getOption(method, access).callers.includes(ADMIN));
	const undeclared = methods
		.filter((method) => getOption(method, audit) === Audit.UNSPECIFIED)
		.map((method) => `${method.parent.typeName}/${method.name}`);
	if (undeclared.length > 0)
		throw new Error(
			`Methods for admins declare AUDIT_READ_ONLY or AUDIT_RECORDED; these declare neither: ${undeclared.join(", ")}.`,
		);
	return new Set(
		methods.filter((method) => getOption(method, audit) === Audit.RECORDED),
	);
}
