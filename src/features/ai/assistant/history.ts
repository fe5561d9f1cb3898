import { isPrivate } from '../../../engine/mail/private-tag.ts'
import type { ModelMessage } from '../language-models.ts'
import { WITHHELD } from '../quoting.ts'
import type { Said, Step } from './conversations.ts'

/** How much of what was said before goes along. */
const MOST_LETTERS = 60_000
/** Of what tools found then, only so much: it can be looked up again. */
const OLD_RESULT = 2_000

type TagsOf = (emailId: number) => Promise<readonly string[]>

export const messagesOf = ({ text, calls, results }: Step): ModelMessage[] => [
  { role: 'assistant', text, calls },
  ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
]

const lettersOf = (message: ModelMessage): number =>
  message.role === 'tool'
    ? message.results.reduce((sum, { output }) => sum + output.length, 0)
    : message.text.length

/** A mail may have become private since it was read: then what is quoted of it is left out. */
const withhold = async (step: Step, tagsOf: TagsOf): Promise<Step> => {
  const results: Step['results'][number][] = []
  for (const result of step.results) {
    let isHidden = false
    for (const id of result.emails) isHidden ||= isPrivate(await tagsOf(id))
    results.push({ ...result, output: isHidden ? WITHHELD : result.output.slice(0, OLD_RESULT) })
  }
  return { ...step, results }
}

const recall = async (said: Said, tagsOf: TagsOf): Promise<ModelMessage[]> => {
  if (said.role === 'user') return [{ role: 'user', text: said.text }]
  if (said.isPrivate) return [{ role: 'assistant', text: WITHHELD, calls: [] }]
  if (said.steps.length === 0)
    return said.text === '' ? [] : [{ role: 'assistant', text: said.text, calls: [] }]
  const messages: ModelMessage[] = []
  for (const step of said.steps) {
    // A call whose result is missing would be refused by every provider.
    const isWhole = step.calls.every(({ id }) => step.results.some((result) => result.id === id))
    if (isWhole && (step.text !== '' || step.calls.length > 0))
      messages.push(...messagesOf(await withhold(step, tagsOf)))
  }
  return messages
}

/** What was said before, as a model gets to see it: the latest turns, as many as fit, each of them whole. */
export const recallHistory = async (history: readonly Said[], tagsOf: TagsOf): Promise<ModelMessage[]> => {
  const turns: ModelMessage[][] = []
  let letters = 0
  for (const said of history.toReversed()) {
    const messages = await recall(said, tagsOf)
    letters += messages.reduce((sum, message) => sum + lettersOf(message), 0)
    if (letters > MOST_LETTERS) break
    turns.push(messages)
  }
  const recalled = turns.reverse().flat()
  // Models expect the person to begin.
  const first = recalled.findIndex(({ role }) => role === 'user')
  return first < 0 ? [] : recalled.slice(first)
}
