import { readMigrationState } from '../database/migrate.ts'
import { type Command, type CommandContext, messageOf, readArguments } from './command.ts'
import { backupsCheck } from './doctor/checks-backups.ts'
import { blobsCheck, bucketCheck } from './doctor/checks-blobs.ts'
import { davCheck } from './doctor/checks-dav.ts'
import {
  activityCheck,
  type Check,
  checkSettings,
  clockCheck,
  consoleCheck,
  databaseCheck,
  dataDirectoryCheck,
  diskCheck,
  type Finding,
  fail,
  type InspectedInstance,
  jobsCheck,
  nodeCheck,
  secretCheck,
} from './doctor/checks-instance.ts'
import {
  addressCheck,
  overdueJobsCheck,
  poolCheck,
  poolerCheck,
  timeZoneCheck,
} from './doctor/checks-operation.ts'
import {
  accessCheck,
  calendarCheck,
  mailCheck,
  paymentsCheck,
  portCheck,
  providersCheck,
  systemMailCheck,
} from './doctor/checks-services.ts'
import { migrationsCheck } from './doctor/migrations.ts'
import { hasDatabase, openOrExplain } from './instance.ts'

const usage = 'doctor [--json]'
const options = { json: { type: 'boolean', default: false } } as const

/** In the order of the output. A new feature adds its check here. */
const CHECKS: readonly Check[] = [
  nodeCheck,
  poolerCheck,
  databaseCheck,
  migrationsCheck,
  poolCheck,
  diskCheck,
  dataDirectoryCheck,
  blobsCheck,
  bucketCheck,
  clockCheck,
  timeZoneCheck,
  secretCheck,
  activityCheck,
  accessCheck,
  portCheck,
  addressCheck,
  davCheck,
  jobsCheck,
  overdueJobsCheck,
  backupsCheck,
  mailCheck,
  systemMailCheck,
  calendarCheck,
  providersCheck,
  paymentsCheck,
  consoleCheck,
]

const named = (what: string, parts: readonly Omit<Finding, 'what'>[]): Finding[] =>
  parts.map((part) => ({ what, ...part }))

const runCheck = async (check: Check, instance: InspectedInstance): Promise<Finding[]> => {
  try {
    return named(check.what, await check.run(instance))
  } catch (error) {
    return named(check.what, [fail(messageOf(error), 'the check itself failed: fix the reported error')])
  }
}

/** Opens existing resources and creates none. */
const openInstance = async (context: CommandContext): Promise<InspectedInstance> => {
  const { config } = context
  const nothing = { context, config, database: null, databaseError: null, migration: null }
  if (!hasDatabase(config)) return nothing
  try {
    const database = await openOrExplain(context)
    try {
      return { ...nothing, database, migration: await readMigrationState(database) }
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    return { ...nothing, databaseError: messageOf(error) }
  }
}

const examine = async (context: CommandContext): Promise<Finding[]> => {
  const findings = named('settings', checkSettings(context))
  if (findings.some(({ level }) => level === 'FAIL')) return findings
  const instance = await openInstance(context)
  try {
    for (const check of CHECKS) findings.push(...(await runCheck(check, instance)))
  } finally {
    await instance.database?.close()
  }
  return findings
}

/** Formats a finding as one line. */
const formatFinding = ({ level, what, detail, remedy }: Finding): string =>
  `${level.padEnd(6)}${what.padEnd(10)}${detail.replace(/\s+/g, ' ')}${remedy === undefined ? '' : ` → ${remedy}`}`

/** For programs: levels in lower case, and a remedy that is always present. */
const toJson = ({
  level,
  what,
  detail,
  remedy = null,
}: Omit<Finding, 'remedy'> & { remedy?: string | null }) => ({
  level: level.toLowerCase(),
  what,
  detail,
  remedy,
})

export const doctor: Command = {
  usage,
  summary: 'Check the instance for problems, with advice',
  async run(context) {
    const { json } = readArguments(context.args, { usage, options, words: [] }).values
    const findings = await examine(context)
    const hasFailed = findings.some(({ level }) => level === 'FAIL')
    if (json) context.print(JSON.stringify({ ok: !hasFailed, findings: findings.map(toJson) }, null, 2))
    else for (const finding of findings) context.print(formatFinding(finding))
    return hasFailed ? 1 : 0
  },
}
