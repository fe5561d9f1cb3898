import { Cron } from 'croner'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { compileChecker } from '../checker.ts'
import { type AppError, invalid } from '../errors.ts'
import type { JobContext, JobDefinition } from './jobs.ts'

/** What pg-boss takes as the name of a queue, without the letters that look alike. */
const NAME = /^[a-z0-9]+([.-][a-z0-9]+)*$/
const SHORTEST_LEASE_SECONDS = 10

/** When a schedule ticks next after an instant, both in milliseconds. */
export type NextTick = (after: number) => number

/** A definition with its defaults filled in; payloads go in checked, as JSON, and come out the same way. */
export interface KnownJob {
  readonly name: string
  readonly retries: number
  readonly backoffSeconds: number
  readonly leaseSeconds: number
  readonly schedule: NextTick | null
  encode(payload: unknown): string
  run(payload: string, context: JobContext): Promise<void>
}

const misfit = (name: string, validator: Validator, payload: unknown): AppError => {
  const errors = validator
    .Errors(payload)
    .map(({ instancePath, message }) => ({ path: instancePath, message }))
  const first = errors[0]
  const reason = first ? `${first.path || 'it'} ${first.message}` : 'it is not of the kind expected'
  return invalid(`The payload does not fit the job ${name}: ${reason}.`, errors)
}

const readSchedule = (name: string, pattern: string): NextTick => {
  // An offset is reckoned with; the name of a zone, even this one, would be looked up in all the calendars of Intl.
  const read = (): Cron => new Cron(pattern, { utcOffset: 0 })
  try {
    read()
  } catch (error) {
    throw new Error(`The schedule of the job ${name} is not valid: ${pattern}`, { cause: error })
  }
  // Read anew for each tick: what croner makes of a pattern is a table of ten thousand years.
  return (after) => read().nextRun(new Date(after))?.getTime() ?? Infinity
}

const know = <S extends TSchema>(job: JobDefinition<S>): KnownJob => {
  let validator: Validator | undefined
  const check = (payload: unknown, text: string | undefined): void => {
    // Of what has a schedule nothing is required, so this fits: an instance at rest never loads the compiler for it.
    if (job.schedule !== undefined && text === '{}') return
    validator ??= compileChecker(job.payload) as Validator
    if (!validator.Check(payload)) throw misfit(job.name, validator, payload)
  }
  const { name, retries = 5, backoffSeconds = 10, leaseSeconds = 60 } = job
  if (!NAME.test(name)) throw new Error(`A job cannot be named ${name}.`)
  if (!Number.isInteger(leaseSeconds) || leaseSeconds < SHORTEST_LEASE_SECONDS)
    throw new Error(`The job ${name} needs a lease of whole seconds, ${SHORTEST_LEASE_SECONDS} at least.`)
  if (job.schedule !== undefined && (job.payload as { required?: string[] }).required?.length)
    throw new Error(`The job ${name} has a schedule, so its payload is {}: nothing of it may be required.`)
  return {
    name,
    retries,
    backoffSeconds,
    leaseSeconds,
    schedule: job.schedule === undefined ? null : readSchedule(name, job.schedule),
    encode(payload) {
      const text: string | undefined = JSON.stringify(payload)
      // What is checked is what will be read back: JSON drops and changes some values.
      check(text === undefined ? undefined : JSON.parse(text), text)
      return text as string
    },
    async run(text, context) {
      const payload: unknown = JSON.parse(text)
      check(payload, text)
      await job.run(payload as Parameters<typeof job.run>[0], context)
    },
  }
}

export const createDefinitions = () => {
  const known = new Map<string, KnownJob>()
  let closed = false
  return {
    add<S extends TSchema>(job: JobDefinition<S>): void {
      if (closed) throw new Error(`The job ${job.name} was defined after the start.`)
      if (known.has(job.name)) throw new Error(`The job ${job.name} is defined twice.`)
      known.set(job.name, know(job))
    },
    get(name: string): KnownJob {
      const job = known.get(name)
      if (!job) throw invalid(`There is no job named ${name}.`)
      return job
    },
    /** All of them; from here on there will be no others. */
    close(): readonly KnownJob[] {
      closed = true
      return [...known.values()]
    },
  }
}
