import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from './database.ts'

/*
 * Search by the beginnings of words. A table keeps what is searched in one column: words folded here and parted by
 * single blanks, so that both engines find the same whatever their own idea of a word. The index follows the column
 * by itself, so whoever writes rows, a restore included, need not know of it.
 */

const LONGEST_WORD = 40
const MOST_WORDS = 5000
/** V8's regular expressions overflow the stack on a run of some millions of letters. */
const LONGEST_TEXT = 500_000
/** PostgreSQL's limit for the words of a row is 1,048,575 bytes, marks included. */
const MOST_BYTES = 500_000
/** PostgreSQL's limit for a word is 2,046 bytes. */
const LONGEST_MARK = 2000

/** Letters that no normal form takes apart. */
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

/** The words of a text without case and accents; of a script that leaves no blanks, every character is one. */
export const foldWords = (text: string): string[] => {
  const folded = text
    .slice(0, LONGEST_TEXT)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[æœøđðþłħς]/g, (letter) => PLAIN[letter] as string)
    .replace(UNSPACED, ' $& ')
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? []
  // A character has two UTF-16 units at most.
  const cut = words.map((word) => [...word.slice(0, LONGEST_WORD * 2)].slice(0, LONGEST_WORD).join(''))
  const distinct = [...new Set(cut)].slice(0, MOST_WORDS)
  let bytes = 0
  const end = distinct.findIndex((word) => {
    bytes += Buffer.byteLength(word) + 1
    return bytes > MOST_BYTES
  })
  return end < 0 ? distinct : distinct.slice(0, end)
}

/** A mark that is searched for whole and is no word of any text. `name` is of letters. */
export const markOf = (name: string, value = ''): string =>
  value === '' ? `#${name}` : `#${name}:${Buffer.from(value).toString('hex').slice(0, LONGEST_MARK)}`

/** PostgreSQL's: words as they are, past its own parser. */
const VECTOR = sql`array_to_tsvector(string_to_array(words, ' '))`

/** Makes the index over `table.words`; on SQLite it is a table of its own, named `index`. */
export const createWordIndex = async (
  db: Kysely<unknown>,
  engine: Engine,
  table: string,
  index: string,
): Promise<void> => {
  const [from, to] = [sql.table(table), sql.table(index)]
  if (engine === 'postgres') {
    await sql`create index ${sql.ref(`${index}_index`)} on ${from} using gin (${VECTOR})`.execute(db)
    return
  }
  // Tokens are what lies between blanks: ASCII letters, digits and the signs of marks, and all that is not ASCII.
  // Beginnings have indexes of their own: without one, all that begins so is gathered before the first is given out.
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

/** Rows whose words begin with each of `words`, and that carry each of `marks`. On SQLite a condition on the index. */
export const matchWords = (
  engine: Engine,
  index: string,
  words: readonly string[],
  marks: readonly string[],
): RawBuilder<boolean> => {
  if (engine === 'sqlite') {
    const terms = [...words.map((word) => `"${word}"*`), ...marks.map((mark) => `"${mark}"`)]
    return sql<boolean>`${sql.table(index)} match ${terms.join(' AND ')}`
  }
  const terms = [...words.map((word) => `'${word}':*`), ...marks.map((mark) => `'${mark}'`)]
  return sql<boolean>`${VECTOR} @@ ${terms.join(' & ')}::tsquery`
}

/** The same of rows at hand, without the index. */
export const holdWords = (
  engine: Engine,
  words: readonly string[],
  marks: readonly string[],
): RawBuilder<boolean> => {
  const placeOf = sql.raw(engine === 'sqlite' ? 'instr' : 'strpos')
  const parts = [...words.map((word) => ` ${word}`), ...marks.map((mark) => ` ${mark} `)]
  const each = parts.map((part) => sql`${placeOf}(' ' || words || ' ', ${part}) > 0`)
  return sql<boolean>`${sql.join(each, sql` and `)}`
}
