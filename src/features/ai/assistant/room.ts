import type { Door, Platform } from '../../../platform/platform.ts'
import { createActing } from '../acting/acting.ts'
import { waitingRoutes } from '../acting/routes.ts'
import { createWaiting } from '../acting/waiting.ts'
import type { Asking } from '../asking.ts'
import { createMailAnalyzer } from '../intelligence/mail-analyzer.ts'
import { createMcp } from '../mcp/mcp.ts'
import { mcpRoutes } from '../mcp/routes.ts'
import type { Drafting } from '../replies/drafting.ts'
import { createRegistry, type Rooms } from '../tools/registry.ts'
import { createChat } from './chat.ts'
import { createConversations } from './conversations.ts'
import type { Interpreter } from './interpreter.ts'
import { chatRoutes } from './routes.ts'

/** The assistant stands over all rooms: it uses their rules as its tools. */
export const createAssistantRoom = (
  { db, clock, random, log, changes, baseUrl, workers }: Platform,
  needs: {
    asking: Asking
    timezone: () => Promise<string>
    rooms: Omit<Rooms, 'analyzeMail' | 'clock' | 'timezone'>
    drafting: Drafting
    version: string
  },
) => {
  const { asking, timezone, rooms, drafting, version } = needs
  const analyzeMail = createMailAnalyzer(workers)
  const registry = createRegistry(db, { ...rooms, analyzeMail, clock, timezone })
  const waiting = createWaiting({ db, clock, random, changes, registry })
  const acting = createActing({ registry, waiting })
  const conversations = createConversations({ db, clock, random })
  /** Of an e-mail that is gone nobody can say: then nothing of it is told. */
  const tagsOf = async (id: number): Promise<readonly string[]> =>
    rooms.emails.get(id).then(
      ({ tags }) => tags,
      () => ['private'],
    )
  /** Loaded with the first sentence, as its engine is. */
  const interpret: Interpreter = async (...sentence) => {
    const { createInterpreter } = await import('./interpreter.ts')
    return createInterpreter({ clock, timezone, drafting })(...sentence)
  }
  const chat = createChat({ asking, acting, registry, conversations, clock, timezone, tagsOf, interpret })
  const mcp = createMcp({ registry, acting, version, log })
  const doors: Door[] = [
    { prefix: '/api/ai', routes: chatRoutes({ chat, conversations }) },
    { prefix: '/api/ai/actions', routes: waitingRoutes(waiting) },
    { prefix: '', routes: mcpRoutes(mcp, baseUrl) },
  ]
  return { doors, prune: waiting.prune, close: mcp.close }
}
