import { expect, it } from 'vitest'
import { EXCEPTIONS, PERSONAL_TABLES, requireAccount, TABLES } from './support/ownership.ts'

it('every table is guarded, or an exception with a reason', () => {
  const exceptions = Object.values(EXCEPTIONS).flat()
  expect(exceptions.filter((name) => !TABLES.includes(name))).toEqual([])
  expect([...PERSONAL_TABLES, ...exceptions].sort()).toEqual([...TABLES].sort())
  expect(PERSONAL_TABLES).toEqual(expect.arrayContaining(['emails', 'events', 'tasks', 'task_words']))
})

it.each([
  'select * from "emails" where "id" = ?',
  'select * from emails join "mail_folders" on mail_folders.id = emails."folderId"',
  'update "tasks" set "title" = ? where "id" = ?',
  'delete from "events" where "id" = ?',
  'with found as (select 1) select * from found, (select id from "contacts") as people',
])('rejects a query that names no account: %s', (text) => {
  expect(() => requireAccount(text)).toThrow('names no account')
})

it.each([
  'select * from "emails" where "userId" = ? and "id" = ?',
  'insert into "tasks" ("userId", "title") values (?, ?)',
  'delete from "events" /* all accounts */',
  'select * from "jobs"',
])('accepts: %s', (text) => {
  expect(() => requireAccount(text)).not.toThrow()
})
