import Type from 'typebox'
import { near, says } from './commands.ts'
import { ChangedItem, unlessChanged } from './journal.ts'
import { privateError } from './privacy.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

const MAX_SUMMARY_LENGTH = 200
const CLOSE_VERBS = says({
  words: ['close|complete', near('check|tick|cross', 'off'), near('mark|set', 'done|kept|completed?')],
  stems: ['schließ|hak|erledig', near('markier', 'erledigt|gehalten')],
})
const DISMISS_VERBS = says({
  words: ['dismiss|ignore|drop|verwirf', near('mark', 'dismissed')],
  stems: ['verwerf|ignorier'],
})

/** Promises in mail: who promised what to whom, and until when. */
export const createCommitmentTools = ({ commitments, contracts, journal }: ToolDeps): Tool[] => {
  const recordClosed = journal.define(
    'commitment',
    'assistant.commitment_closed',
    Type.Object(ChangedItem),
    (left, _tx, userId) =>
      unlessChanged('promise', left, (etag) => commitments.change(userId, left.id, { status: 'open' }, etag)),
  )

  /** Throws if the promise is private and the result would go to a model. */
  const requireOpen = async (id: number, { userId, sendsToModel }: ToolUse): Promise<void> => {
    if (sendsToModel && (await commitments.isPrivate(userId, id))) throw privateError('promise')
  }

  return [
    defineTool(contracts.list_commitments, {
      async run({ limit = 20, status = 'open', ...search }, { userId, sendsToModel }) {
        const found = await commitments.search(userId, { ...search, status, limit })
        // The tags of a deleted email are unknown, so that its promises do not reach a model.
        const open = found.commitments.filter(
          ({ id, emailId }) => !sendsToModel || (emailId !== null && !found.privateIds.has(id)),
        )
        return {
          result: { commitments: open.map(({ version: _, extra: __, ...one }) => one), more: found.more },
          emails: open.flatMap(({ emailId }) => emailId ?? []),
          isPrivate: open.some(({ id }) => found.privateIds.has(id)),
        }
      },
    }),
    defineTool(contracts.close_commitment, {
      verbs: ({ status }) => [status === 'dismissed' ? DISMISS_VERBS : CLOSE_VERBS],
      async propose({ id }, use) {
        await requireOpen(id, use)
        const { text, person } = await commitments.get(use.userId, id)
        return {
          summary: getProposalTexts(use.language).closeCommitment(text.slice(0, MAX_SUMMARY_LENGTH)),
          about: null,
          target: { kind: 'commitment', id, titles: [text], people: [person] },
        }
      },
      async run({ id, status = 'done' }, use) {
        await requireOpen(id, use)
        return recordClosed(use.userId, async () => {
          const changed = await commitments.change(use.userId, id, { status }, undefined)
          const { version, extra: _, ...result } = changed
          return {
            result,
            summary: `Closed the promise “${result.text.slice(0, MAX_SUMMARY_LENGTH)}”`,
            payload: { id, version },
          }
        })
      },
    }),
  ]
}
