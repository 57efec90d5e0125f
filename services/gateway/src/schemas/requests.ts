import { z } from "zod";
import { uuidText } from "./common.ts";
import { examples, timeExample } from "./examples.ts";
import { dateFilters, textFilter } from "./filters.ts";
import { pageQuery } from "./pages.ts";
import { time } from "./times.ts";

const STATUS = /^[1-5](?:xx|\d\d)$/;

export const requestsQuery = pageQuery.extend({
	status: z
		.string()
		.refine((value) => STATUS.test(value), {
			params: { code: "invalid_format" },
			message: "must be a status (404) or a class of them (4xx)",
		})
		.optional()
		.meta({
			pattern: STATUS.source,
			description: "Only of this status (`404`) or class of statuses (`4xx`).",
		}),
	error_code: textFilter("Only those refused with this `error.code`."),
	method: z
		.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])
		.optional()
		.meta({ description: "Only of this method." }),
	path: textFilter(
		"Only of this path, as requested or as this document writes it: `/sms/messages/{messageId}`.",
	),
	api_key_id: z.uuid().optional().meta({
		pattern: undefined,
		description: "Only those made with this key.",
	}),
	request_id: textFilter("Only the request with this `x-request-id`."),
	...dateFilters,
});

export const loggedRequest = z
	.strictObject({
		id: uuidText(),
		request_id: z.string().meta({
			description:
				"`x-request-id`; what may be a phone number in it is masked.",
		}),
		method: z.string(),
		route: z.string().nullable().meta({
			description:
				"Path as this document writes it; null for one that it does not have.",
		}),
		path: z.string().meta({
			description: "Path as requested, without the query.",
		}),
		status: z.int().meta({
			description: "499: the client did not wait for the response.",
		}),
		duration_ms: z.number(),
		api_key: z.strictObject({ id: uuidText(), prefix: z.string() }),
		error: z
			.strictObject({
				code: z.string(),
				details: z.array(
					z.strictObject({ field: z.string(), code: z.string() }),
				),
			})
			.nullable(),
		request: z
			.strictObject({ query: z.unknown(), body: z.unknown() })
			.nullable()
			.meta({
				description: [
					"Of a refused request the fields of its query and body: ids, words and times as they were sent,",
					"phone numbers with all but their last four digits masked, of other texts the length alone. `body` is null where",
					"none was read.",
				].join(" "),
			}),
		omitted: z.int().meta({
			description:
				"Requests of the organization before this one that are not in the log: too many came within a second.",
		}),
		created_at: time(),
	})
	.meta({ id: "LoggedRequest", description: "One request to this API." })
	.register(examples, {
		example: {
			id: "0199b0a4-5f1b-7000-8000-000000000001",
			request_id: "0199b0a4-5f1b-7000-8000-000000000000",
			method: "POST",
			route: "/sms/send",
			path: "/sms/send",
			status: 400,
			duration_ms: 3.2,
			api_key: {
				id: "0199b0a2-1b3c-7d4e-8f50-617283940516",
				prefix: "at_live_abcd****",
			},
			error: {
				code: "validation_failed",
				details: [{ field: "to", code: "invalid_phone_number" }],
			},
			request: {
				query: {},
				body: { to: "+***5678", message: "(42 characters)" },
			},
			omitted: 0,
			created_at: timeExample,
		},
	});
