import type { Doubt } from './intent.ts'
import type { Draft, Request } from './request.ts'

/** Returns the reasons to confirm the reading of a request before anything is written. */
export const findDoubts = (_request: Request, _found: Draft): Doubt[] => []
