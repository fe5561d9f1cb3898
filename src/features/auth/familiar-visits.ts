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

/** Whether a person has come this way before: with the same program, from the same network. */
export const createFamiliarVisits =
  ({ clock }: { clock: Clock }) =>
  async (tx: Db, user: { id: number; createdAt: string }, visit: Visit): Promise<boolean> => {
    const now = clock.now().getTime()
    if (now - Date.parse(user.createdAt) < JUST_MS) return true
    const since = new Date(now - REMEMBERED_MS).toISOString()
    const before = await listActivity(tx, user.id, { action: 'session.started', since }, undefined, MOST)
    return before.some(
      ({ ip, userAgent }) =>
        networkOf(ip) === networkOf(visit.ip) && programOf(userAgent) === programOf(visit.userAgent),
    )
  }

export type IsFamiliar = ReturnType<typeof createFamiliarVisits>
