import { AppError } from '../platform/errors.ts'
import { BadVariable } from '../platform/variables.ts'
import { CommandError } from './command.ts'

const isMendable = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof BadVariable || error instanceof AppError

/** What it says itself; some (a connection refused on every address) only have others inside that do. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.message === '' && error instanceof AggregateError) return messageOf(error.errors[0])
  return error.message
}

const chain = (error: unknown): string[] =>
  error instanceof Error
    ? [messageOf(error), ...chain(error.cause)]
    : error === undefined
      ? []
      : [String(error)]

/** One line for what a person can mend; everything there is for what they cannot. */
export const explainFailure = (error: unknown): string => {
  if (isMendable(error)) return `factotum: ${error.message}`
  if (error instanceof Error && error.cause !== undefined) return `factotum: ${chain(error).join(' ')}`
  return `factotum: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
