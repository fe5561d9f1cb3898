import Type from 'typebox'
import { userIdOf } from '../../../platform/access/caller.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Commitments } from '../../commitments/commitments.ts'
import { near, says } from './commands.ts'
import type { ToolContracts } from './contracts.ts'
import type { Journal } from './journal.ts'
import { ChangedItem, defineTool, getProposalTexts, type Tool, type ToolUse, unlessChanged } from './tool.ts'

const MAX_SUMMARY_LENGTH = 200
const CLOSE_VERBS = says({
  words: ['close', 'complete', near('check|tick|cross', 'off'), near('mark|set', 'done|kept|completed?')],
  stems: ['schließ', 'hak', 'erledig', near('markier', 'erledigt|gehalten')],
})
const DISMISS_VERBS = says({
  words: ['dismiss', 'ignore', 'drop', 'verwirf', near('mark', 'dismissed')],
  stems: ['verwerf', 'ignorier'],
})

/** Promises in mail: who promised what to whom, and until when. */
export const createCommitmentTools = ({
  commitments,
  contracts,
  journal,
}: {
  commitments: Pick<Commitments, 'search' | 'get' | 'change' | 'isPrivate'>
  contracts: ToolContracts
  journal: Journal
}): Tool[] => {
  const recordClosed = journal.define(
    'commitment',
    'assistant.commitment_closed',
    Type.Object(ChangedItem),
    (left, _tx, userId) =>
      unlessChanged('promise', left, (etag) => commitments.change(userId, left.id, { status: 'open' }, etag)),
  )

  /** Throws if the promise is private and the result would go to a model. */
  const requireOpen = async (id: number, { caller, sendsToModel }: ToolUse): Promise<void> => {
    if (sendsToModel && (await commitments.isPrivate(userIdOf(caller), id)))
      throw new AppError(
        'forbidden',
        'forbidden',
        'This promise is private and must not be sent to a language model.',
      )
  }

  return [
    defineTool(contracts.list_commitments, {
      async run({ limit = 20, status = 'open', ...search }, { caller, sendsToModel }) {
        const found = await commitments.search(userIdOf(caller), { ...search, status, limit })
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
        const { text, person } = await commitments.get(userIdOf(use.caller), id)
        return {
          summary: getProposalTexts(use.language).closeCommitment(text.slice(0, MAX_SUMMARY_LENGTH)),
          about: null,
          target: { kind: 'commitment', id, titles: [text], people: [person] },
        }
      },
      async run({ id, status = 'done' }, use) {
        const userId = userIdOf(use.caller)
        await requireOpen(id, use)
        return recordClosed(userId, async () => {
          const { version, extra: _, ...result } = await commitments.change(userId, id, { status }, undefined)
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
