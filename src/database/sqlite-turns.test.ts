import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Turns } from './sqlite.ts'

let directory: string
let writer: SQLite.Database
let onlooker: SQLite.Database
let statements: string[]
let turns: Turns

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'factotum-test-'))
  const file = join(directory, 'turns.db')
  writer = new SQLite(file)
  writer.pragma('journal_mode = WAL')
  writer.exec('create table notes (n integer primary key)')
  onlooker = new SQLite(file, { readonly: true })
  statements = []
  const execute = (statement: string): void => {
    statements.push(statement)
    writer.prepare(statement).run()
  }
  turns = new Turns(writer, execute, 'begin immediate')
})
afterEach(() => {
  vi.restoreAllMocks()
  onlooker.close()
  writer.close()
  rmSync(directory, { recursive: true, force: true })
})

const seen = (): number[] => onlooker.prepare('select n from notes order by n').pluck().all() as number[]
const write = async (n: number): Promise<void> => {
  const turn = await turns.take()
  try {
    writer.prepare('insert into notes values (?)').run(n)
    await turn.keep()
  } finally {
    turn.undo()
  }
}
const commits = (): number => statements.filter((statement) => statement === 'commit').length

it('consecutive turns share one commit, and each is answered after it', async () => {
  // Turns that take over 5 ms are committed apart; here none takes any time.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const answered = await Promise.all(
    [1, 2, 3, 4, 5].map(async (n) => {
      await write(n)
      return seen().includes(n)
    }),
  )
  expect(answered).toEqual([true, true, true, true, true])
  expect(commits()).toBe(1)
})

it('consecutive long turns let other work run in between', async () => {
  const heard: number[] = []
  let done = 0
  const listening = setInterval(() => heard.push(done), 1)
  for (let n = 1; n <= 5; n++) {
    const turn = await turns.take()
    writer.prepare('insert into notes values (?)').run(n)
    for (const until = performance.now() + 12; performance.now() < until; );
    await turn.keep()
    done = n
  }
  clearInterval(listening)
  expect(new Set(heard).size).toBeGreaterThan(2)
})

it('a turn that nobody waits behind is committed at once', async () => {
  await write(1)
  await write(2)
  expect(commits()).toBe(2)
})

it('a failed turn is rolled back alone', async () => {
  const outcomes = await Promise.allSettled([write(1), write(2), write(1), write(3), write(2)])
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ])
  expect(seen()).toEqual([1, 2, 3])
})

it('single statements take turns with transactions, and are rolled back alone', async () => {
  const insert = (n: number) => turns.run(() => writer.prepare('insert into notes values (?)').run(n))
  const outcomes = await Promise.allSettled([insert(1), write(2), insert(1), insert(3), write(3), insert(4)])
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(seen()).toEqual([1, 2, 3, 4])
  await insert(5)
  expect(seen()).toEqual([1, 2, 3, 4, 5])
})

it('a failed commit rejects all its turns, and the next turns start a new transaction', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  writer.pragma('foreign_keys = on')
  writer.exec('create table parents (n integer primary key)')
  writer.exec('create table children (n references parents (n) deferrable initially deferred)')
  const orphan = async (): Promise<void> => {
    const turn = await turns.take()
    writer.exec('insert into children values (7)')
    await turn.keep()
  }
  const outcomes = await Promise.allSettled([write(1), orphan(), write(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(seen()).toEqual([])
  await write(3)
  expect(seen()).toEqual([3])
})

it('deferred work runs in order before the commit, except for rolled-back turns', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const done: string[] = []
  const leave = async (name: string, isKept: boolean): Promise<void> => {
    const turn = await turns.take()
    turns.beforeCommit(() => done.push(`${name} before ${commits() + 1}`))
    turns.beforeCommit(() => done.push(`${name} again`))
    if (isKept) await turn.keep()
    else turn.undo()
  }
  await Promise.all([leave('a', true), leave('b', false), leave('c', true)])
  expect(done).toEqual(['a before 1', 'a again', 'c before 1', 'c again'])
  await leave('d', true)
  expect(done.slice(4)).toEqual(['d before 2', 'd again'])
})

it('failed deferred work rejects all turns of the commit', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const failing = async (): Promise<void> => {
    const turn = await turns.take()
    turns.beforeCommit(() => writer.prepare('insert into notes values (1)').run())
    await turn.keep()
  }
  const outcomes = await Promise.allSettled([write(1), failing()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await write(2)
  expect(seen()).toEqual([2])
})

it('a turn with much deferred work runs some of it itself', async () => {
  let done = 0
  const turn = await turns.take()
  for (let n = 0; n < 100; n++) turns.beforeCommit(() => done++)
  expect(done).toBe(64)
  await turn.keep()
  expect(done).toBe(100)
})
