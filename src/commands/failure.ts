import { AppError } from '../platform/errors.ts'
import { BadVariable } from '../platform/variables.ts'
import { CommandError } from './command.ts'

const isFixable = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof BadVariable || error instanceof AppError

/**
 * Returns the message of an error. Some errors (a connection refused on every address) only contain other
 * errors.
 */
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

/** Formats one line for errors that the user can fix, and the full stack for others. */
export const explainFailure = (error: unknown): string => {
  if (isFixable(error)) return `factotum: ${error.message}`
  if (error instanceof Error && error.cause !== undefined) return `factotum: ${chain(error).join(' ')}`
  return `factotum: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
