import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { CallbackPoster } from "./callback-poster.ts";
import {
	inboundChange,
	templateCategoryChange,
	templateStatusChange,
} from "./changes.ts";
import { answerControl } from "./control.ts";
import { InboundBook } from "./inbound-book.ts";
import { newMessageId } from "./message-id.ts";
import { errorBody, type MetaError, metaError } from "./meta-error.ts";
import { SendDesk } from "./send-desk.ts";
import { type AcceptedSend, SendLog } from "./send-log.ts";
import { type MetaTemplate, TemplateBook } from "./template-book.ts";

export interface CloudApiOptions {
	/** A free one when absent. */
	readonly port?: number;
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Where callbacks go: `{gateway}/callbacks/whatsapp`. */
	readonly callbackUrl: string;
	/** Signs the callbacks. */
	readonly appSecret: string;
	/** The only bearer token that is let in. */
	readonly accessToken: string;
	/** Ids of the sending numbers; the first is the one that control acts for by default. */
	readonly phoneNumberIds: readonly string[];
	/** Id of the business account. */
	readonly wabaId: string;
	/** File to which every send that was taken is appended, one JSON object a line. */
	readonly logFile?: string;
	/** File that keeps when users wrote; without one a restart closes their windows. */
	readonly inboundFile?: string;
	readonly templates?: readonly MetaTemplate[];
}

export interface InboundOptions {
	readonly text?: string;
	/** Digits; the user hides the number when absent. */
	readonly from?: string;
	readonly userId?: string;
	readonly phoneNumberId?: string;
	/** Unix seconds; now when absent. */
	readonly timestamp?: number;
	readonly id?: string;
}

export interface TemplatePatch {
	readonly name: string;
	readonly language: string;
	readonly status?: string;
	readonly category?: string;
	/** False: changed without a callback, as Meta sometimes does. */
	readonly notify?: boolean;
}

/** A running look-alike of Meta's Cloud API. */
export interface CloudApi {
	/** `http://host:port`: the base URL, without the version. */
	readonly url: string;
	readonly port: number;
	readonly templates: TemplateBook;
	readonly poster: CallbackPoster;
	readonly desk: SendDesk;
	readonly inbound: InboundBook;
	/** Everything that was taken, oldest first. */
	readonly sends: readonly AcceptedSend[];
	/** A user writes; answers the message's id once the callback is taken. */
	receiveText(message: InboundOptions): Promise<string>;
	/** Changes a template; false when there is none of these names. */
	changeTemplate(patch: TemplatePatch): Promise<boolean>;
	close(): Promise<void>;
}

const MAX_BODY_BYTES = 1_048_576;

/** Starts the look-alike: sends, templates and control over HTTP, signed callbacks back. */
export async function startCloudApi(
	options: CloudApiOptions,
): Promise<CloudApi> {
	const log = new SendLog(options.logFile);
	const templates = new TemplateBook(options.templates);
	const poster = new CallbackPoster(options);
	const inbound = new InboundBook(options.inboundFile);
	const desk = new SendDesk(log, templates, inbound, poster);
	const host = options.host ?? "127.0.0.1";
	const server = createServer((request, response) => {
		answer(options, api, request, response).catch(() => response.destroy());
	});
	await listen(server, options.port ?? 0, host);
	const { port } = server.address() as AddressInfo;
	const api: CloudApi = {
		url: `http://${host}:${port}`,
		port,
		...{ templates, poster, desk, inbound },
		sends: log.entries,
		receiveText: (message) => receiveText(options, api, message),
		changeTemplate: (patch) => changeTemplate(api, patch),
		close: async () => {
			desk.close();
			poster.close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			log.close();
		},
	};
	return api;
}

function listen(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve());
	});
}

async function receiveText(
	{ phoneNumberIds }: CloudApiOptions,
	api: CloudApi,
	message: InboundOptions,
): Promise<string> {
	const id = message.id ?? newMessageId();
	const timestamp = message.timestamp ?? Math.floor(Date.now() / 1_000);
	const phoneNumberId = message.phoneNumberId ?? phoneNumberIds[0] ?? "";
	const { from, userId } = message;
	if (from !== undefined) api.inbound.note({ phoneNumberId, from, timestamp });
	await api.poster.post(
		inboundChange({
			...{ id, phoneNumberId, from, userId, timestamp },
			text: message.text ?? "Hello",
		}),
	);
	return id;
}

async function changeTemplate(
	{ templates, poster }: CloudApi,
	patch: TemplatePatch,
): Promise<boolean> {
	const template = templates.find(patch.name, patch.language);
	if (template === undefined) return false;
	const before = template.category;
	if (patch.status !== undefined) template.status = patch.status;
	if (patch.category !== undefined) template.category = patch.category;
	if (patch.notify === false) return true;
	if (patch.status !== undefined)
		await poster.post(templateStatusChange(template));
	if (patch.category !== undefined)
		await poster.post(templateCategoryChange(template, before));
	return true;
}

const SEND = /^\/v[0-9]+\.[0-9]+\/([^/]+)\/messages$/;
const TEMPLATES = /^\/v[0-9]+\.[0-9]+\/([^/]+)\/message_templates$/;

async function answer(
	options: CloudApiOptions,
	api: CloudApi,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const url = new URL(request.url ?? "/", api.url);
	if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES)
		return refuse(response, metaError(100, "The body is too large."));
	const body = await text(request);
	if (url.pathname.startsWith("/control/")) {
		const { status, value } = await answerControl(
			api,
			`${request.method} ${url.pathname}`,
			url,
			body,
		);
		return reply(response, status, value);
	}
	if (request.headers.authorization !== `Bearer ${options.accessToken}`)
		return refuse(response, metaError(190));
	const [, sender] = SEND.exec(url.pathname) ?? [];
	if (request.method === "POST" && sender !== undefined) {
		if (!options.phoneNumberIds.includes(sender))
			return refuse(response, metaError(100, "Unsupported post request."));
		const result = await api.desk.take(sender, body);
		if (result === "lost") response.destroy();
		else if ("code" in result) refuse(response, result);
		else reply(response, 200, result);
		return;
	}
	const [, account] = TEMPLATES.exec(url.pathname) ?? [];
	if (request.method === "GET" && account === options.wabaId)
		return reply(response, 200, api.templates.page(url));
	refuse(response, metaError(100, "Unsupported request."));
}

function refuse(response: ServerResponse, error: MetaError): void {
	reply(response, error.httpStatus, errorBody(error));
}

function reply(response: ServerResponse, status: number, value: unknown): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(value));
}
