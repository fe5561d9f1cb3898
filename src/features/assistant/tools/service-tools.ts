import { tokenIdOf } from '../../../platform/access/caller.ts'
import { invalidField } from '../../../platform/errors.ts'
import { says } from './commands.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool } from './tool.ts'

const SYNC_VERBS = says({
  words: ['sync|synchroni[sz]e|refresh|fetch|update'],
  stems: ['synchronisier|aktualisier|hol|ruf|gleich'],
})
const REQUEST_TIMEOUT_MS = 60_000
const AUDIT_TIMEOUT_MS = 120_000

export const createBookingTools = ({ contracts, bookings, events, privacy }: ToolDeps): Tool[] => [
  defineTool(contracts.list_bookings, {
    async run({ limit = 50, ...window }, use) {
      const found = await events.list(use.userId, { ...window, limit, source: 'bookingsvc' })
      const { visible, hasPrivate } = await privacy.filter('event', found.events, use)
      return {
        result: { bookings: visible, more: found.nextCursor !== null },
        isPrivate: !use.sendsToModel && hasPrivate,
      }
    },
  }),
  defineTool(contracts.list_booking_types, {
    run: async (_input, { userId }) => ({
      result: {
        eventTypes: await bookings.eventTypes(userId, AbortSignal.timeout(REQUEST_TIMEOUT_MS)),
      },
    }),
  }),
  defineTool(contracts.sync_bookings, {
    verbs: () => [SYNC_VERBS],
    propose: async (_input, { language }) => ({
      summary: getProposalTexts(language).syncBookings,
      about: null,
      target: null,
    }),
    run: async (_input, { userId }) => ({
      result: await bookings.sync.sync(userId, { full: false }),
    }),
  }),
]

/** Viewers see the stream at once, so every change needs a confirmation. */
export const createStreamTools = ({ contracts, stream: { state, streams } }: ToolDeps): Tool[] => [
  defineTool(contracts.get_stream, {
    run: async (_input, { userId }) => ({ result: await state.read(userId) }),
  }),
  defineTool(contracts.list_streams, {
    async run({ limit = 10 }, { userId }) {
      const found = await streams.list(userId, { limit })
      return { result: { streams: found.streams, more: found.nextCursor !== null } }
    },
  }),
  defineTool(contracts.change_stream, {
    async propose({ live, title, scene }, { language }) {
      const texts = getProposalTexts(language)
      if (live === undefined && title === undefined && scene === undefined)
        throw invalidField('live', 'is required if neither a title nor a scene is given')
      const name = title ?? scene ?? ''
      const summary =
        live === undefined ? texts.changeStream(name) : live ? texts.startStream(name) : texts.stopStream
      return { summary, about: null }
    },
    run: async (input, { userId }) => ({ result: await state.change(userId, input, undefined) }),
  }),
]

/**
 * A model that follows instructions in an email could put private text into the address of a page. The person
 * therefore confirms each address before it is fetched.
 */
export const createAuditTools = ({ contracts, audits }: ToolDeps): Tool[] => [
  defineTool(contracts.audit_page, {
    propose: async ({ url }, { language }) => ({
      summary: getProposalTexts(language).auditPage(url),
      about: null,
    }),
    async run(input, { caller, userId }) {
      const asker = { userId, tokenId: tokenIdOf(caller), signal: AbortSignal.timeout(AUDIT_TIMEOUT_MS) }
      return { result: await audits.audit(input, asker, userId) }
    },
  }),
]
