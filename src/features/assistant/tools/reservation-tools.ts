import { readInstant } from '../../../platform/time.ts'
import { startOfDay, toWall } from '../../../recurrence/time-zones.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool } from './tool.ts'

/** Lists what emails say about trips, stays, parcels and invoices. */
export const createReservationTools = (deps: ToolDeps): Tool[] => {
  const { contracts, clock, listKnownReservations, privacy, zoneOf } = deps
  return [
    defineTool(contracts.list_reservations, {
      async run({ from, to, limit = 20, ...filters }, { userId, sendsToModel, language }) {
        const timezone = await zoneOf(userId)
        const today = new Date(toWall(clock.now().getTime(), timezone)).toISOString().slice(0, 10)
        const found = await listKnownReservations(userId, {
          ...filters,
          language,
          limit,
          from: from
            ? readInstant('from', from, timezone)
            : new Date(startOfDay(today, timezone)).toISOString(),
          to: to && readInstant('to', to, timezone),
        })
        const hidden = await privacy.emails(
          userId,
          found.reservations.map(({ email }) => email.id),
        )
        const visible = found.reservations.filter(({ email }) => !sendsToModel || !hidden.has(email.id))
        return {
          result: { reservations: visible, more: found.more },
          emails: visible.map(({ email }) => email.id),
          isPrivate: visible.some(({ email }) => hidden.has(email.id)),
        }
      },
    }),
  ]
}
