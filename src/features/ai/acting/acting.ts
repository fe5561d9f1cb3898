import { AppError } from '../../../platform/errors.ts'
import type { Registry } from '../tools/registry.ts'
import type { ToolUse } from '../tools/tool.ts'
import type { Waiting } from './waiting.ts'

/** What came of a tool that was called. */
export interface Acted {
  tool: string
  input: unknown
  status: 'done' | 'failed' | 'needs_confirmation'
  result: unknown
  /** Of what waits for a person. */
  actionId: string | null
  /** In the journal, for taking it back. */
  undoId: number | null
  /** The e-mails whose text is in the result. */
  emails: readonly number[]
  /** Something in it may go to no model. */
  isPrivate: boolean
}

export interface ActingFor {
  use: ToolUse
  source: 'chat' | 'mcp'
  conversationId: string | null
}

const NOTHING = { actionId: null, undoId: null, emails: [], isPrivate: false }

export type Acting = ReturnType<typeof createActing>

/**
 * The one place where a tool is run for someone who is not the person: a model, the built-in engine, an MCP client. What
 * needs a confirmation is never run here, whoever asks and whatever they say.
 */
export const createActing = ({ registry, waiting }: { registry: Registry; waiting: Waiting }) => ({
  async act(name: string, given: unknown, from: ActingFor): Promise<Acted> {
    const called = { tool: name, input: given, ...NOTHING }
    try {
      const tool = registry.get(name, from.use.caller)
      const input = registry.check(tool, given)
      if (tool.effect === 'confirm' || (await tool.needsConfirmation?.(input, from.use))) {
        const { id, summary, expiresAt } = await waiting.queue({ tool, input }, from)
        return { ...called, status: 'needs_confirmation', result: { summary, expiresAt }, actionId: id }
      }
      const { result, undoId = null, emails = [], isPrivate = false } = await tool.run(input, from.use)
      return { ...called, status: 'done', result, undoId, emails, isPrivate }
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      const { errors } = error.details
      return {
        ...called,
        status: 'failed',
        result: { error: error.message, ...(errors?.length && { errors }) },
      }
    }
  },
})
