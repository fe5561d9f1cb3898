import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { type AnyDb, executeLate, isSqlite } from '../engine-access.ts'
import { withoutLongReads } from '../long-reads.ts'
import { prepare } from '../prepared.ts'

/*
 * Splits text into words, equally for both engines. Neither engine's tokenizer is used, so that a search
 * finds the same on each. Words are letters and digits without accents. In scripts without spaces, each
 * character is a word, so that any part of a text can be found as a phrase.
 */

const WORD = /[\p{L}\p{N}\p{M}_]+/gu
const ACCENTS = /[\u0300-\u036f]/g
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu
const PIECE = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[^ ])+`, 'gu')
const ASCII = /^[\0-\x7f]*$/
/** Letters that Unicode decomposition does not split. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
}
const LETTER = /[ßæœøđðħıłþ]/g
/** Neither engine handles longer words well, and nobody types them. */
const MAX_WORD_LENGTH = 64

/** Converts to lower case, removes accents, and normalizes compatibility forms. */
export const foldText = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(ACCENTS, '')
        .toLowerCase()
        .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
        .normalize('NFC')

/**
 * V8's regular expressions overflow the stack on millions of consecutive letters, so texts are processed in
 * parts.
 */
const MAX_PART_LENGTH = 32_768

/** Splits a text at a space if possible, else anywhere except inside a surrogate pair. */
function* partsOf(text: string): Generator<{ part: string; start: number }> {
  for (let start = 0; start < text.length; ) {
    const part = text.slice(start, start + MAX_PART_LENGTH)
    const isLast = start + part.length >= text.length
    const blank = isLast ? -1 : Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'))
    const isPairCut = !isLast && blank <= 0 && /[\ud800-\udbff]$/.test(part)
    const length = blank > 0 ? blank : part.length - (isPairCut ? 1 : 0)
    yield { part: length === part.length ? part : part.slice(0, length), start }
    start += length
  }
}

const addWords = (words: string[], text: string, most: number): void => {
  for (const [run] of foldText(text).matchAll(WORD)) {
    if (words.length >= most) return
    if (ASCII.test(run)) {
      for (const word of run.split('_')) if (word !== '') words.push(word.slice(0, MAX_WORD_LENGTH))
      continue
    }
    for (const piece of run.replaceAll('_', ' ').replace(UNSPACED, ' $& ').split(' '))
      if (piece !== '') words.push(piece.slice(0, MAX_WORD_LENGTH))
  }
}

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3
/** Index overhead of a word with its first position, and of each further position. */
const BYTES_BESIDE = 6
const BYTES_A_POSITION = 2

/** Returns how many of the first words fit into the given bytes of an index. */
const countFitting = (words: readonly string[], bytes: number): number => {
  let most = 0
  for (const word of words) most += word.length * MAX_BYTES_PER_UNIT + BYTES_BESIDE
  if (most <= bytes) return words.length
  const seen = new Set<string>()
  let used = 0
  for (const [index, word] of words.entries()) {
    used += seen.has(word) ? BYTES_A_POSITION : Buffer.byteLength(word) + BYTES_BESIDE
    if (used > bytes) return index
    seen.add(word)
  }
  return words.length
}

export interface WordBounds {
  /** Text length in UTF-16 units. */
  units: number
  words: number
  /** Size in UTF-8, with the index overhead of each word. */
  bytes: number
}

const NO_BOUNDS: WordBounds = {
  units: Number.POSITIVE_INFINITY,
  words: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
}

/** Returns the words of a text in order, within `bounds`. Does not read more of the text than necessary. */
export const wordsOf = (text: string, bounds = NO_BOUNDS): string[] => {
  const words: string[] = []
  for (const { part, start } of partsOf(text)) {
    if (start >= bounds.units) break
    addWords(words, part, bounds.words)
    if (words.length >= bounds.words) break
  }
  const count = Math.min(bounds.words, countFitting(words, bounds.bytes))
  return words.length > count ? words.slice(0, count) : words
}

/** Yields the words of a text with their offsets. A character of a script without spaces is a word. */
export function* placedWords(text: string): Generator<{ word: string; start: number; end: number }> {
  for (const { part, start } of partsOf(text))
    for (const { 0: run, index } of part.matchAll(WORD)) {
      const words = wordsOf(run)
      const from = start + index
      if (words.length === 1) yield { word: words[0] as string, start: from, end: from + run.length }
      else if (words.length > 1)
        for (const { 0: piece, index: at } of run.replaceAll('_', ' ').matchAll(PIECE))
          for (const word of wordsOf(piece)) yield { word, start: from + at, end: from + at + piece.length }
    }
}

/** Consecutive words, in any column or in one. */
export interface Phrase {
  words: readonly string[]
  /** The last word is a prefix. */
  isPrefix: boolean
  column?: string
}

/** All of `all`, which is not empty, and none of `none`. */
export interface WordQuery {
  all: readonly Phrase[]
  none: readonly Phrase[]
}

/**
 * Full-text search, as each engine implements it. An index is a table `name` with a `rowid` per entry. It can
 * be scanned by `rowid` in both directions without reading more entries than needed. If newer entries have
 * greater numbers, finding the newest matches costs the same in small and large indexes.
 */
export interface FullText {
  /** Returns the SQL that creates the index. */
  create(): RawBuilder<unknown>[]
  /** Like the next methods: the entry is searchable after the commit, and maybe not before. */
  put(tx: Db, rowid: number, userId: number, texts: Readonly<Record<string, string>>): Promise<void>
  remove(tx: Db, rowid: number): Promise<void>
  clear(tx: Db): Promise<void>
  /** Converts a query to the engine's syntax, for `rank`. */
  textOf(query: WordQuery): string
  /** Converts alternatives to the engine's syntax, for `lacks`. */
  textOfAny(phrases: readonly Phrase[]): string
  /** Whether the index row named `name` in the query matches, and belongs to the account. */
  matches(userId: number, query: WordQuery): RawBuilder<boolean>
  /** Whether the index row has one of these rowids. Tested before the row is joined with others. */
  isAmong(rowids: readonly number[]): RawBuilder<boolean>
  /** Runs the reads of a search where they are cheapest: without a thread if few entries contain one of its words. */
  runSearch<T>(db: Db, query: WordQuery, read: () => Promise<T>): Promise<T>
  /** Whether the entry with this rowid does not match. */
  lacks(text: string, rowid: RawBuilder<number>): RawBuilder<boolean>
  /** Relevance: a lower value is better. */
  rank(text: string): RawBuilder<number>
  /** Erases some of the data that removed entries left in the index. Returns false when nothing is left. */
  tidy(tx: Db): Promise<boolean>
}

export interface FullTextOptions {
  name: string
  /** Up to four, by descending weight. */
  columns: readonly string[]
}

/**
 * Limits the searchable part of a column. PostgreSQL stores no position beyond 16,383. A tsvector of all (up
 * to four) columns has at most 1,048,575 bytes. SQLite and mail rules use the same limits, so that results
 * agree.
 */
const BOUNDS: WordBounds = { units: 300_000, words: 16_000, bytes: 250_000 }

/** Returns the searchable words of a column. */
export const entryWords = (text: string | undefined): string[] => wordsOf(text ?? '', BOUNDS)

/**
 * SQLite: the search term of an account. It is in the index with each entry, so that a search skips the entries of
 * other accounts. `#` is not part of any word, so no search finds the term itself.
 */
const accountTermOf = (userId: number): string => `#${userId}`

/** SQLite: the column of the account term, after the columns of the texts. */
const ACCOUNT = 'account'

/** SQLite: reading so many matches takes less time than another thread needs for an answer. */
const MAX_RARE = 100
/** SQLite: the words of a query that are counted. */
const MAX_COUNTED = 3

const ASCII_CHARACTER = /^[a-z0-9]$/
const SECOND_CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789']

/**
 * SQLite: the words that begin with one character. The index has prefixes of two to four characters. For other prefixes
 * SQLite collects all matches before it returns the first: 630 ms in a million emails instead of 0.4 ms.
 */
const beginningOf = (character: string): string =>
  `("${character}" OR ${SECOND_CHARACTERS.map((second) => `"${character}${second}" *`).join(' OR ')})`

const WEIGHTS = ['A', 'B', 'C', 'D'] as const
const RANKS = [8, 4, 2, 1]

const createForSqlite = ({ name, columns }: FullTextOptions): FullText => {
  const table = sql.table(name)
  const phraseOf = ({ words, isPrefix, column }: Phrase): string => {
    const text = words.join(' ')
    const phrase =
      isPrefix && ASCII_CHARACTER.test(text) ? beginningOf(text) : `"${text}"${isPrefix ? ' *' : ''}`
    return column === undefined ? phrase : `${column} : ${phrase}`
  }
  const stored = [...columns, ACCOUNT]
  const textOf = ({ all, none }: WordQuery): string =>
    [`(${all.map(phraseOf).join(' AND ')})`, ...none.map(phraseOf)].join(' NOT ')
  const selectAfterRare = prepare<{ word: string }>(
    (_, { word }) =>
      sql`select 1 from ${table} where ${table} match ${word} limit 1 offset ${sql.lit(MAX_RARE)}`,
  )
  /** Whether few entries contain a word of the query, so that the search takes less time than the messages to a thread. */
  const isRare = async (db: Db, { all, none }: WordQuery): Promise<boolean> => {
    // SQLite may collect all matches of a prefix before it returns the first.
    if ([...all, ...none].some(({ isPrefix }) => isPrefix)) return false
    for (const word of all.flatMap(({ words }) => words).slice(0, MAX_COUNTED)) {
      const [after] = await selectAfterRare(db, { word: `"${word}"` })
      if (after === undefined) return true
    }
    return false
  }
  return {
    create: () => [
      // Stores no copy of the text. Only spaces separate words, because the input is already split.
      sql`create virtual table ${table} using fts5(${sql.raw(stored.join(', '))},
        content='', contentless_delete=1, tokenize="ascii tokenchars '#'", prefix='2 3 4')`,
    ],
    put(tx, rowid, userId, texts) {
      const entry = [...columns.map((column) => entryWords(texts[column]).join(' ')), accountTermOf(userId)]
      const insert = sql`insert into ${table} (rowid, ${sql.raw(stored.join(', '))})
        values (${BigInt(rowid)}, ${sql.join(entry)})`
      return executeLate(tx, insert)
    },
    remove: (tx, rowid) => executeLate(tx, sql`delete from ${table} where rowid = ${BigInt(rowid)}`),
    clear: (tx) => executeLate(tx, sql`insert into ${table} (${table}) values ('delete-all')`),
    textOf,
    textOfAny: (phrases) => phrases.map(phraseOf).join(' OR '),
    matches: (userId, query) =>
      sql<boolean>`${table}.${table} match ${`"${accountTermOf(userId)}" AND (${textOf(query)})`}`,
    // The plus keeps SQLite from looking up each rowid: that takes up to 2 ms, as long as reading 5,000 matches.
    isAmong: (rowids) =>
      sql<boolean>`+${table}.rowid in (select value from json_each(${JSON.stringify(rowids)}))`,
    runSearch: async (db, query, read) => ((await isRare(db, query)) ? withoutLongReads(read) : read()),
    lacks: (text, rowid) =>
      sql<boolean>`not exists (select 1 from ${table}
        where ${table}.rowid = ${rowid} and ${table}.${table} match ${text})`,
    // The account term does not count.
    rank: () => sql<number>`bm25(${table}, ${sql.raw([...RANKS.slice(0, columns.length), 0].join(', '))})`,
    async tidy(tx) {
      const changes = async (): Promise<number> =>
        (await sql<{ n: number }>`select total_changes() as n`.execute(tx)).rows[0]?.n ?? 0
      const before = await changes()
      await sql`insert into ${table} (${table}, rank) values ('merge', -200)`.execute(tx)
      return (await changes()) - before >= 2
    },
  }
}

const quote = (word: string): string => `'${word.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`

/** PostgreSQL stores no higher position, and at most this many positions per word. */
const LAST_POSITION = 16_383
const MAX_POSITIONS = 255

/** Builds the text form of a tsvector: each word with positions and column weight. */
const vectorOf = (columns: readonly string[], texts: Readonly<Record<string, string>>): string => {
  const places = new Map<string, string[]>()
  let at = 0
  for (const [index, column] of columns.entries()) {
    for (const word of entryWords(texts[column])) {
      at++
      const known = places.get(word)
      const place = `${Math.min(at, LAST_POSITION)}${WEIGHTS[index]}`
      if (known === undefined) places.set(word, [place])
      else if (known.length < MAX_POSITIONS) known.push(place)
    }
    // Leaves a gap, so that no phrase matches across columns.
    at += 2
  }
  return [...places].map(([word, where]) => `${quote(word)}:${where.join(',')}`).join(' ')
}

const createForPostgres = ({ name, columns }: FullTextOptions): FullText => {
  const table = sql.table(name)
  const owner = sql.ref('userId')
  const insert = prepare<{ rowid: bigint; userId: bigint; words: string }>(
    (_, values) => sql`insert into ${table} (rowid, ${owner}, words)
      values (${values.rowid}, ${values.userId}, ${values.words}::tsvector)`,
  )
  const phraseOf = ({ words, isPrefix, column }: Phrase): string => {
    const weight = column === undefined ? '' : (WEIGHTS[columns.indexOf(column)] ?? '')
    return `(${words
      .map((word, index) => {
        const marks = `${isPrefix && index === words.length - 1 ? '*' : ''}${weight}`
        return `${quote(word)}${marks === '' ? '' : `:${marks}`}`
      })
      .join(' <-> ')})`
  }
  const textOf = ({ all, none }: WordQuery): string =>
    [...all.map(phraseOf), ...none.map((phrase) => `!${phraseOf(phrase)}`)].join(' & ')
  return {
    create: () => [
      sql`create table ${table} (rowid bigint primary key, ${owner} bigint not null, words tsvector not null)`,
      // For rare words. PostgreSQL combines it with the next one.
      sql`create index ${sql.ref(`${name}_words`)} on ${table} using gin (words)`,
      // For common words: it finds the newest matches of an account among the entries of many.
      sql`create index ${sql.ref(`${name}_user`)} on ${table} (${owner}, rowid)`,
    ],
    async put(tx, rowid, userId, texts) {
      const words = vectorOf(columns, texts)
      await insert(tx, { rowid: BigInt(rowid), userId: BigInt(userId), words })
    },
    async remove(tx, rowid) {
      await sql`delete from ${table} where rowid = ${BigInt(rowid)}`.execute(tx)
    },
    async clear(tx) {
      await sql`delete from ${table}`.execute(tx)
    },
    textOf,
    textOfAny: (phrases) => phrases.map(phraseOf).join(' | '),
    matches: (userId, query) =>
      sql<boolean>`${table}.${owner} = ${userId} and ${table}.words @@ ${textOf(query)}::tsquery`,
    // All reads run in the processes of the server.
    runSearch: (_db, _query, read) => read(),
    isAmong: (rowids) => sql<boolean>`${table}.rowid = any(${rowids}::bigint[])`,
    lacks: (text, rowid) =>
      sql<boolean>`not exists (select 1 from ${table}
        where ${table}.rowid = ${rowid} and ${table}.words @@ ${text}::tsquery)`,
    rank: (text) => sql<number>`-ts_rank(${table}.words, ${text}::tsquery)`,
    // Vacuum does it.
    tidy: async () => false,
  }
}

export const createFullText = (db: AnyDb, options: FullTextOptions): FullText =>
  isSqlite(db) ? createForSqlite(options) : createForPostgres(options)

/** An entry that is not indexed yet, matched with the rules of the index. */
export interface Entry {
  /** Whether the entry contains the phrase. */
  has(phrase: Phrase): boolean
}

interface Column {
  words: ReadonlySet<string>
  /** All words in order, separated by spaces. */
  text: string
}

const columnOf = (text: string | undefined): Column => {
  const words = entryWords(text)
  return { words: new Set(words), text: ` ${words.join(' ')} ` }
}

const standsIn = ({ words, text }: Column, { words: sought, isPrefix }: Phrase): boolean => {
  const whole = isPrefix ? sought.slice(0, -1) : sought
  if (!whole.every((word) => words.has(word))) return false
  if (sought.length === 1 && !isPrefix) return true
  // Words contain no spaces, so text search between spaces finds exactly the phrase.
  return text.includes(` ${sought.join(' ')}${isPrefix ? '' : ' '}`)
}

/** Splits a column into words on first use, because most columns are never used. */
export const entryOf = (texts: Readonly<Record<string, string>>): Entry => {
  const cut = new Map<string, Column>()
  const columns = Object.keys(texts)
  const read = (name: string): Column => {
    const column = cut.get(name) ?? columnOf(texts[name])
    cut.set(name, column)
    return column
  }
  return {
    has: (phrase) =>
      (phrase.column === undefined ? columns : [phrase.column]).some((name) => standsIn(read(name), phrase)),
  }
}

export const matchesEntry = (entry: Entry, { all, none }: WordQuery): boolean =>
  all.every((phrase) => entry.has(phrase)) && !none.some((phrase) => entry.has(phrase))
