import { readMigrationState } from '../database/migrate.ts'
import { readArguments } from './arguments.ts'
import type { Command, CommandContext } from './command.ts'
import { activityCheck } from './doctor/activity.ts'
import { blobsCheck } from './doctor/blobs.ts'
import { calendarCheck } from './doctor/calendar.ts'
import { clockCheck } from './doctor/clock.ts'
import { consoleCheck } from './doctor/console.ts'
import { dataDirectoryCheck, diskCheck } from './doctor/data-directory.ts'
import { databaseCheck } from './doctor/database.ts'
import { type Check, type Finding, fail, type Patient } from './doctor/finding.ts'
import { jobsCheck } from './doctor/jobs.ts'
import { mailCheck } from './doctor/mail.ts'
import { nodeCheck } from './doctor/node.ts'
import { paymentsCheck } from './doctor/payments.ts'
import { providersCheck } from './doctor/providers.ts'
import { accessCheck, portCheck } from './doctor/reach.ts'
import { secretCheck } from './doctor/secret.ts'
import { checkSettings } from './doctor/settings.ts'
import { systemMailCheck } from './doctor/system-mail.ts'
import { messageOf } from './failure.ts'
import { hasDatabase, openOrExplain } from './instance.ts'

const usage = 'doctor'

/** In the order in which they are told. A room adds its own here. */
const CHECKS: readonly Check[] = [
  nodeCheck,
  databaseCheck,
  diskCheck,
  dataDirectoryCheck,
  blobsCheck,
  clockCheck,
  secretCheck,
  activityCheck,
  accessCheck,
  portCheck,
  jobsCheck,
  mailCheck,
  systemMailCheck,
  calendarCheck,
  providersCheck,
  paymentsCheck,
  consoleCheck,
]

const named = (what: string, parts: readonly Omit<Finding, 'what'>[]): Finding[] =>
  parts.map((part) => ({ what, ...part }))

const runCheck = async (check: Check, patient: Patient): Promise<Finding[]> => {
  try {
    return named(check.what, await check.run(patient))
  } catch (error) {
    return named(check.what, [fail(messageOf(error), 'the check itself failed: see to what it says')])
  }
}

/** Opens what is there, and makes nothing that is not. */
const openPatient = async (context: CommandContext): Promise<Patient> => {
  const { config } = context
  const nothing = { context, config, database: null, complaint: null, migration: null }
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
    return { ...nothing, complaint: messageOf(error) }
  }
}

const examine = async (context: CommandContext): Promise<Finding[]> => {
  const findings = named('settings', checkSettings(context))
  if (findings.some(({ level }) => level === 'FAIL')) return findings
  const patient = await openPatient(context)
  try {
    for (const check of CHECKS) findings.push(...(await runCheck(check, patient)))
  } finally {
    await patient.database?.close()
  }
  return findings
}

/** One line, whatever an error had to say. */
const inWords = ({ level, what, detail, remedy }: Finding): string =>
  `${level.padEnd(6)}${what.padEnd(10)}${detail.replace(/\s+/g, ' ')}${remedy === undefined ? '' : ` → ${remedy}`}`

export const doctor: Command = {
  usage,
  summary: 'Look for what is wrong, and say what to do',
  async run(context) {
    readArguments(context.args, { usage, options: {}, words: [] })
    const findings = await examine(context)
    for (const finding of findings) context.print(inWords(finding))
    return findings.some(({ level }) => level === 'FAIL') ? 1 : 0
  },
}
