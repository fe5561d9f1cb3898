/*
 * Identifies the language of a text by its script, its most frequent words and its letters. The engine reads English
 * and German only; the other languages are listed so that a mail in them is not taken for English.
 */

/** Frequent function words. A word of several languages counts less for each of them. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the and to of a in is it you that for on are with this be have not was we at by from i my your will can could would please thanks there their they what when how if our as has been do does any but or so me us an all about just hello hi dear regards best am',
  de: 'und der die das ist nicht ich sie wir mit für auf den dem ein eine einen einer zu im von es auch noch bitte haben hat wird werden sind kann können bei nach aus aber oder wenn wie so hallo danke grüße uns mir ihnen ihre ihr euch dass zum zur schon sehr mich dich du bis um am vom gern gerne viele uhr montag dienstag mittwoch donnerstag freitag ab morgen heute',
  fr: "le la les de des du et est un une je vous nous que qui dans pour pas sur avec ce cette votre vos mon ma mes il elle sont au aux ne se plus bonjour merci cordialement avez avons être très bien mais ou où si en par suis pouvez j'ai c'est n'est d'un d'une qu'il veuillez trouver joint ci réunion demain été",
  es: 'el la los las de y que en un una es por para con no se lo su sus me mi al del como más pero está hola gracias saludos usted ustedes le les muy si también este esta ha han he ser son puede favor buenos días cuando ya nos',
  it: 'il lo la gli le di e che un una è per con non si sono del della dei delle al alla nel nella ho ha hai abbiamo questo questa mi ti ci vi ma come più anche grazie ciao buongiorno saluti cordiali può molto se suo sua nostro vostro essere perché',
  pt: 'o a os as de e que em um uma é para com não se por do da dos das no na ao mais como mas você seu sua obrigado obrigada olá bom dia está são foi ser tem muito também já nos eu por favor pode pelo pela isso este esta atenciosamente',
  nl: 'de het een en van ik te dat is niet in je op met voor zijn die we aan er maar ook als u uw om naar bij hebben heeft kan wij jullie graag bedankt hallo groeten vriendelijke nog wel dit wordt worden deze mijn ons geen uit over goed zou kunt',
  da: 'og i det at en er til af på for ikke med den der jeg du vi har som et de kan vil om fra men hvis også hej tak hilsen venlig os mig dig din jeres være skal bliver hvad hvor når eller noget meget efter',
  sv: 'och i att det som en på är av för med inte den till har jag du vi om ett de kan ska men från hej tack hälsningar vänliga oss mig dig din er vara blir vad var när eller något mycket också efter skulle så',
  no: 'og i det er på til som en av for ikke med jeg du vi har den at et de kan vil om fra men hvis også hei takk hilsen vennlig oss meg deg din være skal blir hva hvor når eller noe mye etter dere',
  fi: 'ja on ei se että hän mutta olen olet ovat oli kun niin myös tai jos mitä kiitos hei terveisin minä sinä te me tämä joka voi voitko olisi ole meidän teidän sitä vain kanssa ystävällisin hyvää kuin nyt vielä',
  pl: 'i w na z się nie do że to jest o jak za po co od ale czy dla być tak już są ma może dzień dobry dziękuję proszę pozdrawiam pan pani mnie nam przez oraz tym ten tego które który będzie bardzo',
  cs: 'a v na se že je to s z do pro o dnes byl byla bylo jsem jsme ale jak za po od by si jste být dobrý den děkuji děkujeme prosím pozdravem tak když nebo už mi vám nám také které který této bude bych můžete není',
  sk: 'a v na sa že je to s z do pre o som sme ale ako za po od by si ste byť dobrý deň ďakujem prosím pozdravom tak keď alebo už mi vám nám tiež ktoré ktorý bude môžete nie',
  hu: 'a az és hogy nem is egy de meg van ez ha már csak mint vagy el volt azt még kell lesz köszönöm üdvözlettel kedves szia tisztelt nekem önnek kérem hogyan mert ezt nagyon jó napot lehet',
  ro: 'și de în la nu să cu o pe un este care mai din că pentru am sunt au fi ce se bună ziua mulțumesc salut rog dumneavoastră vă îmi dar sau dacă foarte avem poate această acest după',
  hr: 'i u je na se da za ne su od sa to što kao će ali o smo sam bi po iz dobar dan hvala molim pozdrav lijep vam nam ako ili ste biti može nije ovo koji koja',
  tr: 've bir bu da de için ile ne çok ben sen biz siz var yok mi mı ama daha gibi olarak teşekkürler merhaba lütfen iyi günler saygılarımla size bize kadar sonra olan değil bana nasıl',
  id: 'yang dan di ini itu dengan untuk tidak dari dalam akan pada ke saya kami anda ada bisa juga sudah terima kasih selamat mohon tersebut oleh atau apakah bapak ibu salam hormat',
}

/** Letters that few of the languages above use. */
const LETTERS: Readonly<Record<string, string>> = {
  de: 'äöüß',
  fr: 'çèêàâîïœù',
  es: 'ñ¿¡áíóú',
  it: 'àèìòù',
  pt: 'ãõçâê',
  da: 'æøå',
  sv: 'åäö',
  no: 'æøå',
  fi: 'äö',
  pl: 'łąęśżźćń',
  cs: 'řůěčšž',
  sk: 'ľĺŕťďôäčšž',
  hu: 'őűáéíóú',
  ro: 'șțăâîşţ',
  hr: 'đčćšž',
  tr: 'ğışçöü',
}

const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['uk', /[іїєґ]/giu],
  ['ru', /\p{Script=Cyrillic}/gu],
]

const READABLE: ReadonlySet<string> = new Set(['en', 'de'])

/** True for the languages that the engine reads. A text without a known language counts as readable. */
export const isReadable = (language: string | null): boolean => language === null || READABLE.has(language)

/** Explains that the engine cannot read a mail. */
export const unreadableNotice = (language: string): string => {
  const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language
  return `This email is written in ${name}. The built-in engine reads only English and German, so it found no action items, questions or meetings. Choose a language model to analyze it.`
}

const createWeights = (): Map<string, [language: string, weight: number][]> => {
  const languages = new Map<string, string[]>()
  for (const [language, words] of Object.entries(WORDS))
    for (const word of new Set(words.split(' ')))
      languages.set(word, [...(languages.get(word) ?? []), language])
  return new Map(
    [...languages].map(([word, names]) => [
      word,
      names.map((name): [string, number] => [name, 1 / names.length]),
    ]),
  )
}

const WEIGHTS = createWeights()
const LETTER_LANGUAGES = new Map<string, string[]>()
for (const [language, letters] of Object.entries(LETTERS))
  for (const letter of letters)
    LETTER_LANGUAGES.set(letter, [...(LETTER_LANGUAGES.get(letter) ?? []), language])

const SAMPLE = 4000
const MAX_WORDS = 400
const ADDRESSES = /https?:\/\/\S{1,500}|[\w.+-]{1,64}@[\w.-]{1,190}/g
/** Letters support words; a name with an accent must not decide alone. */
const LETTER_WEIGHT = 0.25
const MAX_LETTERS = 12
/** The least score that tells a language. */
const MIN_SCORE = 0.8
/** A language that the engine cannot read must be this much more likely than one that it reads. */
const MIN_LEAD = 1.25
const MIN_FOREIGN_SCORE = 1.2
const MIN_FOREIGN_WORDS = 2
/** A text belongs to a script if it has at least this share of its letters. */
const MIN_SHARE = 0.3
/** Kana and Ukrainian letters are a small part of their texts. */
const MIN_MARKER_SHARE = 0.02

const languageByScript = (text: string): string | null => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return null
  const share = (script: RegExp): number => (text.match(script)?.length ?? 0) / letters
  const [kana, cyrillic] = [
    share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu),
    share(/\p{Script=Cyrillic}/gu),
  ]
  if (kana > MIN_MARKER_SHARE && kana + share(/\p{Script=Han}/gu) > MIN_SHARE) return 'ja'
  if (cyrillic > MIN_SHARE) {
    if (share(/[іїєґ]/giu) > MIN_MARKER_SHARE) return 'uk'
    if (share(/[ыэё]/giu) > 0 || share(/[щъ]/giu) === 0) return 'ru'
    return share(/ъ/giu) > MIN_MARKER_SHARE / 2 ? 'bg' : 'ru'
  }
  return SCRIPTS.find(([, script]) => share(script) > MIN_SHARE)?.[0] ?? null
}

const FREQUENT = { en: new Set(WORDS.en?.split(' ')), de: new Set(WORDS.de?.split(' ')) }

/** True for a frequent word of one language that is none of the other. */
export const isFrequentIn = (word: string, language: 'en' | 'de'): boolean =>
  FREQUENT[language].has(word) && !FREQUENT[language === 'en' ? 'de' : 'en'].has(word)

/** Returns the ISO 639-1 code of the language, or null if the text does not tell. */
export const identifyLanguage = (text: string): string | null => {
  const sample = text.slice(0, SAMPLE).replace(ADDRESSES, ' ').replaceAll('’', "'").toLowerCase()
  const byScript = languageByScript(sample)
  if (byScript !== null) return byScript
  const scores = new Map<string, number>()
  const add = (language: string, weight: number): void => {
    scores.set(language, (scores.get(language) ?? 0) + weight)
  }
  const seen = new Map<string, Set<string>>()
  for (const word of (sample.match(/[\p{L}]+(?:'[\p{L}]+)?/gu) ?? []).slice(0, MAX_WORDS)) {
    const known = WEIGHTS.get(word) ?? WEIGHTS.get(word.slice(word.indexOf("'") + 1))
    for (const [language, weight] of known ?? []) {
      add(language, word.length === 1 ? weight / 2 : weight)
      seen.set(language, (seen.get(language) ?? new Set()).add(word))
    }
  }
  for (const letter of (sample.match(/[^\p{ASCII}]/gu) ?? []).slice(0, MAX_LETTERS)) {
    const languages = LETTER_LANGUAGES.get(letter) ?? []
    for (const language of languages) {
      add(language, LETTER_WEIGHT / Math.sqrt(languages.length))
      seen.set(language, (seen.get(language) ?? new Set()).add(letter))
    }
  }
  const ranked = [...scores].sort((a, b) => b[1] - a[1])
  const [best] = ranked
  if (!best || best[1] < MIN_SCORE) return null
  if (READABLE.has(best[0])) return best[0]
  const readable = ranked.find(([language]) => READABLE.has(language))
  const isClear =
    best[1] >= MIN_FOREIGN_SCORE &&
    (seen.get(best[0])?.size ?? 0) >= MIN_FOREIGN_WORDS &&
    best[1] >= MIN_LEAD * (readable?.[1] ?? 0)
  return isClear ? best[0] : readable && readable[1] >= MIN_SCORE ? readable[0] : null
}
