import { withLongReads } from '../../../database/long-reads.ts'
import { AppError } from '../../../platform/errors.ts'
import { longReadKey } from '../../../platform/http/long-reads.ts'
import type { PendingActions } from '../confirmations.ts'
import type { ToolInput, ToolName, ToolResult } from './contracts.ts'
import type { ToolCallOutcome } from './outcome.ts'
import type { Registry } from './registry.ts'
import type { Tool, ToolUse } from './tool.ts'
import type { WriteGuard } from './write-guard.ts'

export interface ToolCallContext {
  use: ToolUse
  /** Set if a model calls the tool for a message of the person. */
  writeGuard: WriteGuard | null
  source: 'chat' | 'mcp'
  conversationId: string | null
}

const NOTHING = {
  actionId: null,
  undoId: null,
  before: null,
  emails: [],
  isPrivate: false,
  confirmedBy: null,
}

/** The only place that decides whether a call waits for the person. */
const mustWait = async (
  tool: Tool,
  input: unknown,
  { use, writeGuard }: ToolCallContext,
): Promise<boolean> => {
  if (tool.effect === 'read') return false
  if (tool.effect === 'confirm' || (await tool.needsConfirmation?.(input, use))) return true
  return writeGuard !== null && !(await writeGuard.allows(tool, input, () => tool.propose(input, use)))
}

export type ToolRunner = ReturnType<typeof createToolRunner>

/**
 * Runs tools on behalf of a model, the built-in engine or an MCP client. All tool calls pass through here.
 * Tools that need a confirmation are never run here. They are queued for the person.
 */
export const createToolRunner = ({
  registry,
  pendingActions,
}: {
  registry: Registry
  pendingActions: PendingActions
}) => {
  async function run(name: string, given: unknown, from: ToolCallContext): Promise<ToolCallOutcome> {
    const called = { tool: name, input: given, ...NOTHING }
    const call = async (tool: Tool, input: unknown): Promise<ToolCallOutcome> => {
      if (await mustWait(tool, input, from)) {
        const { id, summary, expiresAt, confirmedBy } = await pendingActions.queue({ tool, input }, from)
        const result = { summary, expiresAt }
        from.writeGuard?.noteResult(tool, 'needs_confirmation', result)
        return { ...called, status: 'needs_confirmation', result, actionId: id, confirmedBy }
      }
      const outcome = await tool.run(input, from.use)
      const { result, undoId = null, before = null, emails = [], isPrivate = false } = outcome
      from.writeGuard?.noteResult(tool, 'done', result, emails)
      return { ...called, status: 'done', result, undoId, before, emails, isPrivate }
    }
    let tool: Tool | undefined
    try {
      const { caller } = from.use
      tool = registry.get(name, caller)
      const input = registry.check(tool, given)
      if (!tool.longReads) return await call(tool, input)
      const read = { key: longReadKey(caller), signal: new AbortController().signal }
      const longTool = tool
      return await withLongReads(read, () => call(longTool, input))
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      const { errors } = error.details
      if (tool) from.writeGuard?.noteResult(tool, 'failed', error.message)
      return {
        ...called,
        status: 'failed',
        result: { error: error.message, code: error.code, ...(errors?.length && { errors }) },
      }
    }
  }

  return {
    run,

    /** Runs a tool whose name is known. `defineTool` has checked that its result matches the contract. */
    call: <N extends ToolName>(name: N, input: ToolInput<N>, from: ToolCallContext) =>
      run(name, input, from) as Promise<ToolCallOutcome<ToolResult<N>>>,
  }
}
