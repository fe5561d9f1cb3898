import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflictsIn } from './conflicts.ts'
import { type CorrespondenceDeps, createCorrespondence } from './correspondence.ts'
import { dayOf, type Habits, workingDayOf } from './day.ts'
import type { EventSource, MailSource, TaskSource } from './sources.ts'
import { createWords, type Told } from './words.ts'

export interface BriefingDeps {
  clock: Clock
  habits: () => Promise<Habits>
  events: EventSource
  tasks: TaskSource
  mail: MailSource
  ownAddresses: CorrespondenceDeps['ownAddresses']
  analyzeMail: CorrespondenceDeps['analyzeMail']
}

/** A token hears what its scopes cover; a person hears all. */
const mayHear = (caller: Caller, scope: Scope): boolean =>
  caller.kind !== 'token' || covers(caller.scopes, scope)

export type Briefing = ReturnType<typeof createBriefing>

/** A person's day, over all rooms. */
export const createBriefing = (deps: BriefingDeps) => {
  const { clock, habits, events, tasks, mail, ownAddresses, analyzeMail } = deps
  const correspondence = createCorrespondence({ source: mail, ownAddresses, analyzeMail })
  return {
    async of(caller: Caller, date: string | undefined) {
      const now = clock.now()
      const ways = await habits()
      const day = dayOf(date, now, ways)
      const taking = mayHear(caller, 'calendar:read') ? await events(day) : undefined
      const { isMore, ...work } = mayHear(caller, 'tasks:read') ? await tasks(day) : {}
      const post = mayHear(caller, 'mail:read')
        ? await correspondence(day, now.toISOString(), ways.timezone)
        : undefined
      const told: Told = {
        ...(taking && { events: taking, conflicts: conflictsIn(taking) }),
        ...work,
        ...post,
      }
      const words = createWords(ways.timezone, day)
      return {
        ...{ date: day.date, timezone: ways.timezone, generatedAt: now.toISOString(), isToday: day.isToday },
        isEmpty: Object.values(told).every((list) => list.length === 0),
        ...{ summary: words.summary(told, isMore), text: words.text(told) },
        ...(taking && { workingDay: workingDayOf(day, ways, taking) }),
        ...told,
      }
    },
  }
}
