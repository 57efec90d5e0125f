/** What a word asks for: no more messages, messages again, or who sends and how it ends. */
export const wordFamilies = ["stop", "start", "help"] as const;
export type WordFamily = (typeof wordFamilies)[number];

/** The words of each family, in any case and with or without accents; several words make a phrase. */
export type WordLists = Readonly<Record<WordFamily, readonly string[]>>;

/** Lists that an admin has set in place of the built-in ones, by `listKey`. */
export type SetLists = ReadonlyMap<string, readonly string[]>;

/** Stands for every country. */
export const EVERYWHERE = "*";

export function listKey(country: string, family: WordFamily): string {
	return `${country} ${family}`;
}

/**
 * The words that count for a number of a country: those of everywhere, and those of the country.
 * @param country ISO 3166-1 alpha-2; undefined for a number of none
 */
export function wordsFor(
	country: string | undefined,
	set: SetLists,
): WordLists {
	const places = country === undefined ? [EVERYWHERE] : [EVERYWHERE, country];
	const of = (family: WordFamily) =>
		places.flatMap((place) => wordsOfPlace(place, family, set));
	return { stop: of("stop"), start: of("start"), help: of("help") };
}

/** One list: the one that was set, or else the built-in one. */
export function wordsOfPlace(
	place: string,
	family: WordFamily,
	set: SetLists,
): readonly string[] {
	return set.get(listKey(place, family)) ?? builtIn.get(place)?.[family] ?? [];
}

/** The places that have a list, built in or set, in order. */
export function placesWithLists(set: SetLists): string[] {
	const setPlaces = [...set.keys()].map((key) => key.split(" ", 1)[0] ?? "");
	return [...new Set([...builtIn.keys(), ...setPlaces])].sort();
}

/** The words of every family that count somewhere. */
export function allWords(set: SetLists): string[] {
	return placesWithLists(set).flatMap((place) =>
		wordFamilies.flatMap((family) => wordsOfPlace(place, family, set)),
	);
}

function lists(stop: string, start: string, help: string): WordLists {
	return { stop: split(stop), start: split(start), help: split(help) };
}

function split(words: string): string[] {
	return words.split(",").map((word) => word.trim());
}

const everywhere = lists(
	"STOP, STOPALL, UNSUBSCRIBE, UNSUB, OPTOUT, OPT OUT, ARRET",
	"START, UNSTOP, SUBSCRIBE, OPTIN, OPT IN",
	"HELP, INFO",
);

const english = lists(
	"CANCEL, END, QUIT, REVOKE",
	"RESUME, CONTINUE",
	"SUPPORT",
);
const french = lists(
	"ARRETER, ARRETEZ, DESABONNER, DESABONNEMENT, DESINSCRIRE, DESINSCRIPTION",
	"DEMARRER, REPRENDRE, ABONNER, ABONNEMENT",
	"AIDE",
);
const german = lists(
	"STOPP, STOPPEN, ABMELDEN, ABMELDUNG, ABBESTELLEN, BEENDEN",
	"STARTEN, ANMELDEN, FORTSETZEN",
	"HILFE",
);
const spanish = lists(
	"ALTO, BAJA, PARAR, PARE, CANCELAR, DETENER",
	"ALTA, INICIAR, COMENZAR, REANUDAR",
	"AYUDA",
);
const portuguese = lists(
	"PARAR, PARE, SAIR, CANCELAR, REMOVER",
	"INICIAR, COMEÇAR, RETOMAR",
	"AJUDA",
);
const italian = lists(
	"FERMA, BASTA, ANNULLA, CANCELLAMI, DISISCRIVI, DISISCRIVIMI",
	"INIZIA, RIPRENDI, ISCRIVIMI",
	"AIUTO",
);
const dutch = lists(
	"STOPPEN, AFMELDEN, UITSCHRIJVEN, OPZEGGEN",
	"STARTEN, AANMELDEN, HERVATTEN",
	"HULP",
);
const polish = lists(
	"KONIEC, REZYGNUJĘ, REZYGNACJA, WYPISZ, ZATRZYMAJ",
	"WZNÓW, ZAPISZ, ROZPOCZNIJ",
	"POMOC",
);
const czech = lists("ODHLÁSIT, ZRUŠIT, KONEC", "PŘIHLÁSIT, OBNOVIT", "POMOC");
const slovak = lists("ODHLÁSIŤ, ZRUŠIŤ, KONIEC", "PRIHLÁSIŤ, OBNOVIŤ", "POMOC");
const swedish = lists("STOPPA, AVSLUTA, AVREGISTRERA", "STARTA", "HJÄLP");
const norwegian = lists("STOPP, AVSLUTT, AVMELD", "BEGYNN", "HJELP");
const danish = lists("AFMELD, FRAMELD, AFSLUT", "TILMELD", "HJÆLP");
const finnish = lists("LOPETA, PERUUTA", "ALOITA, JATKA", "APUA, OHJE");
const romanian = lists("OPREȘTE, DEZABONARE", "ABONARE", "AJUTOR");
const hungarian = lists("LEIRATKOZÁS, LEÁLLÍT", "FELIRATKOZÁS", "SEGÍTSÉG");
const turkish = lists("DUR, DURDUR, İPTAL, RET", "BAŞLA, BAŞLAT", "YARDIM");
const greek = lists("ΣΤΟΠ, ΔΙΑΚΟΠΗ, ΑΚΥΡΩΣΗ", "ΕΝΑΡΞΗ, ΕΓΓΡΑΦΗ", "ΒΟΗΘΕΙΑ");
const russian = lists(
	"СТОП, ОТПИСКА, ОТПИСАТЬСЯ, ОТМЕНА",
	"СТАРТ, ПОДПИСКА, ПОДПИСАТЬСЯ",
	"ПОМОЩЬ, СПРАВКА",
);
const ukrainian = lists(
	"СТОП, ВІДПИСАТИСЯ, ВІДПИСКА, СКАСУВАТИ",
	"СТАРТ, ПІДПИСАТИСЯ",
	"ДОПОМОГА, ДОВІДКА",
);
const arabic = lists(
	"توقف, أوقف, إيقاف, إلغاء",
	"ابدأ, بدء, اشتراك",
	"مساعدة, المساعدة",
);
const hebrew = lists("הסר, הסרה, עצור, בטל", "התחל, הצטרף", "עזרה");
const hindi = lists("बंद, रोकें, रोको, रुको", "शुरू, चालू", "मदद, सहायता");
const indonesian = lists("BERHENTI, BATAL", "MULAI, LANJUT", "BANTUAN");
const malay = lists("BERHENTI, BATAL", "MULA, SAMBUNG", "BANTUAN");
const vietnamese = lists("HUỶ, DỪNG, TỪ CHỐI", "BẮT ĐẦU", "TRỢ GIÚP");
const chinese = lists("TD, 退订, 退訂, 停止", "订阅, 訂閱, 开始", "帮助, 幫助");
const japanese = lists("停止, 配信停止, 解除", "再開, 開始", "ヘルプ");
const korean = lists("중지, 수신거부", "시작, 재개", "도움말");
const thai = lists("หยุด, ยกเลิก", "เริ่ม, สมัคร", "ช่วยเหลือ");

/** Countries with several languages have the words of each. */
const languages: readonly (readonly [countries: string, WordLists])[] = [
	["US CA GB IE AU NZ ZA NG KE GH IN PK SG PH MT CY JM HK MY AE IL", english],
	["FR BE CH LU MC CA DZ MA TN SN CI CM CD MG", french],
	["DE AT CH LI LU BE", german],
	["ES MX AR CO CL PE EC VE GT CU BO DO HN PY SV NI CR PA UY PR US", spanish],
	["PT BR AO MZ CV", portuguese],
	["IT CH SM VA", italian],
	["NL BE SR", dutch],
	["PL", polish],
	["CZ", czech],
	["SK", slovak],
	["SE FI", swedish],
	["NO", norwegian],
	["DK GL FO", danish],
	["FI", finnish],
	["RO MD", romanian],
	["HU", hungarian],
	["TR CY", turkish],
	["GR CY", greek],
	["RU BY KZ KG UA", russian],
	["UA", ukrainian],
	["SA AE EG DZ MA TN IQ JO KW LB LY OM QA BH SD SY YE PS IL", arabic],
	["IL", hebrew],
	["IN", hindi],
	["ID", indonesian],
	["MY SG BN", malay],
	["VN", vietnamese],
	["CN TW HK MO SG", chinese],
	["JP", japanese],
	["KR", korean],
	["TH", thai],
];

const builtIn = toBuiltIn();

function toBuiltIn(): ReadonlyMap<string, WordLists> {
	const found = new Map([[EVERYWHERE, everywhere]]);
	for (const [countries, words] of languages)
		for (const country of countries.split(" "))
			found.set(country, joined(found.get(country), words));
	return found;
}

function joined(before: WordLists | undefined, words: WordLists): WordLists {
	const of = (family: WordFamily) => [
		...(before?.[family] ?? []),
		...words[family],
	];
	return { stop: of("stop"), start: of("start"), help: of("help") };
}
