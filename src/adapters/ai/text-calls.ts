/** A tool call that a model wrote as text. */
export interface TextCall {
  name: string
  /** JSON. */
  input: string
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toInput = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given ?? {}))

/** Reads the JSON forms: `{"name", "arguments"}`, the form of the API, and lists of both. */
const toCalls = (value: unknown): TextCall[] | undefined => {
  if (Array.isArray(value)) {
    const calls = value.map(toCalls)
    return calls.length > 0 && calls.every((some) => some !== undefined) ? calls.flat() : undefined
  }
  if (!isRecord(value)) return undefined
  if (Array.isArray(value.tool_calls)) return toCalls(value.tool_calls)
  if (isRecord(value.function)) return toCalls(value.function)
  const name = value.name ?? value.tool ?? value.function
  if (typeof name !== 'string' || name === '') return undefined
  return [
    {
      name: name.replace(/^functions\./, ''),
      input: toInput(value.arguments ?? value.parameters ?? value.input),
    },
  ]
}

/** Reads a value between tags. Models write strings there without quotes. */
const toValue = (text: string): unknown => parseJson(text.trim()) ?? text.trim()

/** `<function=name><parameter=key>value</parameter></function>`, or JSON between the tags. */
const parseFunctionTag = (text: string): TextCall[] => {
  const [, name, body] = /<function=([\w.-]+)>\s*([\s\S]*?)\s*(?:<\/function>|$)/.exec(text) ?? []
  if (name === undefined || body === undefined) return []
  if (body.startsWith('{')) return parseJson(body) === undefined ? [] : [{ name, input: body }]
  const fields = [...body.matchAll(/<parameter=([\w.-]+)>([\s\S]*?)<\/parameter>/g)]
  const input = Object.fromEntries(fields.map(([, key, value]) => [key, toValue(value ?? '')]))
  return [{ name, input: JSON.stringify(input) }]
}

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>`. */
const parseKeyTags = (text: string): TextCall[] => {
  const [name] = /^[\w.-]+(?=\s*<arg_key>)/.exec(text) ?? []
  if (name === undefined) return []
  const fields = text.matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g)
  const input = Object.fromEntries([...fields].map(([, key, value]) => [key?.trim(), toValue(value ?? '')]))
  return [{ name, input: JSON.stringify(input) }]
}

/** `name[ARGS]{…}`, several of them separated by `[TOOL_CALLS]`. */
const parseNamedObjects = (text: string): TextCall[] => {
  const calls = text.split('[TOOL_CALLS]').map((part): TextCall | undefined => {
    const [, name, input] =
      /^\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(\{[\s\S]*\})\s*$/.exec(part) ?? []
    return name !== undefined && input !== undefined && isRecord(parseJson(input))
      ? { name, input }
      : undefined
  })
  return calls.every((call) => call !== undefined) ? calls : []
}

/**
 * Reads the tool calls in a text. With `tools`, only calls of these tools count: the text has no tag that
 * marks it as a call. Returns an empty list if the text is no call.
 */
export const parseTextCalls = (text: string, tools?: readonly string[]): TextCall[] => {
  const body = text.trim().replace(/^```\w*\s*|\s*```$/g, '')
  const calls =
    toCalls(parseJson(body)) ??
    [parseFunctionTag, parseKeyTags, parseNamedObjects]
      .map((parse) => parse(body))
      .find((found) => found.length > 0) ??
    []
  return tools === undefined || calls.every(({ name }) => tools.includes(name)) ? calls : []
}
