import { createHash } from 'node:crypto'
import type { Entry, Told } from './entry.ts'

const MARK = '~dup-'
const SUFFIX = /~dup-[0-9a-f]{12}$/

/**
 * The UID under which a second event with the same UID is kept. RFC 4791, 4.1 forbids two in one calendar; servers and
 * published files hold them all the same. `distinction` has to stay the same from one sync to the next.
 */
export const duplicateUid = (uid: string, distinction: string): string =>
  `${uid}${MARK}${createHash('sha256').update(distinction).digest('hex').slice(0, 12)}`

/** Where the UIDs of its duplicates lie in an index. */
export const duplicateRange = (uid: string): { from: string; until: string } => ({
  from: `${uid}${MARK}`,
  until: `${uid}${MARK}g`,
})

/** The UID that the server knows. */
export const originalUid = (uid: string): string => uid.replace(SUFFIX, '')

/** What an event says, without what programs write anew each time. */
export const contentOf = (entry: Omit<Entry, 'start' | 'end' | 'allDay' | 'timezone'>): string => {
  const { uid: _, sequence: __, revisedAt: ___, extra: ____, ...said } = entry
  return JSON.stringify(said)
}

type Revision = Pick<Entry, 'sequence' | 'revisedAt'>

/** RFC 5546, 2.1.5. */
export const isLaterRevision = (a: Revision, b: Revision): boolean =>
  a.sequence > b.sequence || (a.sequence === b.sequence && (a.revisedAt ?? '') > (b.revisedAt ?? ''))

/** RFC 5546: messages about an event name its UID again, and are no second event. */
const MAKING = [null, 'PUBLISH', 'REQUEST']

export const withUid = <T extends Told>(told: T, uid: string): T => ({
  ...told,
  entry: { ...told.entry, uid },
})

const SEPARATE = 'Another event in this file has the same UID. It was kept as a separate event.'
const SUPERSEDED = 'Another event in this file has the same UID and a higher SEQUENCE.'

/**
 * Recognises a second event with one UID in a file. A later revision replaces the first; one that is as new and says
 * something else becomes an event of its own.
 */
export const createDuplicateCheck = () => {
  const seen = new Map<string, { sequence: number; content: string }>()
  return <T extends Told>(told: T): { told: T; warning?: string } | { reason: string } => {
    const { uid, sequence, recurrenceId } = told.entry
    if (recurrenceId !== null || !MAKING.includes(told.method)) return { told }
    const content = contentOf(told.entry)
    const first = seen.get(uid)
    if (first === undefined || sequence > first.sequence) {
      seen.set(uid, { sequence, content })
      return { told }
    }
    if (content === first.content) return { told }
    if (sequence < first.sequence) return { reason: SUPERSEDED }
    return { told: withUid(told, duplicateUid(uid, content)), warning: SEPARATE }
  }
}
