import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelTarget } from '../../features/models/language-models.ts'
import type { UnopenedReasoning } from './answer-filter.ts'

/** Ways to ask for JSON. Servers support different ones, and the last one works with all of them. */
export const JSON_FORMATS = ['json_object', 'json_schema', 'text'] as const
export type JsonFormat = (typeof JSON_FORMATS)[number]

/** The abilities of a model on an OpenAI-compatible server, as far as its answers showed them. */
export interface Abilities {
  hasTools: boolean
  jsonFormat: JsonFormat
  unopenedReasoning: UnopenedReasoning
  /** The model has called a tool through the API, so a call in its text is only text. */
  hasNativeCalls: boolean
}

const ASSUMED: Abilities = {
  hasTools: true,
  jsonFormat: 'json_object',
  unopenedReasoning: 'unknown',
  hasNativeCalls: false,
}

const MAX_MODELS = 500

/**
 * Remembers what the models of OpenAI-compatible servers lack, so that not every request fails first. The
 * memory of a server is cleared when its key is verified again.
 */
export class AbilityMemory {
  private readonly known = new Map<string, Abilities>()

  get(target: ModelTarget): Abilities {
    return this.known.get(this.toKey(target)) ?? ASSUMED
  }

  set(target: ModelTarget, abilities: Abilities): void {
    const key = this.toKey(target)
    this.known.delete(key)
    if (this.known.size >= MAX_MODELS) this.known.delete(this.known.keys().next().value as string)
    this.known.set(key, abilities)
  }

  forget({ baseUrl }: Pick<ModelTarget, 'baseUrl'>): void {
    for (const key of this.known.keys()) if (key.startsWith(`${baseUrl} `)) this.known.delete(key)
  }

  private toKey({ baseUrl, model }: ModelTarget): string {
    return `${baseUrl} ${model}`
  }
}

/** Statuses of servers that do not support a part of the request. */
const UNSUPPORTED_STATUSES = [400, 404, 405, 415, 422, 500, 501]
/** A request that is too long fails with or without the part. */
const TOO_LONG = /context (?:length|size|window)|maximum|too (?:long|large|many)|exceed/i

/** Returns the abilities to try next after a refusal, or null if the refusal has another reason. */
export const withoutRefused = (
  abilities: Abilities,
  asked: { hasTools: boolean; hasFormat: boolean },
  refusal: { status: number; words: string },
): Abilities | null => {
  const { status, words } = refusal
  if (!UNSUPPORTED_STATUSES.includes(status) || TOO_LONG.test(words)) return null
  if (asked.hasTools && abilities.hasTools && /tool|function.?call|--jinja/i.test(words))
    return { ...abilities, hasTools: false }
  const next = JSON_FORMATS[JSON_FORMATS.indexOf(abilities.jsonFormat) + 1]
  if (asked.hasFormat && next !== undefined && /response.?format|json|schema|grammar|guided/i.test(words))
    return { ...abilities, jsonFormat: next }
  return null
}

export type CallOptions = Omit<LanguageModelV4CallOptions, 'abortSignal'>

const WITHOUT_TOOLS =
  'In this conversation you have no tools. You cannot look up or change any mail, task or event. Say so when the person asks for it, and never claim to have done it.'

/** Rewrites a prompt for a model without tools. Earlier results become text, and calls are left out. */
const withoutTools = (prompt: CallOptions['prompt']): CallOptions['prompt'] => {
  const messages = prompt.flatMap((message): CallOptions['prompt'] => {
    if (message.role === 'assistant') {
      const content = message.content.filter(({ type }) => type === 'text')
      return content.length > 0 ? [{ ...message, content }] : []
    }
    if (message.role !== 'tool') return [message]
    const content = message.content.flatMap((part) =>
      part.type === 'tool-result' && part.output.type === 'text'
        ? [{ type: 'text' as const, text: part.output.value }]
        : [],
    )
    return [{ role: 'user', content }]
  })
  const system = messages.find(({ role }) => role === 'system')?.content
  const others = messages.filter(({ role }) => role !== 'system')
  const content = system === undefined ? WITHOUT_TOOLS : `${system as string}\n${WITHOUT_TOOLS}`
  return [{ role: 'system', content }, ...others]
}

/** Leaves out what the model lacks. */
export const adaptOptions = (options: CallOptions, { hasTools, jsonFormat }: Abilities): CallOptions => {
  const { tools, responseFormat, prompt, ...rest } = options
  return {
    ...rest,
    prompt: tools && !hasTools ? withoutTools(prompt) : prompt,
    ...(tools && hasTools && { tools }),
    ...(responseFormat && jsonFormat !== 'text' && { responseFormat }),
  }
}
