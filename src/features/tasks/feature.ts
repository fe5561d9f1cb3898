import type { Db } from '../../database/db.ts'
import { readingIn } from '../../database/transaction.ts'
import { spellingsOf } from '../../database/used-tags.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { createTasksPart } from './data-part.ts'
import { createMailTasks } from './mail-tasks.ts'
import { Planning } from './planner.ts'
import { createBriefedTasks, createTaskFigures } from './queries.ts'
import { createQuickCapture } from './quick.ts'
import { createTaskReminders } from './reminders.ts'
import { countCompleted, findNextReminder, listTasksOfEvents, listUsedTags } from './repository.ts'
import { planRoutes, quickRoutes, taskRoutes } from './routes.ts'
import { type Task, tagKeyOf, taskColumns } from './task.ts'
import { Tasks, type TasksDeps } from './tasks.ts'
import { createWholeDays } from './whole-days.ts'

/** The latest instant that can be stored. */
const LATEST = '9999-12-31T23:59:59.999Z'

export const createTasksFeature = (
  { database, db, clock, changes, jobs }: Platform,
  needs: Pick<TasksDeps, 'origins'> &
    Pick<ConstructorParameters<typeof Planning>[0], 'agenda' | 'actions'> & {
      preferences: Pick<PreferenceRules, 'ofInstance' | 'accompany'>
    },
) => {
  const { preferences, origins, agenda, actions } = needs
  const days = createWholeDays({ changes, preferences })
  const reminders = createTaskReminders({ db, clock, changes, jobs, days })
  preferences.accompany(async (tx, habits) => {
    await days.recalculateAll(tx, habits)
    await reminders.arm(tx, await findNextReminder(tx))
  })
  const tasks = new Tasks({ database, clock, changes, preferences, reminders, origins })
  const planning = new Planning({ db, clock, preferences, agenda, actions })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/tasks', plugin: taskRoutes(tasks) },
    { prefix: '/api/tasks', plugin: planRoutes(planning) },
    { prefix: '/api/tasks', plugin: quickRoutes(createQuickCapture({ clock, preferences, tasks })) },
  ]
  return {
    tasks,
    part: createTasksPart({ reminders, days, habits: preferences.ofInstance }),
    routes,
    mailTasks: createMailTasks({ actions, tasks }),
    figures: createTaskFigures(db),
    briefed: createBriefedTasks(db),
    usedTags: async () => spellingsOf(await listUsedTags(db), tagKeyOf),
    /** Maps each event to the task that it reserves time for. */
    ofEvents: async (eventIds: readonly number[]): Promise<Map<number, Task>> =>
      new Map(
        (await listTasksOfEvents(readingIn(db), eventIds)).map((row) => [
          row.blockEventId,
          taskColumns.fromRow(row),
        ]),
      ),
    /** Counts tasks completed since `since`. */
    countCompleted: async (view: Db, since: string): Promise<number> =>
      (await countCompleted(view, [{ from: since, to: LATEST }]))[0] ?? 0,
  }
}
