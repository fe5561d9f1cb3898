import { dayOf, findEaster, nthWeekday, weekdayOf } from './calendar.ts'
import type { Unit } from './values.ts'

/** Each entry has a kind, a value and the words that have this kind and value. */
type Entries = readonly (readonly [kind: string, value: unknown, words: string])[]

const ENGLISH: Entries = [
  ['month', 1, 'january jan'],
  ['month', 2, 'february feb febuary'],
  ['month', 3, 'march mar'],
  ['month', 4, 'april apr'],
  ['month', 5, 'may'],
  ['month', 6, 'june jun'],
  ['month', 7, 'july jul'],
  ['month', 8, 'august aug'],
  ['month', 9, 'september sept sep'],
  ['month', 10, 'october oct'],
  ['month', 11, 'november nov'],
  ['month', 12, 'december dec'],
  ['dow', 1, 'monday mon mo modnay moday'],
  ['dow', 2, 'tuesday tue tues teusday tuseday'],
  ['dow', 3, 'wednesday wed weds wednsday wedensday wednesay'],
  ['dow', 4, 'thursday thu thur thurs thrusday thursady thurday'],
  ['dow', 5, 'friday fri firday'],
  ['dow', 6, 'saturday sat saterday saturady'],
  ['dow', 7, 'sunday sun sunady'],
  ['dows', 1, 'mondays'],
  ['dows', 2, 'tuesdays'],
  ['dows', 3, 'wednesdays'],
  ['dows', 4, 'thursdays'],
  ['dows', 5, 'fridays'],
  ['dows', 6, 'saturdays'],
  ['dows', 7, 'sundays'],
  ['unit', 'second', 'second seconds sec secs'],
  ['unit', 'minute', 'minute minutes min mins'],
  ['unit', 'hour', 'hour hours hr hrs h'],
  ['unit', 'day', 'day days'],
  ['unit', 'night', 'nights'],
  ['unit', 'week', 'week weeks wk wks'],
  ['unit', 'fortnight', 'fortnight fortnights'],
  ['unit', 'month', 'month months mth mths'],
  ['unit', 'quarter', 'quarter quarters qtr qtrs'],
  ['unit', 'year', 'year years yr yrs'],
  ['unit', 'decade', 'decade decades'],
  ['unit', 'century', 'century centuries'],
  ['unit', 'weekend', 'weekend weekends'],
  ['part', 'morning', 'morning'],
  ['part', 'noon', 'midday'],
  ['part', 'afternoon', 'afternoon arvo afternoonish'],
  ['part', 'evening', 'evening eve'],
  ['part', 'night', 'night nite'],
  ['meal', 'breakfast', 'breakfast'],
  ['meal', 'lunch', 'lunch brunch'],
  ['meal', 'dinner', 'dinner supper'],
  ['part', 'lunch', 'lunchtime'],
  ['part', 'dinner', 'dinnertime'],
  ['part', 'daytime', 'daytime'],
  ['part', 'nighttime', 'nighttime'],
  ['parts', 'morning', 'mornings'],
  ['parts', 'afternoon', 'afternoons'],
  ['parts', 'evening', 'evenings'],
  ['parts', 'night', 'nights'],
  ['tonight', 'night', 'tonight tonite tonigt'],
  ['clockword', 12, 'noon noonish midday'],
  ['clockword', 24, 'midnight'],
  ['dayword', 0, 'today'],
  ['dayword', 1, 'tomorrow tmr tmrw tomorow tommorow tommorrow tomorrrow'],
  ['dayword', -1, 'yesterday'],
  ['nowword', 0, 'now atm immediately'],
  ['rel', 1, 'next nxt following'],
  ['rel', -1, 'last previous'],
  ['rel', 0, 'this current'],
  ['coming', 1, 'coming upcoming'],
  ['coming', -1, 'past'],
  ['season', 1, 'spring'],
  ['season', 2, 'summer'],
  ['season', 3, 'autumn fall'],
  ['season', 4, 'winter'],
  ['ampm', 'am', 'am'],
  ['ampm', 'pm', 'pm'],
  ['edge', 'start', 'beginning start'],
  ['edge', 'end', 'end'],
  ['edge', 'middle', 'middle mid'],
  ['lean', 'start', 'early earlier'],
  ['lean', 'end', 'late later'],
  ['lean', 'middle', 'mid'],
  ['few', 2, 'couple pair'],
  ['few', 3, 'few several some'],
  ['often', 'FREQ=DAILY', 'daily everyday'],
  ['often', 'FREQ=WEEKLY', 'weekly'],
  ['often', 'FREQ=WEEKLY;INTERVAL=2', 'biweekly fortnightly'],
  ['often', 'FREQ=MONTHLY', 'monthly'],
  ['often', 'FREQ=MONTHLY;INTERVAL=2', 'bimonthly'],
  ['often', 'FREQ=MONTHLY;INTERVAL=3', 'quarterly'],
  ['often', 'FREQ=MONTHLY;INTERVAL=6', 'semiannually biannually'],
  ['often', 'FREQ=YEARLY', 'yearly annually annual'],
  ['often', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'weekdays'],
  ['the', 0, 'the'],
  ['a', 1, 'a an'],
  ['at', 0, 'at @'],
  ['on', 0, 'on'],
  ['of', 0, 'of in from'],
  ['in', 0, 'in'],
  ['within', 0, 'within'],
  ['during', 0, 'in during throughout'],
  ['for', 0, 'for'],
  ['to', 0, 'to till til until untill through thru - – — ~'],
  ['and', 0, 'and &'],
  ['from', 0, 'from'],
  ['between', 0, 'between'],
  ['until', 0, 'until till til untill through ending'],
  ['before', 0, 'before'],
  ['after', 0, 'after'],
  ['since', 0, 'since starting beginning'],
  ['by', 0, 'by'],
  ['around', 0, 'around about approximately approx circa ~'],
  ['every', 0, 'every each ev'],
  ['ago', 0, 'ago'],
]

const GERMAN: Entries = [
  ['month', 1, 'januar jänner jän'],
  ['month', 2, 'februar'],
  ['month', 3, 'märz mär mrz'],
  ['month', 5, 'mai'],
  ['month', 6, 'juni'],
  ['month', 7, 'juli'],
  ['month', 10, 'oktober okt'],
  ['month', 12, 'dezember dez'],
  ['dow', 1, 'montag montags'],
  ['dow', 2, 'dienstag dienstags'],
  ['dow', 3, 'mittwoch mittwochs'],
  ['dow', 4, 'donnerstag donnerstags'],
  ['dow', 5, 'freitag freitags'],
  ['dow', 6, 'samstag sonnabend samstags'],
  ['dow', 7, 'sonntag sonntags'],
  ['dowshort', 1, 'mo mon'],
  ['dowshort', 2, 'di die'],
  ['dowshort', 3, 'mi mit'],
  ['dowshort', 4, 'do don'],
  ['dowshort', 5, 'fr fre'],
  ['dowshort', 6, 'sa sam'],
  ['dowshort', 7, 'so son'],
  ['dows', 1, 'montags'],
  ['dows', 2, 'dienstags'],
  ['dows', 3, 'mittwochs'],
  ['dows', 4, 'donnerstags'],
  ['dows', 5, 'freitags'],
  ['dows', 6, 'samstags'],
  ['dows', 7, 'sonntags'],
  ['unit', 'second', 'sekunde sekunden sek'],
  ['unit', 'minute', 'minuten'],
  ['unit', 'hour', 'stunde stunden std'],
  ['unit', 'day', 'tag tage tagen'],
  ['unit', 'night', 'nacht nächte nächten übernachtung übernachtungen'],
  ['unit', 'week', 'woche wochen'],
  ['unit', 'month', 'monat monate monaten monats'],
  ['unit', 'quarter', 'quartal quartale quartals'],
  ['unit', 'year', 'jahr jahre jahren jahres'],
  ['unit', 'weekend', 'wochenende wochenenden'],
  ['part', 'morning', 'morgens vormittag vormittags'],
  ['part', 'noon', 'mittag mittags'],
  ['part', 'afternoon', 'nachmittag nachmittags'],
  ['part', 'evening', 'abend abends'],
  ['part', 'night', 'nacht nachts'],
  ['part', 'morning', 'morgen'],
  ['tonight', 'evening', 'heutabend'],
  ['clockword', 12, 'mittags'],
  ['clockword', 24, 'mitternacht mitternachts'],
  ['dayword', 0, 'heute heut'],
  ['dayword', 1, 'morgen'],
  ['dayword', 2, 'übermorgen'],
  ['dayword', -1, 'gestern'],
  ['dayword', -2, 'vorgestern'],
  ['nowword', 0, 'jetzt sofort'],
  ['rel', 1, 'nächste nächsten nächster nächstes nächstem folgenden'],
  ['rel', -1, 'letzte letzten letzter letztes letztem vorige vorigen voriger vergangene vergangenen'],
  ['rel', 0, 'diese diesen dieser dieses diesem aktuellen'],
  ['coming', 1, 'kommende kommenden kommender kommendes kommendem'],
  ['season', 1, 'frühling frühjahr'],
  ['season', 2, 'sommer'],
  ['season', 3, 'herbst'],
  ['edge', 'start', 'anfang beginn'],
  ['edge', 'end', 'ende'],
  ['edge', 'middle', 'mitte'],
  ['lean', 'start', 'früh früher frühen'],
  ['lean', 'end', 'spät später späten'],
  ['few', 2, 'paar'],
  ['few', 3, 'einige einigen mehrere mehreren'],
  ['often', 'FREQ=DAILY', 'täglich'],
  ['often', 'FREQ=WEEKLY', 'wöchentlich'],
  ['often', 'FREQ=MONTHLY', 'monatlich'],
  ['often', 'FREQ=MONTHLY;INTERVAL=3', 'vierteljährlich'],
  ['often', 'FREQ=MONTHLY;INTERVAL=6', 'halbjährlich'],
  ['often', 'FREQ=WEEKLY;INTERVAL=2', 'zweiwöchentlich'],
  ['often', 'FREQ=YEARLY', 'jährlich'],
  ['often', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'werktags wochentags'],
  ['the', 0, 'der die das den dem des'],
  ['a', 1, 'ein eine einen einem einer'],
  ['at', 0, 'um'],
  ['on', 0, 'am'],
  ['of', 0, 'im vom von der des in'],
  ['in', 0, 'im'],
  ['within', 0, 'innerhalb binnen'],
  ['during', 0, 'im während'],
  ['for', 0, 'für'],
  ['to', 0, 'bis auf'],
  ['and', 0, 'und u'],
  ['from', 0, 'von vom ab zw'],
  ['between', 0, 'zwischen'],
  ['until', 0, 'bis'],
  ['before', 0, 'vor'],
  ['after', 0, 'nach'],
  ['since', 0, 'ab seit'],
  ['by', 0, 'spätestens'],
  ['around', 0, 'gegen ca circa etwa ungefähr rund'],
  ['every', 0, 'jeden jede jedes jeder jedem alle'],
  ['uhr', 0, 'uhr'],
]

const WEEKDAYS = 'montag dienstag mittwoch donnerstag freitag samstag sonntag'.split(' ')
const PARTS: readonly (readonly [ending: string, part: string])[] = [
  ['früh', 'morning'],
  ['morgen', 'morning'],
  ['vormittag', 'morning'],
  ['mittag', 'noon'],
  ['nachmittag', 'afternoon'],
  ['abend', 'evening'],
  ['nacht', 'night'],
]

const OF_UNIT = ['monats', 'quartals', 'jahres']
const MONTHS = 'januar februar märz april mai juni juli august september oktober november dezember'.split(' ')

/** German compounds such as "Donnerstagnachmittag", "Monatsende" and "Aprilhälfte". */
const COMPOUNDS: Entries = [
  ...MONTHS.map((month, index) => ['monthhalf', index + 1, `${month}hälfte`] as const),
  ['unithalf', 'week', 'wochenhälfte'],
  ['unithalf', 'month', 'monatshälfte'],
  ['unithalf', 'year', 'jahreshälfte'],
  ...WEEKDAYS.map((weekday, index) => ['dowplural', index + 1, `${weekday}e`] as const),
  ...WEEKDAYS.flatMap((weekday, index) =>
    PARTS.map(([ending, part]) => ['dowpart', { dow: index + 1, part }, weekday + ending] as const),
  ),
  ...(['month', 'quarter', 'year'] as const).flatMap((unit, index) =>
    (['start', 'middle', 'end'] as const).map(
      (edge, at) =>
        [
          'unitedge',
          { unit, edge },
          ['anfang', 'mitte', 'ende'].map((part) => OF_UNIT[index] + part).at(at) as string,
        ] as const,
    ),
  ),
  ['leanpart', { edge: 'start', part: 'morning' }, 'frühmorgens'],
  ['leanpart', { edge: 'end', part: 'evening' }, 'spätabends'],
  ['leanpart', { edge: 'end', part: 'afternoon' }, 'spätnachmittags'],
]

/** Words with another common meaning. They count as dates only if their neighbors confirm it. */
export const AMBIGUOUS = new Set(
  'may march mar sun sat mon wed mo fall spring second sec min h eve die do so mit sam son don fre di mi sa fr'.split(
    ' ',
  ),
)

export type Lexeme = readonly [kind: string, value: unknown]

const indexWords = (...all: Entries[]): Map<string, Lexeme[]> => {
  const words = new Map<string, Lexeme[]>()
  for (const [kind, value, list] of all.flat())
    for (const word of list.split(' ')) {
      const known = words.get(word)
      if (known) known.push([kind, value])
      else words.set(word, [[kind, value]])
    }
  return words
}

/** Contains both languages, because emails mix them. Few words are dates in only one of the two. */
export const LEXICON: ReadonlyMap<string, readonly Lexeme[]> = indexWords(ENGLISH, GERMAN, COMPOUNDS)

export const UNIT_DAYS: Partial<Record<Unit | 'fortnight' | 'night', number>> = {
  day: 1,
  night: 1,
  week: 7,
  fortnight: 14,
  weekend: 2,
}

/*
 * Holidays of lunar calendars in a Gregorian year, as days since 1970. The Hebrew calendar is computed
 * exactly. The Chinese calendar needs astronomy. Its days are tabulated for some decades. Outside the table
 * they repeat every 19 years, which is accurate to within a day. The Islamic calendar is not supported: it
 * depends on moon sightings, and arithmetic is too often a day off.
 */

const UNIX_RD = 719_163

const countDaysElapsed = (year: number): number => {
  const months = Math.floor((235 * year - 234) / 19)
  const day = 29 * months + Math.floor((12_084 + 13_753 * months) / 25_920)
  return (3 * (day + 1)) % 7 < 3 ? day + 1 : day
}

/** Returns 1 Tishri of a Hebrew year, after the four postponements. */
const tishri = (year: number): number => {
  const [before, own, after] = [
    countDaysElapsed(year - 1),
    countDaysElapsed(year),
    countDaysElapsed(year + 1),
  ]
  const postponement = after - own === 356 ? 2 : own - before === 382 ? 1 : 0
  return -1_373_427 + own + postponement - UNIX_RD
}

const roshHashanah = (year: number): number => tishri(year + 3761)
/** 15 Nisan always precedes the next new year by 163 days. */
const passover = (year: number): number => roshHashanah(year) - 163
/** Returns 25 Kislev. The preceding month Cheshvan has 29 or 30 days. */
const hanukkah = (year: number): number => {
  const start = roshHashanah(year)
  const isLong = (roshHashanah(year + 1) - start) % 10 === 5
  return start + 30 + (isLong ? 30 : 29) + 24
}

const FIRST_TABULATED_YEAR = 2000
const NEW_YEARS =
  '35 23 42 31 21 39 28 48 37 25 44 33 22 40 30 49 38 27 46 35 24 42 31 21 40 28 47 37 25 43 32 22 41 30 49 38 27 45 34 23 42 31 21 40 29 47 36 25 44 32 22 41 31 49 38 27 45 34 23 42 32'
const MID_AUTUMNS =
  '255 273 263 253 271 260 278 267 257 275 264 254 273 261 250 269 258 276 266 255 274 263 252 271 260 278 267 257 276 264 254 273 262 250 269 258 277 266 255 274 263 252 270 259 278 267 257 276 265 253 272 261 250 268 258 277 267 255 274 263 252'

const fromTable = (days: string) => {
  const list = days.split(' ').map(Number)
  return (year: number): number => {
    const at = year - FIRST_TABULATED_YEAR
    const known = list[at] ?? list[((at % 19) + 19) % 19] ?? 0
    return dayOf(year, 1, 1) + known
  }
}

const chineseNewYear = fromTable(NEW_YEARS)
const midAutumn = fromTable(MID_AUTUMNS)

/** Easter Sunday of the Orthodox churches, by the Julian calendar. */
const orthodoxEaster = (year: number): number => {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const month = Math.floor((d + e + 114) / 31)
  const julian = dayOf(year, month, ((d + e + 114) % 31) + 1)
  return julian + Math.floor(year / 100) - Math.floor(year / 400) - 2
}

type Finder = (year: number) => number

const fixed =
  (month: number, day: number): Finder =>
  (year) =>
    dayOf(year, month, day)
const nth =
  (month: number, weekday: number, n: number): Finder =>
  (year) =>
    nthWeekday(year, month, weekday, n)
const easter =
  (days: number): Finder =>
  (year) =>
    findEaster(year) + days
const thanksgiving = nth(11, 4, 4)
const after =
  (find: Finder, days: number): Finder =>
  (year) =>
    find(year) + days
/** Finds the last given weekday before a day of the year. */
const lastBefore =
  (month: number, day: number, weekday: number): Finder =>
  (year) => {
    const eve = dayOf(year, month, day) - 1
    return eve - ((weekdayOf(eve) - weekday + 7) % 7)
  }

/** Holidays whose day can be computed. `|` separates names of the same day. */
const HOLIDAYS: readonly (readonly [names: string, day: Finder])[] = [
  ["new year's day|new years day|new year day|new year's|neujahr|neujahrstag", fixed(1, 1)],
  ["new year's eve|new years eve|silvester", fixed(12, 31)],
  ['epiphany|heilige drei könige', fixed(1, 6)],
  ['groundhog day', fixed(2, 2)],
  ["valentine's day|valentines day|valentine's|valentinstag", fixed(2, 14)],
  ["st patrick's day|saint patrick's day|st. patrick's day|st patricks day", fixed(3, 17)],
  ["april fool's day|april fools day|april fools", fixed(4, 1)],
  ['australia day|republic day', fixed(1, 26)],
  ['earth day', fixed(4, 22)],
  ['anzac day', fixed(4, 25)],
  ['cinco de mayo', fixed(5, 5)],
  ['labour day|may day|tag der arbeit', fixed(5, 1)],
  ['juneteenth', fixed(6, 19)],
  ['canada day', fixed(7, 1)],
  ['independence day|fourth of july holiday', fixed(7, 4)],
  ['bastille day', fixed(7, 14)],
  ['tag der deutschen einheit', fixed(10, 3)],
  ['reformationstag', fixed(10, 31)],
  ["halloween|hallowe'en|all hallows eve|hallow eve", fixed(10, 31)],
  ["all saints' day|all saints day|allerheiligen", fixed(11, 1)],
  ['guy fawkes night|bonfire night', fixed(11, 5)],
  ["veterans day|veterans' day|veteran's day|armistice day", fixed(11, 11)],
  ['st nicholas day|nikolaus', fixed(12, 6)],
  ['christmas eve|xmas eve|heiligabend|heiliger abend', fixed(12, 24)],
  ['christmas day|christmas|xmas day|xmas|weihnachten|weihnachtstag', fixed(12, 25)],
  ['boxing day|stephanstag|stefanitag|zweiter weihnachtstag|zweiten weihnachtstag', fixed(12, 26)],
  [
    "martin luther king day|martin luther king's day|mlk day|martin luther king jr day|martin luther king jr. day",
    nth(1, 1, 3),
  ],
  ["presidents' day|presidents day|president's day|washington's birthday", nth(2, 1, 3)],
  ["mother's day|mothers day|mothers' day|muttertag", nth(5, 7, 2)],
  ['memorial day', nth(5, 1, -1)],
  ["father's day|fathers day|fathers' day", nth(6, 7, 3)],
  ['labor day', nth(9, 1, 1)],
  ['columbus day', nth(10, 1, 2)],
  ['thanksgiving day|thanksgiving', thanksgiving],
  ['black friday', (year) => thanksgiving(year) + 1],
  ['cyber monday', (year) => thanksgiving(year) + 4],
  ['rosenmontag', easter(-48)],
  ['shrove tuesday|mardi gras|pancake day|faschingsdienstag', easter(-47)],
  ['ash wednesday|aschermittwoch', easter(-46)],
  ['palm sunday|palmsonntag', easter(-7)],
  ['maundy thursday|gründonnerstag', easter(-3)],
  ['good friday|karfreitag', easter(-2)],
  ['easter sunday|easter|ostersonntag|ostern', easter(0)],
  ['easter monday|ostermontag', easter(1)],
  ['ascension day|christi himmelfahrt|himmelfahrt', easter(39)],
  ['pentecost|whitsunday|whit sunday|pfingstsonntag|pfingsten', easter(49)],
  ['whit monday|pfingstmontag', easter(50)],
  ['corpus christi|fronleichnam', easter(60)],
  ['holy saturday|karsamstag', easter(-1)],
  ['holy thursday', easter(-3)],
  ['trinity sunday', easter(56)],
  ['mothering sunday', easter(-21)],
  ['weiberfastnacht|altweiber', easter(-52)],
  ['vatertag', easter(39)],
  ['orthodox easter|orthodox easter sunday|greek easter', orthodoxEaster],
  ['orthodox good friday', after(orthodoxEaster, -2)],
  ['orthodox christmas', fixed(1, 7)],
  ['burns night', fixed(1, 25)],
  ['candlemas|mariä lichtmess', fixed(2, 2)],
  ['waitangi day', fixed(2, 6)],
  ["st david's day|saint david's day", fixed(3, 1)],
  ["international women's day|women's day|womens day|weltfrauentag|frauentag", fixed(3, 8)],
  ['pi day', fixed(3, 14)],
  ['tax day', fixed(4, 15)],
  ["st george's day|saint george's day", fixed(4, 23)],
  ["king's day|koningsdag", fixed(4, 27)],
  ['walpurgis night|walpurgisnacht', fixed(4, 30)],
  ['star wars day', fixed(5, 4)],
  ['flag day', fixed(6, 14)],
  ["midsummer's day", fixed(6, 24)],
  ['bundesfeier', fixed(8, 1)],
  ['assumption day|mariä himmelfahrt', fixed(8, 15)],
  ['patriot day', fixed(9, 11)],
  ['michaelmas', fixed(9, 29)],
  ["boss's day|bosses day|boss day", fixed(10, 16)],
  ["all souls' day|all souls day|allerseelen|dia de los muertos", fixed(11, 2)],
  ["remembrance day|martinstag|st martin's day|singles' day|singles day", fixed(11, 11)],
  ["st andrew's day|saint andrew's day", fixed(11, 30)],
  ['world aids day', fixed(12, 1)],
  ['pearl harbor day', fixed(12, 7)],
  ['immaculate conception|mariä empfängnis', fixed(12, 8)],
  ['festivus', fixed(12, 23)],
  ["st stephen's day|kwanzaa", fixed(12, 26)],
  ['hogmanay', fixed(12, 31)],
  ['super bowl sunday|super bowl|superbowl', nth(2, 7, 2)],
  ['victoria day', lastBefore(5, 25, 1)],
  ['arbor day', nth(4, 5, -1)],
  ['election day', (year) => nthWeekday(year, 11, 1, 1) + 1],
  ['erntedank|erntedankfest', nth(10, 7, 1)],
  ["indigenous peoples' day|indigenous peoples day|canadian thanksgiving", nth(10, 1, 2)],
  ['melbourne cup day|melbourne cup', nth(11, 2, 1)],
  ["grandparents day|grandparents' day", after(nth(9, 1, 1), 6)],
  ['giving tuesday', after(thanksgiving, 5)],
  ['small business saturday', after(thanksgiving, 2)],
  ['buß- und bettag', lastBefore(11, 23, 3)],
  ['volkstrauertag', after(lastBefore(12, 25, 7), -35)],
  ['totensonntag|ewigkeitssonntag', after(lastBefore(12, 25, 7), -28)],
  ['chinese new year|lunar new year', chineseNewYear],
  ['lantern festival', after(chineseNewYear, 14)],
  ['mid-autumn festival|mid autumn festival|moon festival', midAutumn],
  ['rosh hashanah|rosh hashana', roshHashanah],
  ['yom kippur', after(roshHashanah, 9)],
  ['sukkot', after(roshHashanah, 14)],
  ['simchat torah', after(roshHashanah, 22)],
  ['hanukkah|chanukah|hanukah|chanukka', hanukkah],
  ['purim', after(passover, -30)],
  ['passover|pesach|pessach', passover],
  ['shavuot', after(passover, 50)],
]

const byFirstWord = new Map<string, { words: string[]; day: Finder }[]>()
for (const [names, day] of HOLIDAYS)
  for (const name of names.split('|')) {
    const words = name.replaceAll('-', ' - ').split(/ +/)
    const first = words[0] as string
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), { words, day }])
  }

export const isHolidayWord = (word: string): boolean => byFirstWord.has(word)

/** Returns the holidays whose name starts at a token. */
export const holidaysAt = (
  texts: readonly { text: string }[],
  at: number,
): { length: number; day: Finder; name: string }[] =>
  (byFirstWord.get(texts[at]?.text ?? '') ?? [])
    .filter(({ words }) => words.every((word, index) => texts[at + index]?.text === word))
    .map(({ words, day }) => ({ length: words.length, day, name: words.join(' ') }))
