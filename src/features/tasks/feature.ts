import type { Db } from '../../database/db.ts'
import { transactionOr } from '../../database/transaction.ts'
import { spellingsOf } from '../../database/used-tags.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { commentRoutes } from './comment-routes.ts'
import { Comments } from './comments.ts'
import { createTasksPart } from './data-part.ts'
import { TaskFilters } from './filters/filters.ts'
import { taskFilterRoutes } from './filters/routes.ts'
import { sectionRoutes, taskListRoutes } from './list-routes.ts'
import { TaskLists } from './lists.ts'
import { createMailTasks } from './mail-tasks.ts'
import { redactTask, TaskMembers } from './members.ts'
import { Planning } from './planner.ts'
import { createBriefedTasks, createTaskFigures, createTaskHistory } from './queries.ts'
import { createQuickCapture } from './quick.ts'
import { createTaskReminders } from './reminders.ts'
import { countCompleted, findNextReminder, listTasksOfEvents, listUsedTags } from './repository.ts'
import { createReservationTasks } from './reservation-tasks.ts'
import { planRoutes, quickRoutes, taskRoutes } from './routes.ts'
import { Sections } from './sections.ts'
import { Successors } from './successors.ts'
import { type Task, tagKeyOf, taskColumns } from './task.ts'
import { Tasks, type TasksDeps } from './tasks.ts'
import { taskTemplateRoutes } from './templates/routes.ts'
import { TaskTemplates } from './templates/templates.ts'
import { TimeEntries } from './time-entries.ts'
import { ownTimeEntryRoutes, timeEntryRoutes } from './time-entry-routes.ts'
import { Timers } from './timers.ts'
import { TaskTree } from './tree.ts'
import { createWholeDays } from './whole-days.ts'
import { TaskWriter } from './writer.ts'

/** The latest instant that can be stored. */
const LATEST = '9999-12-31T23:59:59.999Z'

export const createTasksFeature = (
  platform: Platform,
  needs: Pick<TasksDeps, 'origins' | 'sharing'> &
    Pick<ConstructorParameters<typeof Planning>[0], 'agenda' | 'actions'> & {
      preferences: Pick<PreferenceRules, 'get' | 'accompany'>
    },
) => {
  const { db } = platform
  const { preferences, origins, sharing, agenda, actions } = needs
  const days = createWholeDays({ ...platform, preferences })
  const reminders = createTaskReminders({ ...platform, days })
  preferences.accompany(async (tx, userId, habits) => {
    await days.recalculate(tx, userId, habits)
    await reminders.arm(tx, await findNextReminder(tx))
  })
  const lists = new TaskLists({ ...platform, sharing })
  const timers = new Timers(platform)
  const members = new TaskMembers({ ...platform, sharing, lists, reminders, timers })
  sharing.define('taskList', {
    find: (view, userId, id) => lists.findShareable(view, userId, id),
    placeOf: ({ data }) => data.listId,
    redact: redactTask,
    toRemoval: ({ userId, subject }, listId) => ({
      userId,
      type: 'task.deleted',
      subject,
      data: { id: Number(subject), listId, deleted: true },
    }),
    ended: (tx, share) => members.shareEnded(tx, share),
  })
  const writer = new TaskWriter({ ...platform, reminders })
  const tree = new TaskTree(platform)
  const filters = new TaskFilters({ ...platform, preferences, sharing })
  const tasks = new Tasks({
    ...platform,
    preferences,
    filters,
    reminders,
    origins,
    sharing,
    members,
    writer,
    tree,
    timers,
    successors: new Successors({ ...platform, preferences, writer, tree }),
  })
  const sections = new Sections({ ...platform, sharing })
  const comments = new Comments({ ...platform, members, sharing })
  const timeEntries = new TimeEntries({ ...platform, members, timers, preferences })
  const templates = new TaskTemplates({ ...platform, preferences, actions, tasks, members, tree, writer })
  const quick = createQuickCapture({ ...platform, preferences, tasks, sections, lists })
  const planning = new Planning({ ...platform, preferences, agenda, actions })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/tasks', plugin: taskRoutes(tasks) },
    { prefix: '/api/tasks', plugin: planRoutes(planning) },
    { prefix: '/api/tasks', plugin: quickRoutes(quick) },
    { prefix: '/api/tasks', plugin: commentRoutes(comments) },
    { prefix: '/api/tasks', plugin: timeEntryRoutes(timeEntries) },
    { prefix: '/api/time-entries', plugin: ownTimeEntryRoutes(timeEntries) },
    { prefix: '/api/task-lists', plugin: taskListRoutes(lists) },
    { prefix: '/api/task-lists', plugin: sectionRoutes(sections) },
    { prefix: '/api/task-filters', plugin: taskFilterRoutes(filters) },
    { prefix: '/api/task-templates', plugin: taskTemplateRoutes(templates) },
  ]
  return {
    tasks,
    lists,
    sections,
    comments,
    timeEntries,
    planning,
    part: createTasksPart({ reminders, days, lists, timers, habitsOf: preferences.get }),
    routes,
    mailTasks: createMailTasks({ actions, tasks }),
    reservationTasks: createReservationTasks({ actions, tasks, hasEmail: origins.hasEmail }),
    figures: createTaskFigures(db),
    history: createTaskHistory(db),
    briefed: createBriefedTasks(db),
    usedTags: async (userId: number) => spellingsOf(await listUsedTags(db, userId), tagKeyOf),
    /** Maps each event to the task that it reserves time for. */
    ofEvents: async (userId: number, eventIds: readonly number[]): Promise<Map<number, Task>> =>
      new Map(
        (await listTasksOfEvents(transactionOr(db), userId, eventIds)).map((row) => [
          row.blockEventId,
          taskColumns.fromRow(row),
        ]),
      ),
    /** Counts tasks completed since `since`. */
    countCompleted: async (view: Db, userId: number, since: string): Promise<number> =>
      (await countCompleted(view, userId, [{ from: since, to: LATEST }]))[0] ?? 0,
  }
}
