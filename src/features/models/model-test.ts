import Type from 'typebox'
import { compileChecker } from '../../platform/checker.ts'
import { AppError } from '../../platform/errors.ts'
import { type Asker, parseJsonObject } from './consultation.ts'
import type { ModelRouter, Question, ResolvedEngine } from './model-router.ts'
import type { FallbackReason } from './schema.ts'

const SYSTEM = 'This is a test of the connection. Do exactly what the message says, and nothing else.'
const TOOL = {
  name: 'get_weekday',
  description: 'Returns the current day of the week.',
  input: { type: 'object', properties: {}, additionalProperties: false },
}
const TOOL_MESSAGE = 'Call the tool get_weekday. Then answer with one short sentence that names the day.'
const JSON_MESSAGE = 'Answer with the JSON object {"weekday": "Monday"} and nothing else.'
const Weekday = Type.Object({ weekday: Type.String() })
const MAX_STEPS = 3

const REASONS: Partial<Record<FallbackReason, string>> = {
  spending_limit: 'The daily AI spending limit is reached. Try again tomorrow.',
}

export type ModelTester = ReturnType<typeof createModelTester>

/** Asks a model for a tool call and for JSON, and reports what it supports. */
export const createModelTester = ({ modelRouter }: { modelRouter: ModelRouter }) => {
  const open = async (asker: Asker, text: string, shape?: Question['shape']) => {
    const resolved = await modelRouter.resolve({
      purpose: 'test',
      ...asker,
      system: SYSTEM,
      messages: [{ role: 'user', text }],
      ...(shape && { shape }),
    })
    if (resolved.engine === 'builtin')
      throw new AppError(
        'conflict',
        'not_configured',
        REASONS[resolved.fallbackReason] ?? 'This model has no key. Add one, or look for local models.',
      )
    return resolved
  }

  const testTools = async (resolved: Extract<ResolvedEngine, { engine: 'llm' }>) => {
    let text = ''
    let tools: 'used' | 'unused' | 'missing' = 'unused'
    const events = resolved.runAgent({
      tools: [TOOL],
      maxSteps: MAX_STEPS,
      isStreamed: false,
      onStep({ lacksTools }) {
        if (lacksTools) tools = 'missing'
      },
      async callTool({ name }) {
        if (name === TOOL.name) tools = 'used'
        return 'Monday'
      },
    })
    for await (const event of events) if (event.type === 'text') text += event.text
    return { text, tools: tools as 'used' | 'unused' | 'missing' }
  }

  const testJson = async (asker: Asker): Promise<boolean> => {
    const resolved = await open(asker, JSON_MESSAGE, { name: 'weekday', schema: Weekday })
    try {
      const { text } = await resolved.answer()
      return compileChecker(Weekday).Check(parseJsonObject(text))
    } catch (error) {
      if (asker.signal.aborted || !(error instanceof AppError) || error.kind !== 'upstream') throw error
      return false
    }
  }

  return {
    async test(asker: Asker) {
      const resolved = await open(asker, TOOL_MESSAGE)
      const { text, tools } = await testTools(resolved)
      const { model, provider, providerModel } = resolved.model
      return { model, provider, providerModel, text, tools, json: await testJson(asker) }
    },
  }
}
