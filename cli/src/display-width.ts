const UNITS = /\p{RGI_Emoji}|./gsv;
const EMOJI = /^\p{RGI_Emoji}$/v;
/** Marks that stand on the letter before them, and what only directs the text. */
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Unicode TR 11: East Asian Wide and Fullwidth. */
const WIDE_RANGES = [
	"\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\ua4cf",
	"\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b",
	"\\uff01-\\uff60\\uffe0-\\uffe6\\u{16fe0}-\\u{18aff}\\u{1aff0}-\\u{1b2ff}",
	"\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}",
];
const WIDE = new RegExp(`^[${WIDE_RANGES.join("")}]$`, "u");

/** Columns that a text takes in a terminal. */
export function displayWidth(text: string): number {
	const units = text.match(UNITS) ?? [];
	return units.reduce((sum, unit) => sum + widthOf(unit), 0);
}

function widthOf(unit: string): number {
	if (EMOJI.test(unit) || WIDE.test(unit)) return 2;
	return WITHOUT_WIDTH.test(unit) ? 0 : 1;
}
