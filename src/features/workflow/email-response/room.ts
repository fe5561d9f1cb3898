import type { Door } from '../../../platform/platform.ts'
import type { Drafting } from '../../ai/replies/drafting.ts'
import { emailResponseRoutes } from './routes.ts'

/** Answers to mails for automations that are run elsewhere. */
export const createEmailResponseRoom = ({ drafting }: { drafting: Drafting }): { doors: Door[] } => ({
  doors: [{ prefix: '/api/workflow', routes: emailResponseRoutes(drafting) }],
})
