import type { Db } from '../../database/db.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { listActivity } from './activity-store.ts'
import { networkOf } from './network.ts'

const REMEMBERED_MS = 90 * 86_400_000
const MOST = 500
/** Who has just registered knows that it was them. */
const JUST_MS = 60_000

/** The program and its system; its version changes every few weeks. */
const programOf = (userAgent: string): string => userAgent.replace(/[\d._]+/g, '')

/** The network and program of a visit, as far as they are compared. */
export const visitKeyOf = ({ ip, userAgent }: Visit): string => `${networkOf(ip)} ${programOf(userAgent)}`

export const createFamiliarVisits = ({ clock }: { clock: Clock }) => {
  /** Whether the person has signed in from this network with this program before. */
  const hasVisited = async (db: Db, userId: number, visit: Visit): Promise<boolean> => {
    const since = new Date(clock.now().getTime() - REMEMBERED_MS).toISOString()
    const before = await listActivity(db, userId, { action: 'session.started', since }, undefined, MOST)
    return before.some((earlier) => visitKeyOf(earlier) === visitKeyOf(visit))
  }

  /** Whether a sign-in is nothing to notify the person of. */
  const isFamiliar = async (
    tx: Db,
    user: { id: number; createdAt: string },
    visit: Visit,
  ): Promise<boolean> => {
    const isJustRegistered = clock.now().getTime() - Date.parse(user.createdAt) < JUST_MS
    return isJustRegistered || hasVisited(tx, user.id, visit)
  }

  return { hasVisited, isFamiliar }
}

type FamiliarVisits = ReturnType<typeof createFamiliarVisits>
export type HasVisited = FamiliarVisits['hasVisited']
export type IsFamiliar = FamiliarVisits['isFamiliar']
