import SQLite from 'better-sqlite3'
import { openDatabase, sqliteFile } from '../src/database/database.ts'
import { wordsOf } from '../src/database/full-text/full-text.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { migrate } from '../src/database/migrate.ts'
import { accountTally } from '../src/database/tallies.ts'

const WORDS =
  'meeting budget river window garden letter invoice monday paper coffee train ticket house contract picture music winter summer project answer question market bridge school doctor kitchen island forest mountain engine signal harvest ladder mirror pocket silver castle button candle desert'.split(
    ' ',
  )
const START = Date.UTC(2020, 0, 1)
const BATCH = 5_000

/** A deterministic pseudorandom generator, so that every run has the same mailbox. */
const createRandom = () => {
  let state = 42
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const INSERTS = {
  email: `insert into emails (position, "threadId", folder, "fromName", "fromAddress", "to", cc, bcc, "replyTo", subject,
    "subjectKey", "references", snippet, date, tags, read, starred, attachments, "hasAttachments", version, "createdAt", "updatedAt", "userId")
    values (?, ?, 'inbox', ?, ?, ?, '[]', '[]', '[]', ?, ?, '[]', ?, ?, ?, ?, 0, '[]', 0, 1, ?, ?, ?)`,
  body: 'insert into email_bodies ("emailId", text, html) values (?, ?, null)',
  tag: 'insert into email_tags ("userId", tag, position, "emailId") values (?, ?, ?, ?)',
  words:
    'insert into email_words (rowid, subject, sender, recipients, body, account) values (?, ?, ?, ?, ?, ?)',
}

/**
 * Creates a mailbox of `count` emails with about 65 words each. Every second email contains the word
 * `common`.
 */
export const fillMailbox = async (dataDir: string, count: number): Promise<void> => {
  const database = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(database)
  const userId = await getLocalUserId(database.db)
  await database.close()
  const file = new SQLite(sqliteFile(dataDir))
  file.pragma('synchronous = OFF')
  file.pragma('cache_size = -200000')
  const statements = Object.fromEntries(
    Object.entries(INSERTS).map(([name, text]) => [name, file.prepare(text)]),
  ) as Record<keyof typeof INSERTS, SQLite.Statement>
  const random = createRandom()
  const sentence = (length: number): string =>
    Array.from({ length }, () => WORDS[random(WORDS.length)] as string).join(' ')
  const insert = (n: number): void => {
    const at = START + n * 60_000
    const date = new Date(at).toISOString()
    const position = BigInt(at) * 2048n
    const person = random(500)
    const subject = sentence(4)
    const text = `${sentence(30)} rare${random(100_000)} ${n % 2 === 0 ? 'common' : 'other'} ${sentence(30)}`
    const sender = [`Person ${person}`, `person${person}@example.org`]
    const tag = `tag${random(20)}`
    const to = JSON.stringify([{ name: 'Me', address: 'me@example.org' }])
    const row = [position, n + 1, ...sender, to, subject, subject, text.slice(0, 150)]
    const [tags, read] = [JSON.stringify([tag]), random(10) === 0 ? 0 : 1]
    statements.email.run(...row, date, tags, read, date, date, userId)
    statements.body.run(n + 1, text)
    statements.tag.run(userId, tag, position, n + 1)
    const words = [subject, sender.join(' '), 'me me example org', text].map((each) =>
      wordsOf(each).join(' '),
    )
    statements.words.run(position, ...words, `#${userId}`)
  }
  for (let n = 0; n < count; n += BATCH)
    file.transaction(() => {
      for (let i = n; i < Math.min(n + BATCH, count); i++) insert(i)
    })()
  file.prepare('insert into tallies (name, amount) values (?, ?)').run(accountTally('emails', userId), count)
  // Optimizes the index, as the maintenance job does.
  file.exec("insert into email_words (email_words) values ('optimize')")
  file.close()
}
