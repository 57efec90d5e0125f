const BASIC = [
	"@£$¥èéùìòÇ\nØø\rÅå",
	"Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ",
	" !\"#¤%&'()*+,-./",
	"0123456789:;<=>?",
	"¡ABCDEFGHIJKLMNO",
	"PQRSTUVWXYZÄÖÑÜ§",
	"¿abcdefghijklmno",
	"pqrstuvwxyzäöñüà",
].join("");

const EXTENSION: ReadonlyMap<number, string> = new Map([
	[0x0a, "\f"],
	[0x14, "^"],
	[0x28, "{"],
	[0x29, "}"],
	[0x2f, "\\"],
	[0x3c, "["],
	[0x3d, "~"],
	[0x3e, "]"],
	[0x40, "|"],
	[0x65, "€"],
]);

const ESCAPE = 0x1b;
const UCS2 = 8;

export function decodeText(octets: Buffer, dataCoding: number): string {
	if (dataCoding === UCS2)
		return Buffer.from(octets.subarray(0, octets.length & ~1))
			.swap16()
			.toString("utf16le");
	const characters: string[] = [];
	for (let i = 0; i < octets.length; i++) {
		const septet = octets[i] ?? 0;
		if (septet !== ESCAPE) characters.push(BASIC[septet] ?? "\ufffd");
		else characters.push(EXTENSION.get(octets[++i] ?? 0) ?? " ");
	}
	return characters.join("");
}

const LATIN1 = 3;

/** Throws on a character that GSM 03.38 does not have. */
export function encodeText(text: string, dataCoding: number): Buffer {
	if (dataCoding === UCS2) return Buffer.from(text, "utf16le").swap16();
	if (dataCoding === LATIN1) return Buffer.from(text, "latin1");
	const septets = [...text].flatMap((character) => {
		const septet = BASIC.indexOf(character);
		if (septet >= 0 && septet !== ESCAPE) return [septet];
		for (const [extended, other] of EXTENSION)
			if (other === character) return [ESCAPE, extended];
		throw new Error(`GSM 03.38 has no "${character}".`);
	});
	return Buffer.from(septets);
}
