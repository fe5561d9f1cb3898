import { isRecord, parseJson } from './text-calls.ts'

/** Parts of a Chat Completions response that servers write in different ways. */
interface LooseCall {
  index?: unknown
  id?: unknown
  function?: { name?: unknown; arguments?: unknown }
}

interface LooseChoice {
  message?: { tool_calls?: unknown }
  delta?: { tool_calls?: unknown }
}

/** Names and counts the calls of one response. */
interface CallNumbers {
  newId(): string
  /** Index of the last call. */
  last: number
}

/** Writes one tool call as the API describes it: arguments as a string, with an id and an index. */
const normalizeCall = (call: LooseCall, numbers: CallNumbers): void => {
  const { function: called } = call
  if (!isRecord(called)) return
  // Some servers send the arguments as an object, which is already complete.
  if (called.arguments !== undefined && called.arguments !== null && typeof called.arguments !== 'string')
    called.arguments = JSON.stringify(called.arguments)
  const isFirstPart = typeof called.name === 'string' && called.name !== ''
  if (isFirstPart && (typeof call.id !== 'string' || call.id === '')) call.id = numbers.newId()
  if (isFirstPart) called.arguments ??= ''
  if (typeof call.index === 'number') numbers.last = call.index
  else call.index = isFirstPart ? ++numbers.last : Math.max(0, numbers.last)
}

const normalizeCalls = (choices: unknown, numbers: CallNumbers): boolean => {
  let hasCalls = false
  for (const choice of Array.isArray(choices) ? (choices as LooseChoice[]) : [])
    for (const part of [choice?.message, choice?.delta])
      if (Array.isArray(part?.tool_calls))
        for (const call of part.tool_calls as LooseCall[]) {
          hasCalls = true
          normalizeCall(call, numbers)
        }
  return hasCalls
}

/** Rewrites tool calls in a response body or in the data of an event. Other text is returned unchanged. */
const normalizeText = (text: string, numbers: CallNumbers): string => {
  if (!text.includes('"tool_calls"')) return text
  const body = parseJson(text)
  return isRecord(body) && normalizeCalls(body.choices, numbers) ? JSON.stringify(body) : text
}

/** Rewrites the tool calls in a stream of server-sent events. */
const normalizeEvents = (numbers: CallNumbers): TransformStream<string, string> => {
  let rest = ''
  const normalizeLine = (line: string): string => {
    const [, data] = /^data: ?(\{.*\})\r?$/.exec(line) ?? []
    return data === undefined ? line : `data: ${normalizeText(data, numbers)}`
  }
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) controller.enqueue(`${lines.map(normalizeLine).join('\n')}\n`)
    },
    flush(controller) {
      if (rest !== '') controller.enqueue(normalizeLine(rest))
    },
  })
}

/**
 * Rewrites the response of an OpenAI-compatible server to the form that the provider library accepts. `newId`
 * names calls without an id.
 */
export const normalizeResponse = async (response: Response, newId: () => string): Promise<Response> => {
  if (!response.ok || response.body === null) return response
  const head = { status: response.status, headers: response.headers }
  const numbers = { newId, last: -1 }
  if (!response.headers.get('content-type')?.includes('event-stream'))
    return new Response(normalizeText(await response.text(), numbers), head)
  const events = response.body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(normalizeEvents(numbers))
    .pipeThrough(new TextEncoderStream())
  return new Response(events, head)
}
