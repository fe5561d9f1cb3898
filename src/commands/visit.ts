import type { Visit } from '../platform/access/visit.ts'

/** What the list of activity says of whatever the operator did here. */
export const fromHere: Visit = { ip: 'local', userAgent: 'factotum command line' }
