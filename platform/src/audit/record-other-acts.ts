import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import type { Db } from "../database/database.ts";
import { ADMIN } from "../identity/jwk.ts";
import { callerKey } from "../rpc/caller.ts";
import { isUuid } from "../runtime/ids.ts";
import type { Facts } from "./audit-entries.ts";
import { recordAct, recordedKey } from "./record-act.ts";

/** Methods that change nothing. */
const READ = /^(Get|List|Count|Trace|Find|Verify)/;
/** Texts that tell what was asked for and hold nothing to hide. */
const PLAIN_TEXT = /(^|_)(ids?|status|state|plan|route|group|language)$/;

/** Records an admin's act that its handler has not recorded itself, right after it was done. */
export function recordOtherActs(sql: Db): Interceptor {
	return (next) => async (req) => {
		const response = await next(req);
		const { method, contextValues: values } = req;
		const isAct =
			values.get(callerKey)?.issuer === ADMIN && !READ.test(method.name);
		if (req.stream || !isAct || values.get(recordedKey)) return response;
		const asked = factsFrom(method.input, req.message);
		const { organization_id: id, ...facts } = asked;
		const about = isUuid(String(id)) ? { organizationId: String(id) } : {};
		const done = response.stream
			? {}
			: factsFrom(method.output, response.message);
		const after = { ...facts, ...done };
		await recordAct(sql, { method, values }, { ...about, after });
		return response;
	};
}

/** What a message says by numbers, flags and names of things. */
function factsFrom(input: DescMessage, message: Message): Facts {
	const values = new Map(Object.entries(message));
	const facts = input.fields.map(
		({ name, localName }) =>
			[name, toFact(name, values.get(localName))] as const,
	);
	return Object.fromEntries(
		facts.flatMap(([name, fact]) => (fact === undefined ? [] : [[name, fact]])),
	);
}

function toFact(name: string, value: unknown): Facts[string] | undefined {
	if (typeof value === "boolean" || typeof value === "number") return value;
	if (typeof value === "bigint") return Number(value);
	if (!PLAIN_TEXT.test(name)) return undefined;
	if (Array.isArray(value)) return value.map(String);
	return typeof value === "string" && value !== "" ? value : undefined;
}
