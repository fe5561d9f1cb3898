/** A workflow as n8n imports it. */
export interface N8nNode {
  id: string
  name: string
  type: string
  typeVersion: number
  position: [x: number, y: number]
  parameters: Record<string, unknown>
  retryOnFail?: boolean
  maxTries?: number
  waitBetweenTries?: number
}

export interface N8nWorkflow {
  name: string
  nodes: N8nNode[]
  /** By the name of the node that they leave from: one list for each of its outputs. */
  connections: Record<string, { main: { node: string; type: 'main'; index: number }[][] }>
  settings: Record<string, unknown>
  active: false
}

const STEP = 240
const ROW = 300

type Part = Pick<N8nNode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<N8nNode>

const core = (
  name: string,
  type: string,
  typeVersion: number,
  parameters: Record<string, unknown>,
): Part => ({
  ...{ name, typeVersion, parameters },
  type: `n8n-nodes-base.${type}`,
})

export const schedule = (name: string, interval: Record<string, unknown>): Part =>
  core(name, 'scheduleTrigger', 1.2, { rule: { interval: [interval] } })

/** With a header credential that whoever imports it chooses; the token itself is in no workflow. */
export const request = (
  name: string,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  { query, body }: { query?: Record<string, string>; body?: string } = {},
): Part => ({
  ...core(name, 'httpRequest', 4.2, {
    ...{ method, url, authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
    ...(query && {
      sendQuery: true,
      queryParameters: { parameters: Object.entries(query).map(([key, value]) => ({ name: key, value })) },
    }),
    ...(body !== undefined && { sendBody: true, specifyBody: 'json', jsonBody: body }),
    options: { timeout: 60_000 },
  }),
  // Reading again costs nothing; writing twice might.
  ...(method === 'GET' ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 5_000 } : {}),
})

export const splitOut = (name: string, field: string): Part =>
  core(name, 'splitOut', 1, { fieldToSplitOut: field, options: {} })

/** Goes on by its first output where `expression` is true, by its second where it is not. */
export const when = (name: string, expression: string): Part =>
  core(name, 'if', 2.2, {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
      conditions: [
        {
          id: name,
          leftValue: `={{ ${expression} }}`,
          rightValue: '',
          operator: { type: 'boolean', operation: 'true', singleValue: true },
        },
      ],
      combinator: 'and',
    },
    looseTypeValidation: true,
    options: {},
  })

export const setFields = (name: string, fields: Record<string, string>): Part =>
  core(name, 'set', 3.4, {
    assignments: {
      assignments: Object.entries(fields).map(([key, value]) => ({
        id: key,
        name: key,
        value,
        type: 'string',
      })),
    },
    options: {},
  })

export const toFile = (name: string, field: string, fileName: string): Part =>
  core(name, 'convertToFile', 1.1, { operation: 'toText', sourceProperty: field, options: { fileName } })

export const stopWith = (name: string, message: string): Part =>
  core(name, 'stopAndError', 1, { errorMessage: message })

export const placeholder = (name: string): Part => core(name, 'noOp', 1, {})

const note = (content: string): Part => core('Note', 'stickyNote', 1, { content, width: 420, height: 220 })

/** Which node follows which; `from` may name its second output as "name/1". */
export type Link = readonly [from: string, to: string]

/** Puts a workflow together: nodes stand in a row, in the order they are given. */
export const workflow = (
  id: string,
  about: { name: string; note: string; timezone: string },
  parts: readonly Part[],
  links: readonly Link[],
): N8nWorkflow => {
  const nodes = [...parts, note(about.note)].map((part, index): N8nNode => {
    const isNote = index === parts.length
    return { id: `factotum-${id}-${index + 1}`, position: isNote ? [0, 0] : [index * STEP, ROW], ...part }
  })
  const connections: N8nWorkflow['connections'] = {}
  for (const [from, to] of links) {
    const [name = '', output = '0'] = from.split('/')
    connections[name] ??= { main: [] }
    const { main } = connections[name]
    while (main.length <= Number(output)) main.push([])
    main[Number(output)]?.push({ node: to, type: 'main', index: 0 })
  }
  return {
    ...{ name: about.name, nodes, connections, active: false },
    settings: { executionOrder: 'v1', timezone: about.timezone },
  }
}
