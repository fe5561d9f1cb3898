import Type from 'typebox'
import { conflict } from '../../../platform/errors.ts'
import { near, says } from './commands.ts'
import { ChangedItem, unlessChanged } from './journal.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

const MAX_QUOTE = 200
const TIMER = 'timer|stopwatch|clock|tracking|time|stoppuhr|zeit\\p{L}*'
const COMMENT_VERBS = says({
  words: ['comment', near('add|write|leave|post', 'comments?')],
  stems: ['kommentier', near('schreib|füg|hinterlass', 'kommentar')],
})
const START_VERBS = says({
  words: ['track', near('start|begin|run', TIMER)],
  stems: [near('start|beginn|erfass', TIMER)],
})
const STOP_VERBS = says({
  words: [near('stop|end|pause|halt', TIMER)],
  stems: [near('stopp|beend|halt', TIMER)],
})

const Contribution = { ...ChangedItem, taskId: Type.Integer() }

/** Comments on tasks, and the time that is spent on them. */
export const createTaskRecordTools = (deps: ToolDeps): Tool[] => {
  const { contracts, tasks, comments, timeEntries, journal, privacy } = deps
  /** Throws if the task is private and the result would go to a model. */
  const getTask = async (id: number, use: ToolUse) => {
    const task = await tasks.get(use.userId, id)
    await privacy.requireOpen('task', task, use)
    return task
  }
  const toTarget = ({ id, title }: { id: number; title: string }) => ({
    kind: 'task' as const,
    id,
    titles: [title],
    people: [],
  })
  const getRunning = async (userId: number) => {
    const [running] = (await timeEntries.listOwn(userId, { limit: 1, running: true })).timeEntries
    if (!running) throw conflict('No timer is running.')
    return running
  }

  const recordComment = journal.define(
    'comment',
    'assistant.comment_added',
    Type.Object(Contribution),
    (left, _tx, userId) => unlessChanged('comment', left, (etag) => comments.remove(userId, left, etag)),
  )
  const recordStart = journal.define(
    'timeEntry',
    'assistant.timer_started',
    Type.Object({ ...Contribution, stopped: Type.Optional(Type.Object(Contribution)) }),
    async ({ stopped, ...left }, _tx, userId) => {
      await unlessChanged('time entry', left, (etag) => timeEntries.remove(userId, left, etag))
      if (stopped)
        await unlessChanged('time entry', stopped, (etag) => timeEntries.resume(userId, stopped, etag))
    },
  )
  const recordStop = journal.define(
    'timeEntry',
    'assistant.timer_stopped',
    Type.Object(Contribution),
    (left, _tx, userId) =>
      unlessChanged('time entry', left, (etag) => timeEntries.resume(userId, left, etag)),
  )

  return [
    defineTool(contracts.list_task_comments, {
      async run({ id, limit = 20 }, use) {
        await getTask(id, use)
        const found = await comments.list(use.userId, id, { limit })
        return { result: { comments: found.comments.map(withoutVersion), more: found.nextCursor !== null } }
      },
    }),
    defineTool(contracts.add_task_comment, {
      verbs: () => [COMMENT_VERBS],
      needsConfirmation: ({ id }, { userId }) => comments.areShared(userId, id),
      async propose({ id, text }, use) {
        const task = await getTask(id, use)
        await tasks.requireEditor(use.userId, id)
        return {
          summary: getProposalTexts(use.language).comment(task.title, text.slice(0, MAX_QUOTE)),
          about: null,
          reachesOthers: await comments.areShared(use.userId, id),
          target: toTarget(task),
        }
      },
      run: ({ id, text }, use) =>
        recordComment(use.userId, async () => {
          const { title } = await getTask(id, use)
          const { version, ...result } = await comments.create(use.userId, id, { text })
          return {
            result,
            summary: `Commented on the task “${title}”`,
            payload: { id: result.id, taskId: id, version },
          }
        }),
    }),
    defineTool(contracts.start_timer, {
      verbs: () => [START_VERBS],
      async propose({ id }, use) {
        const task = await getTask(id, use)
        await tasks.requireEditor(use.userId, id)
        const summary = getProposalTexts(use.language).startTimer(task.title)
        return { summary, about: null, target: toTarget(task) }
      },
      run: ({ id }, use) =>
        recordStart(use.userId, async () => {
          const { title } = await getTask(id, use)
          const { version, stopped, ...entry } = await timeEntries.start(use.userId, id)
          return {
            result: { ...entry, stopped: stopped && withoutVersion(stopped) },
            summary: `Started the timer of “${title}”`,
            payload: { id: entry.id, taskId: id, version, ...(stopped && { stopped }) },
          }
        }),
    }),
    defineTool(contracts.stop_timer, {
      verbs: () => [STOP_VERBS],
      async propose(_input, { userId, language }) {
        const { taskTitle } = await getRunning(userId)
        const summary = getProposalTexts(language).stopTimer(taskTitle)
        // A person has one running timer, which the command need not name.
        return { summary, about: null, target: null }
      },
      run: (_input, { userId }) =>
        recordStop(userId, async () => {
          const { taskId, taskTitle } = await getRunning(userId)
          const { version, ...result } = await timeEntries.stop(userId, taskId)
          return {
            result,
            summary: `Stopped the timer of “${taskTitle}”`,
            payload: { id: result.id, taskId, version },
          }
        }),
    }),
  ]
}

const withoutVersion = <T extends object>(given: T): T => {
  const { version: _, ...rest } = given as T & { version?: number }
  return rest as unknown as T
}
