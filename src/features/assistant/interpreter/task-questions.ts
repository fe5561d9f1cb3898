import { nameSameThing } from '../../../nlu/requests/mentions.ts'
import { type Question, readPeriods } from '../../../nlu/requests/questions.ts'
import { hasPhrase, isInTime } from '../../../nlu/requests/sentence.ts'
import type { Answer } from './contacts.ts'
import { DAY_MS, type InterpreterContext } from './context.ts'
import { getKnownTexts } from './known-words.ts'
import { toItems } from './memory.ts'
import { describeTask, type Task } from './tasks.ts'

/* Answers questions about tasks of a list, or without a due date, with all their conditions. */

const MAX_TASKS = 50
/** The words of conditions and of tasks. Other words are said to be unused. */
const CONDITIONS = ['task', 'list', 'priority', 'high', 'urgent', 'low', 'done', 'small', 'courtesy'] as const
const LIST = /list(?:e|en|s)?(?!\p{L})/iu

type Condition = (task: Task) => boolean

const readPriority = ({ sentence }: Question): Condition | undefined => {
  if (hasPhrase(sentence, 'low')) return ({ priority }) => priority === 'low'
  return hasPhrase(sentence, 'priority', 'high', 'urgent')
    ? ({ priority }) => priority === 'high' || priority === 'urgent'
    : undefined
}

/** The due day, as days since 1970. */
const dayOf = ({ wall }: InterpreterContext, { dueAt, dueDay }: Task): number | undefined => {
  if (dueDay) return Date.parse(dueDay) / DAY_MS
  return dueAt ? Math.floor(wall(dueAt) / DAY_MS) : undefined
}

const readPeriodConditions = (context: InterpreterContext, { sentence }: Question): Condition[] =>
  readPeriods(sentence).map(({ first, last }) => (task) => {
    const day = dayOf(context, task)
    return day !== undefined && day >= first && day <= last
  })

/** Answers a question about tasks. Returns undefined for one that has neither a list nor "no date". */
export const answerTaskQuestion = async (
  context: InterpreterContext,
  question: Question,
): Promise<Answer | undefined> => {
  const { sentence, names, has, isAsking } = question
  const isAboutList = LIST.test(sentence.text)
  const isCondition = has('no_date', 'overdue') && hasPhrase(sentence, 'task')
  if (!isAsking || !(isAboutList || isCondition)) return undefined
  const { lookUp, formatList, texts } = context
  const lists = isAboutList ? ((await lookUp('list_task_lists', {}))?.taskLists ?? []) : []
  const words = sentence.tokens.flatMap(({ folded }, at) => (folded.length > 2 ? { folded, at } : []))
  const list = lists.find(({ name }) => words.some(({ folded }) => nameSameThing(folded, name)))
  if (!list && (!isCondition || has('how_many'))) return undefined
  const status = has('overdue') ? 'overdue' : hasPhrase(sentence, 'done') ? 'done' : 'open'
  const found = await context.callReadTool('list_tasks', { status, limit: MAX_TASKS })
  const conditions: readonly (Condition | undefined)[] = [
    list && (({ listId }) => listId === list.id),
    has('no_date') ? ({ dueAt, dueDay }) => dueAt === null && dueDay === null : undefined,
    readPriority(question),
    ...readPeriodConditions(context, question),
  ]
  const tasks = found.tasks.filter((task) => conditions.every((one) => one?.(task) ?? true))
  const known = new Set(
    sentence.phrases
      .filter(({ category }) => CONDITIONS.some((one) => one === category))
      .flatMap(({ at }) => at),
  )
  const unused = names
    .filter((at) => !known.has(at))
    .map((at) => sentence.tokens[at])
    .filter(
      (token) =>
        token &&
        !isInTime(sentence, token) &&
        !LIST.test(token.text) &&
        !(list && nameSameThing(token.folded, list.name)),
    )
    .map((token) => token?.text)
  context.exchange.listedItems = toItems('task', tasks)
  const text = formatList(
    tasks.map((task) => describeTask(context, task)),
    texts.nothing.tasks,
    found.more,
  )
  const heading = list ? `${texts.details.list(list.name)}:\n` : ''
  const note = unused.length > 0 ? `\n\n${getKnownTexts(context).unused(unused.join(' '))}` : ''
  const count = has('how_many') ? `${tasks.length}\n` : ''
  return { text: `${count}${heading}${text}${note}`, isFound: true }
}
