/** A tool call that a model wrote as text. */
export interface TextCall {
  name: string
  /** JSON. */
  input: string
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
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

/** Reads the calls between tags, in a code block, or in an answer without a tag. */
const parseCalls = (text: string): TextCall[] => {
  const body = text.trim()
  return (
    toCalls(parseJson(body)) ??
    [parseFunctionTag, parseKeyTags, parseNamedObjects]
      .map((parse) => parse(body))
      .find((found) => found.length > 0) ??
    []
  )
}

/** Tags that enclose a tool call. Without a closing tag, the call extends to the end of the answer. */
const CALL_TAGS: readonly (readonly [opening: string, closing: string | null])[] = [
  ['<tool_call>', '</tool_call>'],
  ['<function_call>', '</function_call>'],
  ['<function=', '</function>'],
  ['[TOOL_CALLS]', null],
  ['<|tool_call|>', null],
  ['<|python_tag|>', null],
]

const FENCE = /^```(?:json|tool_call|tool_code)?\s*([[{][\s\S]*?)\s*(?:```|$)/
/** The start of a JSON value that can be a call, also in a code block. */
const JSON_START = /^(?:```(?:json|tool_call|tool_code)?\s*)?(?:\{|\[\s*\{)/
const PARTIAL_JSON_START = /^(?:`{1,2}|```(?:json|tool_call|tool_code)?\s*(?:\[\s*)?|```[a-z_]+|\[\s*)$/

/** Tells whether an answer starts like a tool call. */
export const mayBeCalls = (text: string): boolean =>
  JSON_START.test(text) || CALL_TAGS.some(([opening]) => text.startsWith(opening))

/** Tells whether more text can make the answer start like a tool call. */
export const mayBecomeCalls = (text: string): boolean =>
  PARTIAL_JSON_START.test(text) || CALL_TAGS.some(([opening]) => opening !== text && opening.startsWith(text))

/** Splits the first call from a text. Returns undefined if the text does not start with one. */
const takeFirst = (text: string): { calls: TextCall[]; rest: string } | undefined => {
  const [block, inside] = FENCE.exec(text) ?? []
  if (block !== undefined) return { calls: parseCalls(inside ?? ''), rest: text.slice(block.length) }
  const [opening, closing] = CALL_TAGS.find(([tag]) => text.startsWith(tag)) ?? []
  if (opening === undefined) return { calls: parseCalls(text), rest: '' }
  const at = closing ? text.indexOf(closing) : -1
  const end = at < 0 ? text.length : at
  const body = text.slice(opening === '<function=' ? 0 : opening.length, end)
  return { calls: parseCalls(body), rest: text.slice(at < 0 ? end : end + (closing ?? '').length) }
}

/**
 * Reads the tool calls that a whole answer consists of. Returns an empty list if the answer contains anything else, or
 * a call of another tool.
 */
export const parseWholeAnswer = (text: string, tools: readonly string[]): TextCall[] => {
  const calls: TextCall[] = []
  let rest = text.trim()
  while (rest !== '') {
    const first = takeFirst(rest)
    if (!first || first.calls.length === 0) return []
    calls.push(...first.calls)
    rest = first.rest.trim()
  }
  return calls.every(({ name }) => tools.includes(name)) ? calls : []
}

/** Reduces a text to its letters and digits. Undoes the escapes of JSON, in which tool results are sent. */
const normalize = (text: string): string =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** A shorter input, such as `{"limit":3}`, also occurs by chance. */
const MIN_INPUT_LENGTH = 12

/**
 * Tells whether a model may have copied its calls from something that it read. A copy is a quotation: its author is not
 * the model.
 */
export const isCopied = (
  { calls, written }: { calls: readonly TextCall[]; written: string },
  read: readonly string[],
): boolean => {
  const sources = read.map(normalize)
  const copies = [written, ...calls.map(({ input }) => input)].map(normalize)
  return copies.some(
    (copy, index) =>
      (index === 0 ? copy !== '' : copy.length >= MIN_INPUT_LENGTH) &&
      sources.some((source) => source.includes(copy)),
  )
}
