import type { Operation } from '../http/openapi.ts'
import { curlOf } from './curl.ts'
import { findError } from './error-catalogue.ts'
import type { createFieldTables, Field } from './fields.ts'
import { html, type SafeHtml } from './html.ts'
import type { Shape, Shapes } from './shapes.ts'
import { anchor, breakable, command, either, line, prose, sample } from './text.ts'

export interface PlacedOperation {
  method: string
  path: string
  operation: Operation
}

interface Media {
  schema?: Shape
  example?: unknown
}

interface Response {
  description?: string
  content?: Record<string, Media>
}

interface OperationView {
  shapes: Shapes
  fields: ReturnType<typeof createFieldTables>
  baseUrl: string
}

const PROBLEM = 'application/problem+json'
const JSON_TYPE = 'application/json'

export const methodBadge = (method: string): SafeHtml =>
  html`<span class="method ${anchor(method)}">${method.toUpperCase()}</span>`

const CREDENTIALS: Record<string, string> = {
  session: 'someone who is signed in',
  token: 'a personal access token that has the scope',
  feed: 'a read-only feed token in `?token=`',
}

const accessOf = ({ security }: Operation): SafeHtml => {
  if (security.length === 0) return html`Anyone; no credential is needed.`
  const ways = security.filter((way) => Object.keys(way).length > 0)
  const words = either(
    ways.map((way) =>
      line(
        Object.keys(way)
          .map((name) => CREDENTIALS[name] ?? `\`${name}\``)
          .join(' with '),
      ),
    ),
  )
  return ways.length < security.length
    ? html`Anyone who can reach this instance; also ${words}.`
    : html`Only ${words}.`
}

const parametersOf = ({ parameters = [] }: Operation, { fields }: OperationView): SafeHtml | undefined => {
  if (parameters.length === 0) return undefined
  const rows: Field[] = parameters.map(({ name, in: place, required, description, schema }) => ({
    name: String(name),
    place: String(place),
    required: required === true,
    shape: {
      ...(schema as Shape | undefined),
      ...(typeof description === 'string' && { description }),
    },
  }))
  return html`<h4>Parameters</h4>\n${fields.table('Parameters', rows, 'sent')}`
}

/** What it is called and how it is written; an unnamed JSON object needs no word, its fields follow. */
const typeLine = (type: string, { schema }: Media, { shapes }: OperationView): SafeHtml | undefined => {
  const plain =
    schema === undefined || (schema.type === 'object' && !schema.nullable) || schema.anyOf !== undefined
  if (plain && type === JSON_TYPE) return undefined
  return html`${!plain && html`<span class="type">${shapes.typeOf(schema)}</span>`}${
    type !== JSON_TYPE && html` <span class="media">as <code>${type}</code></span>`
  }`
}

const bodyOf = ({ requestBody }: Operation, view: OperationView): SafeHtml | undefined =>
  requestBody &&
  html`<h4>Body</h4>
${Object.entries(requestBody.content as Record<string, Media>).map(([type, media]) => {
  const words = typeLine(type, media, view)
  return html`${words && html`<p>${words}</p>\n`}${prose(media.schema && view.shapes.resolve(media.schema).description)}${
    media.schema && view.fields.tables('Body', media.schema, 'sent')
  }`
})}`

const errorItem = (status: string, { description = '', content }: Response): SafeHtml => {
  const { code } = (content?.[PROBLEM]?.example ?? {}) as { code?: unknown }
  const known = typeof code === 'string' ? findError(code) : undefined
  const words = html`<span class="status">${status}</span>${typeof code === 'string' && html` <code>${code}</code>`}`
  return html`<li>${known ? html`<a href="#error-${anchor(known.code)}">${words}</a>` : words} — ${line(description)}</li>\n`
}

const answerItem = (status: string, { description, content = {} }: Response, view: OperationView): SafeHtml =>
  html`<div class="answer"><p><span class="status${status.startsWith('2') && ' good'}">${status}</span> ${line(description)} ${Object.entries(
    content,
  ).map(([type, media]) => typeLine(type, media, view))}</p>
${Object.values(content).map(({ schema }) => {
  const tables = schema && view.fields.tables(`Fields of the ${status} answer`, schema, 'answered')
  return tables && html`<details><summary>Fields</summary>\n${tables}</details>\n`
})}</div>\n`

const isProblem = ([, { content }]: [string, Response]): boolean =>
  content !== undefined && PROBLEM in content

const answersOf = ({ responses }: Operation, view: OperationView): SafeHtml => {
  const all = Object.entries(responses as Record<string, Response>).filter(([status]) => status !== 'default')
  const problems = all.filter(isProblem)
  return html`<h4>Answers</h4>
${all.filter((entry) => !isProblem(entry)).map(([status, response]) => answerItem(status, response, view))}${
  problems.length > 0 &&
  html`<ul class="errors">\n${problems.map(([status, response]) => errorItem(status, response))}</ul>\n`
}`
}

const samplesOf = ({ method, path, operation }: PlacedOperation, view: OperationView): SafeHtml => {
  const answers = Object.entries(operation.responses as Record<string, Response>).flatMap(
    ([status, { content = {} }]) =>
      Object.entries(content)
        .filter(([type, { example }]) => type !== PROBLEM && example !== undefined)
        .map(([, { example }]) => sample(`Answer, ${status}`, example)),
  )
  return html`<div class="samples">
${command('Request', curlOf(method, path, operation, view.baseUrl))}${answers}</div>`
}

/** One operation: in words, and beside them what is sent and what comes back. */
export const operationSection = (placed: PlacedOperation, view: OperationView): SafeHtml => {
  const { method, path, operation } = placed
  const id = anchor(operation.operationId)
  return html`<section class="operation" id="${id}">
<h3><a href="#${id}">${operation.summary}</a></h3>
<p class="endpoint">${methodBadge(method)} <code>${breakable(path)}</code></p>
<div class="sides">
<div class="words">
${prose(operation.description)}<p class="access"><strong>Who may call</strong> ${accessOf(operation)}</p>
${parametersOf(operation, view)}${bodyOf(operation, view)}${answersOf(operation, view)}</div>
${samplesOf(placed, view)}
</div>
</section>\n\n`
}
