import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../database.ts'
import type { Db } from '../db.ts'
import { prepareLateWrite, prepareWrite } from '../prepared.ts'
import { type WordBounds, wordsOf } from './words.ts'

/** Words that must follow each other, in any column or in one. */
export interface Phrase {
  words: readonly string[]
  /** The last word is only the beginning of one. */
  isPrefix: boolean
  column?: string
}

/** All of `all`, which has one at least, and none of `none`. */
export interface WordQuery {
  all: readonly Phrase[]
  none: readonly Phrase[]
}

/**
 * What the two engines say differently about finding words. An index is a table `name` with a number for each entry
 * in `rowid`, which it can be walked by in either direction without looking at more entries than are wanted: give
 * newer entries greater numbers, and the newest that match are found at the same price in a small and a large index.
 */
export interface FullText {
  /** SQL that makes the index. */
  create(): RawBuilder<unknown>[]
  /** Like what follows, found once the transaction is committed, and maybe not before. */
  put(tx: Db, rowid: number, texts: Readonly<Record<string, string>>): Promise<void>
  remove(tx: Db, rowid: number): Promise<void>
  /** Removes every entry. */
  clear(tx: Db): Promise<void>
  /** What is looked for in the engine's own words, to be handed to `matches` and `rank`. */
  textOf(query: WordQuery): string
  /** Any of the phrases, to be handed to `lacks`. */
  textOfAny(phrases: readonly Phrase[]): string
  /** Whether the row of the index that goes by `name` in the query matches. */
  matches(text: string): RawBuilder<boolean>
  /** Whether the entry with this number does not match. */
  lacks(text: string, rowid: RawBuilder<number>): RawBuilder<boolean>
  /** How well it matches: the least is the best. */
  rank(text: string): RawBuilder<number>
  /** Removes for good what removed entries have left behind, a bit at a time. False when there is no more of it. */
  tidy(tx: Db): Promise<boolean>
}

export interface FullTextOptions {
  name: string
  /** Up to four, the weightiest first. */
  columns: readonly string[]
}

/**
 * How much of a column can be searched. PostgreSQL keeps no position beyond 16,383, and a tsvector of all (up to four)
 * columns has at most 1,048,575 bytes of words and positions. SQLite and rules keep to the same, so that they agree.
 */
const BOUNDS: WordBounds = { units: 300_000, words: 16_000, bytes: 250_000 }

/** The words that an entry is found by, of one of its columns. */
export const entryWords = (text: string | undefined): string[] => wordsOf(text ?? '', BOUNDS)

const WEIGHTS = ['A', 'B', 'C', 'D'] as const
const RANKS = [8, 4, 2, 1]

const createForSqlite = ({ name, columns }: FullTextOptions): FullText => {
  const table = sql.table(name)
  const phraseOf = ({ words, isPrefix, column }: Phrase): string =>
    `${column === undefined ? '' : `${column} : `}"${words.join(' ')}"${isPrefix ? ' *' : ''}`
  const insert = prepareLateWrite<Record<string, string | bigint>>(
    (_, parameter) =>
      sql`insert into ${table} (rowid, ${sql.raw(columns.join(', '))})
        values (${parameter('rowid')}, ${sql.join(columns.map(parameter))})`,
  )
  const remove = prepareLateWrite<{ rowid: bigint }>(
    (_, parameter) => sql`delete from ${table} where rowid = ${parameter('rowid')}`,
  )
  const removeAll = prepareLateWrite<object>(() => sql`insert into ${table} (${table}) values ('delete-all')`)
  return {
    create: () => [
      // Holds no copy of the text. Only spaces part the words in it, for they come as words already.
      sql`create virtual table ${table} using fts5(${sql.raw(columns.join(', '))},
        content='', contentless_delete=1, tokenize='ascii', prefix='2 3 4')`,
    ],
    async put(tx, rowid, texts) {
      const entry: Record<string, string | bigint> = { rowid: BigInt(rowid) }
      for (const column of columns) entry[column] = entryWords(texts[column]).join(' ')
      await insert(tx, entry)
    },
    remove: (tx, rowid) => remove(tx, { rowid: BigInt(rowid) }),
    clear: (tx) => removeAll(tx, {}),
    textOf: ({ all, none }) => [`(${all.map(phraseOf).join(' AND ')})`, ...none.map(phraseOf)].join(' NOT '),
    textOfAny: (phrases) => phrases.map(phraseOf).join(' OR '),
    matches: (text) => sql<boolean>`${table}.${table} match ${text}`,
    lacks: (text, rowid) =>
      sql<boolean>`not exists (select 1 from ${table}
        where ${table}.rowid = ${rowid} and ${table}.${table} match ${text})`,
    rank: () => sql<number>`bm25(${table}, ${sql.raw(RANKS.slice(0, columns.length).join(', '))})`,
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

/** PostgreSQL keeps no position beyond this, and no more than so many of one word. */
const LAST_POSITION = 16_383
const MOST_POSITIONS = 255

/** The text form of a tsvector: each word with where it stands, and in which column. */
const vectorOf = (columns: readonly string[], texts: Readonly<Record<string, string>>): string => {
  const places = new Map<string, string[]>()
  let at = 0
  for (const [index, column] of columns.entries()) {
    for (const word of entryWords(texts[column])) {
      at++
      const known = places.get(word)
      const place = `${Math.min(at, LAST_POSITION)}${WEIGHTS[index]}`
      if (known === undefined) places.set(word, [place])
      else if (known.length < MOST_POSITIONS) known.push(place)
    }
    // No phrase reaches from one column into the next.
    at += 2
  }
  return [...places].map(([word, where]) => `${quote(word)}:${where.join(',')}`).join(' ')
}

const createForPostgres = ({ name, columns }: FullTextOptions): FullText => {
  const table = sql.table(name)
  const insert = prepareWrite<{ rowid: bigint; words: string }, unknown>(
    (_, parameter) =>
      sql`insert into ${table} (rowid, words) values (${parameter('rowid')}, ${parameter('words')}::tsvector)`,
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
  return {
    create: () => [
      sql`create table ${table} (rowid bigint primary key, words tsvector not null)`,
      sql`create index ${sql.ref(`${name}_words`)} on ${table} using gin (words)`,
    ],
    async put(tx, rowid, texts) {
      await insert(tx, { rowid: BigInt(rowid), words: vectorOf(columns, texts) })
    },
    async remove(tx, rowid) {
      await sql`delete from ${table} where rowid = ${BigInt(rowid)}`.execute(tx)
    },
    async clear(tx) {
      await sql`delete from ${table}`.execute(tx)
    },
    textOf: ({ all, none }) =>
      [...all.map(phraseOf), ...none.map((phrase) => `!${phraseOf(phrase)}`)].join(' & '),
    textOfAny: (phrases) => phrases.map(phraseOf).join(' | '),
    matches: (text) => sql<boolean>`${table}.words @@ ${text}::tsquery`,
    lacks: (text, rowid) =>
      sql<boolean>`not exists (select 1 from ${table}
        where ${table}.rowid = ${rowid} and ${table}.words @@ ${text}::tsquery)`,
    rank: (text) => sql<number>`-ts_rank(${table}.words, ${text}::tsquery)`,
    // Vacuum does it.
    tidy: async () => false,
  }
}

export const createFullText = (engine: Engine, options: FullTextOptions): FullText =>
  engine === 'sqlite' ? createForSqlite(options) : createForPostgres(options)
