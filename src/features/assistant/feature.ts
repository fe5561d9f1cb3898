import { inTransaction } from '../../database/transaction.ts'
import { userIdOf } from '../../platform/access/caller.ts'
import type { LanguageOf } from '../../platform/language.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { AskToSend } from '../mail/messages/routes.ts'
import type { ReplyDrafter } from '../mail-analysis/reply-drafts.ts'
import type { ModelRouter } from '../models/model-router.ts'
import { createChat } from './chat.ts'
import { createPendingActions } from './confirmations.ts'
import { createConversations } from './conversations.ts'
import { createMcp } from './mcp.ts'
import { createContextResolver } from './page-context.ts'
import { actionRoutes, chatRoutes, mcpRoutes } from './routes.ts'
import { createRegistry } from './tools/registry.ts'
import { createToolRunner } from './tools/runner.ts'
import type { AssistantServices } from './tools/services.ts'

/** Creates the assistant, which uses the services of all other features as its tools. */
export const createAssistantFeature = (
  { db, clock, random, log, changes, baseUrl }: Platform,
  needs: {
    modelRouter: ModelRouter
    zoneOf: (userId: number) => Promise<string>
    services: Omit<AssistantServices, 'clock' | 'zoneOf'>
    replyDrafter: ReplyDrafter
    languageOf: LanguageOf
    version: string
  },
) => {
  const { modelRouter, zoneOf, services, replyDrafter, languageOf, version } = needs
  const registry = createRegistry(db, { ...services, clock, zoneOf })
  const pendingActions = createPendingActions({ db, clock, random, changes, registry, languageOf })
  const toolRunner = createToolRunner({ registry, pendingActions })
  const conversations = createConversations({ db, clock, random })
  /** Treats a deleted email as private, because its tags are unknown. */
  const tagsOf = async (userId: number, id: number): Promise<readonly string[]> =>
    services.emails.get(userId, id).then(
      ({ tags }) => tags,
      () => ['private'],
    )
  const chat = createChat({
    modelRouter,
    toolRunner,
    registry,
    conversations,
    clock,
    zoneOf,
    tagsOf,
    replyDrafter,
    pendingActions,
    undoJournal: services.actions,
    languageOf,
    resolveContext: createContextResolver(services),
    contacts: services.contacts,
  })
  const mcp = createMcp({ registry, toolRunner, version, log })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/ai', plugin: chatRoutes({ chat, conversations }) },
    { prefix: '/api/ai/actions', plugin: actionRoutes(pendingActions) },
    { prefix: '', plugin: mcpRoutes(mcp, baseUrl) },
  ]
  /** Creates the draft and the action in one transaction. */
  const askToSend: AskToSend = (emailInput, caller, content) =>
    inTransaction(db, async () => {
      const userId = userIdOf(caller)
      const { id: emailId } = await services.outbox.draft(userId, emailInput, content)
      const input = { id: emailId, ...(emailInput.sendAt !== undefined && { sendAt: emailInput.sendAt }) }
      const action = await pendingActions.queue(
        { tool: registry.get('send_draft', caller), input },
        { use: { caller, userId, sendsToModel: false }, source: 'api', conversationId: null },
      )
      const { id: actionId, expiresAt } = action
      return { status: 'needs_confirmation' as const, actionId, emailId, expiresAt }
    })
  return { routes, askToSend, prune: pendingActions.prune, close: mcp.close }
}
