import { randomBytes } from "node:crypto";
import { LogFile } from "../log-file.ts";

export interface AcceptedSend {
	readonly at: number;
	readonly id: string;
	readonly phoneNumberId: string;
	readonly to: string;
	readonly type: "template" | "text";
	/** biz_opaque_callback_data, empty when absent. */
	readonly opaque: string;
	/** False when the message was taken and its response withheld. */
	readonly answered: boolean;
	readonly request: object;
}

/** Everything that was taken: the outside truth about what Meta got. Entries are never changed. */
export class SendLog {
	readonly #file: LogFile;
	readonly entries: AcceptedSend[] = [];

	constructor(file?: string) {
		this.#file = new LogFile(file);
	}

	/** Written before the response leaves: what a client was told is always on file. */
	append(entry: AcceptedSend): void {
		this.entries.push(entry);
		this.#file.append(entry);
		this.#file.flush();
	}

	close(): void {
		this.#file.close();
	}
}

/** Of the length and look of Meta's. */
export function newMessageId(): string {
	return `wamid.HBgL${randomBytes(30).toString("base64")}`;
}
