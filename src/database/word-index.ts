import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type AnyDb, isSqlite } from './engine-access.ts'
import { createFullText, type FullText } from './full-text/full-text.ts'

/** The search index of emails; its rowids are email positions. */
export const emailWords = (db: AnyDb): FullText =>
  createFullText(db, { name: 'email_words', columns: ['subject', 'sender', 'recipients', 'body'] })

/*
 * Prefix search. A table stores its search words in one column, normalized and separated by single spaces, so
 * that both engines find the same. Triggers and generated columns keep the index in sync, so writers of rows,
 * including a restore, need not update it.
 */

const MAX_WORD_LENGTH = 40
const MAX_WORDS = 5000
/** V8's regular expressions overflow the stack on millions of consecutive letters. */
const MAX_TEXT_LENGTH = 500_000
/** PostgreSQL's limit for the words of a row is 1,048,575 bytes, including marks. */
const MAX_BYTES = 500_000
/** PostgreSQL's limit for a word is 2,046 bytes. */
const MAX_MARK_LENGTH = 2000

/** Letters that Unicode normalization does not split. */
const PLAIN: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ς: 'σ',
}
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/**
 * Returns the words of a text without case and accents. In scripts without spaces, every character is a word.
 */
export const foldWords = (text: string): string[] => {
  const folded = text
    .slice(0, MAX_TEXT_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[æœøđðþłħς]/g, (letter) => PLAIN[letter] as string)
    .replace(UNSPACED, ' $& ')
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? []
  // A character has at most two UTF-16 units.
  const cut = words.map((word) => [...word.slice(0, MAX_WORD_LENGTH * 2)].slice(0, MAX_WORD_LENGTH).join(''))
  const distinct = [...new Set(cut)].slice(0, MAX_WORDS)
  let bytes = 0
  const end = distinct.findIndex((word) => {
    bytes += Buffer.byteLength(word) + 1
    return bytes > MAX_BYTES
  })
  return end < 0 ? distinct : distinct.slice(0, end)
}

/** Creates a mark, a search term that cannot be a word of a text. `name` consists of letters and digits. */
export const markOf = (name: string, value = ''): string =>
  value === '' ? `#${name}` : `#${name}:${Buffer.from(value).toString('hex').slice(0, MAX_MARK_LENGTH)}`

/** PostgreSQL: uses the words as they are, without its parser. */
const VECTOR = sql`array_to_tsvector(string_to_array(words, ' '))`

/** Creates the index over `table.words`. On SQLite it is a separate table, named `index`. */
export const createWordIndex = async (db: Kysely<unknown>, table: string, index: string): Promise<void> => {
  const [from, to] = [sql.table(table), sql.table(index)]
  if (!isSqlite(db)) {
    await sql`create index ${sql.ref(`${index}_index`)} on ${from} using gin (${VECTOR})`.execute(db)
    return
  }
  // Tokens are separated by spaces and consist of ASCII letters, digits, the characters of marks, and all
  // non-ASCII characters. Prefixes have their own indexes: without them, SQLite collects all matches before
  // it returns the first.
  await sql`create virtual table ${to} using fts5(words, content=${sql.lit(table)}, content_rowid='id',
    tokenize="ascii tokenchars '#:'", prefix='1 2 3 4 5 6 7 8')`.execute(db)
  const add = sql`insert into ${to} (rowid, words) values (new.id, new.words)`
  const remove = sql`insert into ${to} (${to}, rowid, words) values ('delete', old.id, old.words)`
  const trigger = (name: string) => sql.ref(`${index}_${name}`)
  await sql`create trigger ${trigger('added')} after insert on ${from} begin ${add}; end`.execute(db)
  await sql`create trigger ${trigger('removed')} after delete on ${from} begin ${remove}; end`.execute(db)
  await sql`create trigger ${trigger('changed')} after update of words on ${from}
    when old.words <> new.words begin ${remove}; ${add}; end`.execute(db)
}

/**
 * Matches rows that have a word with each prefix in `words`, and each of `marks`. On SQLite, a condition on
 * the index.
 */
export const matchWords = (
  db: AnyDb,
  index: string,
  words: readonly string[],
  marks: readonly string[],
): RawBuilder<boolean> => {
  if (isSqlite(db)) {
    const terms = [...words.map((word) => `"${word}"*`), ...marks.map((mark) => `"${mark}"`)]
    return sql<boolean>`${sql.table(index)} match ${terms.join(' AND ')}`
  }
  const terms = [...words.map((word) => `'${word}':*`), ...marks.map((mark) => `'${mark}'`)]
  return sql<boolean>`${VECTOR} @@ ${terms.join(' & ')}::tsquery`
}

/** The same as a condition on the rows of `table`. */
export const hasWords = (
  db: AnyDb,
  { table, index }: { table: string; index: string },
  words: readonly string[],
  marks: readonly string[],
): RawBuilder<boolean> => {
  const matches = matchWords(db, index, words, marks)
  if (!isSqlite(db)) return matches
  return sql<boolean>`${sql.ref(`${table}.id`)} in (select rowid from ${sql.table(index)} where ${matches})`
}

/** The same for loaded rows, without the index. */
export const holdWords = (
  db: AnyDb,
  words: readonly string[],
  marks: readonly string[],
): RawBuilder<boolean> => {
  const placeOf = sql.raw(isSqlite(db) ? 'instr' : 'strpos')
  const parts = [...words.map((word) => ` ${word}`), ...marks.map((mark) => ` ${mark} `)]
  const each = parts.map((part) => sql`${placeOf}(' ' || words || ' ', ${part}) > 0`)
  return sql<boolean>`${sql.join(each, sql` and `)}`
}
