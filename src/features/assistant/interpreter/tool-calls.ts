import { AppError } from '../../../platform/errors.ts'
import type { ToolInput, ToolName, ToolResult } from '../tools/contracts.ts'
import type { ToolCallOutcome } from '../tools/outcome.ts'

/** Runs a tool. Its name tells the types of its input and its result. */
export type CallTool = <N extends ToolName>(
  tool: N,
  input: ToolInput<N>,
) => Promise<ToolCallOutcome<ToolResult<N>>>

/** An input whose optional fields may be undefined. */
export type LooseInput<I> = {
  [F in keyof I]: Record<never, never> extends Pick<I, F> ? I[F] | undefined : I[F]
}

/** Removes undefined fields: `LooseInput` has them, and the schemas of inputs do not accept them. */
const withoutUndefined = <I extends object>(input: LooseInput<I>): I =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as I

export type ToolCalls = ReturnType<typeof createToolCalls>

/** The tool calls of the interpreter. Those of `look` are not part of the answer. */
export const createToolCalls = (run: CallTool, look: CallTool) => {
  const callTool = <N extends ToolName>(tool: N, input: LooseInput<ToolInput<N>>) =>
    run(tool, withoutUndefined<ToolInput<N>>(input))

  /** Reads what the account contains, to understand a message. A token without access finds nothing. */
  const lookUp = async <N extends ToolName>(
    tool: N,
    input: LooseInput<ToolInput<N>>,
  ): Promise<ToolResult<N> | undefined> => {
    const outcome = await look(tool, withoutUndefined<ToolInput<N>>(input))
    return outcome.status === 'done' ? outcome.result : undefined
  }

  /** Runs a read tool. Throws on failure, so that a failed search is not reported as an empty result. */
  const callReadTool = async <N extends ToolName>(
    tool: N,
    input: LooseInput<ToolInput<N>>,
  ): Promise<ToolResult<N>> => {
    const outcome = await callTool(tool, input)
    if (outcome.status === 'done') return outcome.result
    const reason = outcome.status === 'failed' ? outcome.result.error : outcome.result.summary
    throw new AppError('forbidden', 'forbidden', reason)
  }

  return { callTool, callReadTool, lookUp }
}
