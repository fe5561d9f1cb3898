import type { Operation } from '../http/openapi.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  example?: unknown
}

interface CurlMedia {
  example?: unknown
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const isJson = (type: string): boolean => /^application\/(.+\+)?json\b/.test(type)

const urlOf = (baseUrl: string, path: string, parameters: Parameter[]): string => {
  const filled = path.replace(/\{([^}]+)\}/g, (placeholder, name) => {
    const example = parameters.find(
      (parameter) => parameter.in === 'path' && parameter.name === name,
    )?.example
    return example === undefined || example === null ? placeholder : encodeURIComponent(String(example))
  })
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .flatMap(({ name, example }) =>
        [example].flat().map((value): [string, string] => [name, String(value)]),
      ),
  ).toString()
  return `${baseUrl.replace(/\/+$/, '')}${filled}${query && `?${query}`}`
}

/** Formats JSON, indented like the other options of the command. */
const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')

/** Bodies that are not JSON come from a file, because their bytes do not fit on a command line. */
const curlBody = (content: Record<string, unknown>): string[] => {
  const types = Object.keys(content)
  const type = types.find(isJson) ?? types[0]
  if (type === undefined) return []
  if (type.startsWith('multipart/')) return ['-F file=@file']
  const { example } = content[type] as CurlMedia
  const data =
    isJson(type) && example !== undefined ? `-d ${quote(indented(example))}` : '--data-binary @file'
  return [`-H ${quote(`Content-Type: ${type}`)}`, data]
}

/** Streams are printed as they arrive; binary responses go to a file instead of the terminal. */
const outputOf = (responses: Operation['responses']): string[] => {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.keys((content as object | undefined) ?? {}))
  if (types.length > 0 && types.every((type) => type === 'text/event-stream')) return ['-N']
  return types.length === 0 || types.some((type) => isJson(type) || type.startsWith('text/'))
    ? []
    : ['-o file']
}

/** Whether a request without a credential is rejected. */
const needsCredential = ({ security }: Operation): boolean =>
  security.length > 0 && security.every((way) => Object.keys(way).length > 0)

/** Returns a command for a POSIX shell that sends this request. It reads the credential from `$TOKEN`. */
export const curlOf = (method: string, path: string, operation: Operation, baseUrl: string): string => {
  const parameters = (operation.parameters ?? []) as unknown as Parameter[]
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.required)
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quote(urlOf(baseUrl, path, parameters))}`,
    ...(needsCredential(operation) ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(({ name, example }) => `-H ${quote(`${name}: ${example}`)}`),
    ...curlBody(operation.requestBody?.content ?? {}),
    ...outputOf(operation.responses),
  ].join(' \\\n  ')
}
