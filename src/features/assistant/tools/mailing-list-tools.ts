import Type from 'typebox'
import { conflict } from '../../../platform/errors.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool } from './tool.ts'

/** An unsubscribe request reaches other people, so the person confirms it first. */
export const createMailingListTools = ({ mailingLists, outbox, contracts, journal }: ToolDeps): Tool[] => {
  const recordSent = journal.define(
    'email',
    'assistant.email_unsubscribed',
    Type.Object({ id: Type.Integer() }),
    ({ id }, _tx, userId) => outbox.cancel(userId, id),
  )

  /** Returns the list and the recipient of the request. Throws if no request can be sent. */
  const findMethod = async (userId: number, emailId: number) => {
    const { name, id, refusal, ways } = await mailingLists.unsubscriber.methods(userId, emailId)
    if (refusal !== null) throw conflict(refusal)
    const way = ways.find(({ by }) => by !== 'page')
    if (!way) {
      const page = ways[0]?.url
      throw conflict(
        page
          ? `“${name || id}” can only be unsubscribed on its own page: ${page}`
          : `“${name || id}” offers no way to unsubscribe. Archive or delete its mail with a rule instead.`,
      )
    }
    return { list: name || id, by: way.by, to: way.to }
  }

  return [
    defineTool(contracts.list_mailing_lists, {
      async run({ limit = 50 }, { userId }) {
        const found = await mailingLists.list(userId, { limit })
        return { result: { mailingLists: found.mailingLists, more: found.nextCursor !== null } }
      },
    }),
    defineTool(contracts.unsubscribe, {
      async propose({ emailId }, { userId, language }) {
        const { list, to } = await findMethod(userId, emailId)
        return { summary: getProposalTexts(language).unsubscribe(list, to), about: null }
      },
      async run({ emailId }, { userId }) {
        const { list, by } = await findMethod(userId, emailId)
        if (by !== 'mail') return { result: await mailingLists.unsubscriber.leave(userId, emailId, { by }) }
        return recordSent(userId, async () => {
          const result = await mailingLists.unsubscriber.leave(userId, emailId, { by })
          if (result.emailId === null) throw conflict('The unsubscribe email was not stored. Try again.')
          return { result, summary: `Unsubscribed from “${list}”`, payload: { id: result.emailId } }
        })
      },
    }),
  ]
}
