import type { Db } from '../../database/db.ts'
import { readingIn } from '../../database/transaction.ts'
import { spellingsOf } from '../../database/used-tags.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import type { PreferenceRules } from '../settings/profile/preferences.ts'
import { listTasksOfEvents } from './block-store.ts'
import { createBriefedTasks } from './briefed-tasks.ts'
import { createTasksPart } from './data-part.ts'
import { tagKeyOf } from './fields.ts'
import { createTaskFigures } from './figures.ts'
import { createMailTasks } from './mail-tasks.ts'
import { planRoutes } from './plan-routes.ts'
import { createPlanning } from './planning.ts'
import { createQuickCapture } from './quick.ts'
import { quickRoutes } from './quick-routes.ts'
import { createTaskReminders } from './reminders.ts'
import { taskRoutes } from './routes.ts'
import { type TaskView, viewOf } from './shown-task.ts'
import { countCompleted, findNextReminder, listUsedTags } from './store.ts'
import { createTasks, type TasksDeps } from './tasks.ts'
import { createWholeDays } from './whole-days.ts'

/** As late as instants are written. */
const EVERMORE = '9999-12-31T23:59:59.999Z'

export const createTasksRoom = (
  { database, db, clock, changes, jobs }: Platform,
  needs: Pick<TasksDeps, 'origins'> &
    Pick<Parameters<typeof createPlanning>[0], 'agenda' | 'actions'> & {
      preferences: Pick<PreferenceRules, 'ofInstance' | 'accompany'>
    },
) => {
  const { preferences, origins, agenda, actions } = needs
  const days = createWholeDays({ changes, preferences })
  const reminders = createTaskReminders({ db, clock, changes, jobs, days })
  preferences.accompany(async (tx, habits) => {
    await days.settleAll(tx, habits)
    await reminders.arm(tx, await findNextReminder(tx))
  })
  const tasks = createTasks({ database, clock, changes, preferences, reminders, origins })
  const planning = createPlanning({ db, clock, preferences, agenda, actions })
  const doors: Door[] = [
    { prefix: '/api/tasks', routes: taskRoutes(tasks) },
    { prefix: '/api/tasks', routes: planRoutes(planning) },
    { prefix: '/api/tasks', routes: quickRoutes(createQuickCapture({ clock, preferences, tasks })) },
  ]
  return {
    ...{ tasks, part: createTasksPart({ reminders, days, habits: preferences.ofInstance }), doors },
    mailTasks: createMailTasks({ actions, tasks }),
    figures: createTaskFigures(db),
    briefed: createBriefedTasks(db),
    usedTags: async () => spellingsOf(await listUsedTags(db), tagKeyOf),
    /** The tasks that events are time set aside for, by event. */
    ofEvents: async (eventIds: readonly number[]): Promise<Map<number, TaskView>> =>
      new Map(
        (await listTasksOfEvents(readingIn(db), eventIds)).map(({ eventId, ...task }) => [
          eventId,
          viewOf(task),
        ]),
      ),
    /** How many have been completed since then. */
    countCompleted: async (view: Db, since: string): Promise<number> =>
      (await countCompleted(view, [{ from: since, to: EVERMORE }]))[0] ?? 0,
  }
}
