/** Secrets by id: the first one signs or seals, all of them verify or open. */
export interface KeyRing {
	readonly current: RingKey;
	readonly all: ReadonlyMap<string, Buffer>;
}

interface RingKey {
	readonly id: string;
	readonly secret: Buffer;
}

const MIN_SECRET_BYTES = 32;

/** Reads `id:base64[,id:base64]`; its errors never contain a secret. */
export function parseKeyRing(text: string): KeyRing {
	const keys = text
		.split(",")
		.map((entry, index) => parseEntry(entry.trim(), index));
	const all = new Map(keys.map((key) => [key.id, key.secret]));
	const current = keys[0];
	if (current === undefined || all.size !== keys.length)
		throw new Error("key ids must be distinct");
	return { current, all };
}

function parseEntry(entry: string, index: number): RingKey {
	const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry);
	if (!match?.[1] || !match[2])
		throw new Error(`entry ${index + 1} is not of the form id:base64`);
	const secret = Buffer.from(match[2], "base64");
	if (secret.length < MIN_SECRET_BYTES)
		throw new Error(
			`entry ${index + 1} has fewer than ${MIN_SECRET_BYTES} bytes`,
		);
	return { id: match[1], secret };
}
