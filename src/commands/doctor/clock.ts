import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { randomId } from '../../platform/random.ts'
import { type Check, fail, ok, type Patient, warn } from './finding.ts'

const OFF_MS = 2_000
const FAR_OFF_MS = 30_000
const REMEDY = 'let a time service set the clocks: sign-in codes and sessions go by them'

const compare = (whose: string, theirsMs: number, oursMs: number) => {
  const byMs = theirsMs - oursMs
  const detail = `${whose} is ${(Math.abs(byMs) / 1000).toFixed(1)} s ${byMs < 0 ? 'behind' : 'ahead of'} this machine's clock`
  if (Math.abs(byMs) > FAR_OFF_MS) return fail(detail, REMEDY)
  if (Math.abs(byMs) > OFF_MS) return warn(detail, REMEDY)
  return ok(`${whose} and this machine's clock agree`)
}

/** A disk on another machine goes by that one's clock. */
const compareDisk = ({ context: { clock, random }, config }: Patient) => {
  if (!existsSync(config.dataDir)) return []
  const file = join(config.dataDir, `clock-${randomId(random)}.lock`)
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    return [compare('the disk', statSync(file).mtimeMs, clock.now().getTime())]
  } finally {
    rmSync(file, { force: true })
  }
}

const compareServer = async ({ context: { clock }, database }: Patient) => {
  if (database?.engine !== 'postgres') return []
  const before = clock.now().getTime()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(database.db)
  const between = (before + clock.now().getTime()) / 2
  return rows.map(({ at }) => compare("PostgreSQL's clock", at.getTime(), between))
}

/** What was written last cannot lie ahead: unless the clock was set back since. */
const compareHistory = async ({ context: { clock }, database, migration }: Patient) => {
  if (!database || !migration || migration.at === null) return []
  const last = await database.db
    .selectFrom('changes')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const aheadMs = last ? Date.parse(last.at) - clock.now().getTime() : 0
  return aheadMs > OFF_MS
    ? [
        warn(
          `the last change was made ${Math.round(aheadMs / 1000)} s from now: the clock was set back`,
          REMEDY,
        ),
      ]
    : []
}

export const clockCheck: Check = {
  what: 'clock',
  run: async (patient) => [
    ...compareDisk(patient),
    ...(await compareServer(patient)),
    ...(await compareHistory(patient)),
  ],
}
