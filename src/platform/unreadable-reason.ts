import { AppError } from './errors.ts'

/** Why a message could not be read or stored, for the person whose message it is. */
export const toUnreadableReason = (error: unknown): string => {
  if (error instanceof AppError) return error.message
  const isFromDatabase = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return isFromDatabase ? 'The database rejected its contents.' : 'The reader failed on its contents.'
}
