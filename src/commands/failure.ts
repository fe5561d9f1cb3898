import { AppError } from '../platform/errors.ts'
import { BadVariable } from '../platform/variables.ts'
import { CommandError } from './command.ts'

const isMendable = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof BadVariable || error instanceof AppError

const chain = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...chain(error.cause)] : error === undefined ? [] : [String(error)]

/** One line for what a person can mend; everything there is for what they cannot. */
export const explainFailure = (error: unknown): string => {
  if (isMendable(error)) return `factotum: ${error.message}`
  if (error instanceof Error && error.cause !== undefined) return `factotum: ${chain(error).join(' ')}`
  return `factotum: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
