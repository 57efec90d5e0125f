import { expect, it } from "vitest";
import { listKey, type WordFamily, wordsFor } from "./opt-out-words.ts";
import { readWord } from "./read-word.ts";

type Cases = Partial<Record<WordFamily | "none", readonly string[]>>;

/** What people write, by the country of their number. */
const table: readonly (readonly [
	language: string,
	country: string,
	cases: Cases,
])[] = [
	[
		"English",
		"US",
		{
			stop: [
				"STOP",
				"stop",
				"Stop.",
				"  stop  ",
				"STOP!!!",
				'"Stop"',
				"stop please",
				"STOP texting me, I never signed up",
				"Stop\nI mean it",
				"🛑 STOP",
				"stop🛑",
				"STOP 👎🏽",
				"👉🏻stop👈🏻",
				"S T O P",
				"s.t.o.p.",
				"S-T-O-P now",
				"ＳＴＯＰ",
				"𝐒𝐓𝐎𝐏",
				"Ⓢⓣⓞⓟ",
				"st\u00adop",
				"\u200bSTOP\u200d",
				"\u202aSTOP\u202c",
				"\ufeffstop",
				"s̶t̶o̶p̶",
				"STOP36173",
				"(stop)",
				"-stop-",
				"#STOP",
				"stop,please",
				"stopall",
				"Unsubscribe me",
				"UNSUB",
				"opt-out",
				"Opt out",
				"optout!",
				"cancel",
				"End",
				"QUIT.",
				"revoke",
				"Arrêt",
			],
			start: [
				"START",
				"start again please",
				"Start 😀",
				"unstop",
				"Subscribe",
				"opt-in",
				"OPT IN",
				"resume",
				"s t a r t",
			],
			help: ["HELP", "help!", "Help me", "🆘 help", "info", "INFO?", "h.e.l.p"],
			none: [
				"",
				"   ",
				"🛑",
				"👍🏽👍🏽",
				"12345",
				"please stop",
				"don't stop",
				"nonstop",
				"stopped",
				"stops",
				"stopp",
				"sto p",
				"opt",
				"opt for it",
				"starting now",
				"helpful, thanks",
				"I need help",
				"ok",
				"thanks, see you",
				"ends at five",
				"rret",
			],
		},
	],
	[
		"French",
		"FR",
		{
			stop: [
				"STOP",
				"Stop svp",
				"ARRET",
				"Arrêt",
				"arrêt !",
				"arre\u0302t",
				"ARRÊTER les messages",
				"arrêtez",
				"« Arrêt »",
				"désabonner",
				"Désabonnement 🙏",
				"désinscrire",
				"DÉSINSCRIPTION",
				"STOP au 36173",
			],
			start: ["Démarrer", "reprendre", "abonner", "START"],
			help: ["aide", "AIDE ?", "Aide svp"],
			none: ["arrêté", "je veux arrêter", "abmelden", "aider", "d'accord"],
		},
	],
	[
		"German",
		"DE",
		{
			stop: [
				"Stopp",
				"STOPP!",
				"stop bitte",
				"Abmelden",
				"abmeldung 🚫",
				"ABBESTELLEN",
				"beenden, danke",
			],
			start: ["starten", "Anmelden", "fortsetzen bitte"],
			help: ["Hilfe", "HILFE!!", "hilfe bitte"],
			none: ["Stoppuhr", "bitte abmelden", "alto", "Ende", "hilfreich"],
		},
	],
	[
		"Spanish",
		"MX",
		{
			stop: [
				"ALTO",
				"alto por favor",
				"Baja",
				"¡BAJA!",
				"¡parar!",
				"cancelar 🙅‍♀️",
				"Detener",
			],
			start: ["alta", "INICIAR", "comenzar de nuevo", "Reanudar"],
			help: ["ayuda", "¿Ayuda?", "AYÚDA"],
			none: ["altos", "quiero cancelar", "bajada", "gracias"],
		},
	],
	[
		"Portuguese",
		"BR",
		{
			stop: ["PARAR", "pare", "Sair", "sair 🚪", "cancelar", "Remover-me"],
			start: ["começar", "COMECAR", "Iniciar"],
			help: ["ajuda", "Ajudá!"],
			none: ["parabéns", "não parar", "obrigado"],
		},
	],
	[
		"Polish",
		"PL",
		{
			stop: [
				"STOP",
				"rezygnuję",
				"REZYGNUJE",
				"Rezygnacja.",
				"wypisz mnie",
				"koniec",
			],
			start: ["wznów", "WZNOW", "zapisz"],
			help: ["pomoc", "POMOC!"],
			none: ["nie rezygnuję", "końca", "dziękuję"],
		},
	],
	[
		"Turkish",
		"TR",
		{
			stop: [
				"DUR",
				"dur!",
				"iptal",
				"İPTAL",
				"ıptal",
				"IPTAL 🙏",
				"ret",
				"durdur",
			],
			start: ["başla", "BASLA", "başlat"],
			help: ["yardım", "YARDIM", "yardim lütfen"],
			none: ["durum", "lütfen iptal", "evet"],
		},
	],
	[
		"Greek",
		"GR",
		{
			stop: ["ΣΤΟΠ", "στοπ", "Διακοπή", "διακοπη!", "ακύρωση 😡", "STOP"],
			start: ["έναρξη", "ΕΝΑΡΞΗ"],
			help: ["βοήθεια", "ΒΟΗΘΕΙΑ;"],
			none: ["στόπερ", "ευχαριστώ"],
		},
	],
	[
		"Russian",
		"RU",
		{
			stop: ["СТОП", "стоп!", "Отписка", "отписаться 🙏", "отмена", "с т о п"],
			start: ["старт", "Подписаться"],
			help: ["помощь", "СПРАВКА"],
			none: ["стопка", "хочу отписаться", "спасибо"],
		},
	],
	[
		"Arabic",
		"SA",
		{
			stop: [
				"توقف",
				"تَوَقَّف",
				"تـوقـف",
				"إيقاف",
				"ايقاف",
				"إلغاء!",
				"الغاء 🛑",
				"أوقف الرسائل",
			],
			start: ["ابدأ", "ابدا", "اشتراك"],
			help: ["مساعدة", "مساعدة؟"],
			none: ["توقفت", "شكرا"],
		},
	],
	[
		"Hebrew",
		"IL",
		{
			stop: ["הסר", "הַסֵר", "הסר בבקשה", "הסרה 🙏", "בטל", "STOP", "stop"],
			start: ["התחל", "הצטרף!"],
			help: ["עזרה", "עזרה?"],
			none: ["הסרט", "תודה"],
		},
	],
	[
		"Hindi",
		"IN",
		{
			stop: ["बंद", "बंद करो", "रोकें", "रोको 🙏", "रुको!", "Stop ji"],
			start: ["शुरू", "चालू करें"],
			help: ["मदद", "सहायता।"],
			none: ["बंदर", "रुकावट", "धन्यवाद"],
		},
	],
	[
		"Japanese",
		"JP",
		{
			stop: ["停止", "停止してください", "配信停止", "「解除」", "STOP"],
			start: ["再開", "開始。"],
			help: ["ヘルプ", "ﾍﾙﾌﾟ"],
			none: ["ありがとう", "了解です"],
		},
	],
	[
		"Vietnamese",
		"VN",
		{
			stop: ["Dừng", "DUNG", "huỷ", "HUY!", "Từ chối", "tu choi 🙏"],
			start: ["Bắt đầu", "bat dau"],
			help: ["trợ giúp", "TRO GIUP"],
			none: ["từ", "cảm ơn"],
		},
	],
];

const cases = table.flatMap(([language, country, byFamily]) =>
	Object.entries(byFamily).flatMap(([family, texts]) =>
		texts.map((text) => [language, country, family, text] as const),
	),
);

it("has at least 200 cases in at least 12 languages", () => {
	expect(cases.length).toBeGreaterThanOrEqual(200);
	expect(table.length).toBeGreaterThanOrEqual(12);
});

it.each(cases)(
	"%s (%s): %s is what %j asks for",
	(_, country, family, text) => {
		const found = readWord(text, wordsFor(country, new Map()));
		expect(found ?? "none").toBe(family);
	},
);

it.each([
	["DE", "alto", undefined],
	["MX", "abmelden", undefined],
	["JP", "abmelden", undefined],
	[undefined, "abmelden", undefined],
	[undefined, "Arrêt!", "stop"],
	["CH", "arrêtez", "stop"],
	["CH", "abmelden", "stop"],
	["CH", "basta", "stop"],
	["US", "¡Baja!", "stop"],
] as const)("the words of %s decide on %j: %s", (country, text, family) => {
	expect(readWord(text, wordsFor(country, new Map()))).toBe(family);
});

it("a list that was set takes the place of the built-in one, for its country and family alone", () => {
	const set = new Map([
		[listKey("DE", "stop"), ["Schluss", "Nicht mehr"]],
		[listKey("*", "help"), []],
	]);
	const read = (country: string, text: string) =>
		readWord(text, wordsFor(country, set));
	expect(read("DE", "schluss!")).toBe("stop");
	expect(read("DE", "nicht MEHR bitte")).toBe("stop");
	expect(read("DE", "nicht jetzt")).toBeUndefined();
	expect(read("DE", "abmelden")).toBeUndefined();
	expect(read("DE", "stop")).toBe("stop");
	expect(read("DE", "anmelden")).toBe("start");
	expect(read("AT", "abmelden")).toBe("stop");
	expect(read("DE", "help")).toBeUndefined();
	expect(read("DE", "hilfe")).toBe("help");
});

it("a word that two families have stops", () => {
	const set = new Map([[listKey("*", "start"), ["STOP"]]]);
	expect(readWord("stop", wordsFor("US", set))).toBe("stop");
});

it("the keyword of a shared number does not count as the first word, where it is one", () => {
	const read = (text: string) =>
		readWord(text, wordsFor("US", new Map()), "acme");
	expect(read("ACME stop")).toBe("stop");
	expect(read("Acme: stop!")).toBe("stop");
	expect(read("stop acme")).toBe("stop");
	expect(read("acme news, then stop")).toBeUndefined();
	expect(read("acme")).toBeUndefined();
});
