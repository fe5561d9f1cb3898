import type { OpenApiDocument, Operation } from '../http/openapi.ts'
import { curlOf } from './curl.ts'
import { ERROR_CATALOGUE, findError } from './error-catalogue.ts'
import { createFieldTables, createShapes, type Field, type Shape, type Shapes } from './fields.ts'
import {
  anchor,
  breakable,
  command,
  either,
  html,
  line,
  prose,
  type SafeHtml,
  sample,
  toText,
} from './html.ts'

interface PlacedOperation {
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

const methodBadge = (method: string): SafeHtml =>
  html`<span class="method ${anchor(method)}">${method.toUpperCase()}</span>`

const CREDENTIALS: Record<string, string> = {
  session: 'a signed-in user',
  token: 'a personal access token with the scope',
  feed: 'a read-only feed token in `?token=`',
}

const accessOf = ({ security }: Operation): SafeHtml => {
  if (security.length === 0) return html`Anyone, without a credential.`
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
    ? html`Anyone who can reach this instance, or ${words}.`
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

/** The name and media type of a body. An unnamed JSON object needs none, because its fields follow. */
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
  const tables = schema && view.fields.tables(`Fields of the ${status} response`, schema, 'answered')
  return tables && html`<details><summary>Fields</summary>\n${tables}</details>\n`
})}</div>\n`

const isProblem = ([, { content }]: [string, Response]): boolean =>
  content !== undefined && PROBLEM in content

const answersOf = ({ responses }: Operation, view: OperationView): SafeHtml => {
  const all = Object.entries(responses as Record<string, Response>).filter(([status]) => status !== 'default')
  const problems = all.filter(isProblem)
  return html`<h4>Responses</h4>
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

/** Renders one operation: description and fields on one side, example request and response on the other. */
const operationSection = (placed: PlacedOperation, view: OperationView): SafeHtml => {
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

interface Convention {
  id: string
  title: string
  text: string
}

/** Rules that apply to every operation. */
const CONVENTIONS: readonly Convention[] = [
  {
    id: 'about-json',
    title: 'JSON bodies',
    text: `Bodies are JSON with camelCase names. Send them with \`Content-Type: application/json\`. Operations with other media
types name them. The limit of a JSON body is 1 MiB.

A single resource is a plain object, without an envelope. A create returns 201 with the address in \`Location\`, an update
returns 200 with the whole resource, a delete returns 204 without a body. \`HEAD\` works wherever \`GET\` does, and
\`OPTIONS\` lists the methods of a path. Ids are opaque.`,
  },
  {
    id: 'about-access',
    title: 'Who may call',
    text: `Each operation lists who may call it. Send the credential as \`Authorization: Bearer …\`: the access token of a
session, or a personal access token, which starts with \`fct_\` and is limited to its scopes.

A credential is always verified, even where none is required: an invalid one is a 401, one without permission a 403.
Requests from pages of other sites are rejected unless the operator has allowed the site.`,
  },
  {
    id: 'about-times',
    title: 'Times',
    text: `Responses contain times in UTC (RFC 3339) with milliseconds: \`2026-03-09T08:30:00.000Z\`.

Requests may use any offset, as in \`2026-03-09T09:30:00+01:00\`. A date without a time, such as \`2026-03-09\`, is
interpreted in the time zone of the instance.`,
  },
  {
    id: 'about-collections',
    title: 'Collections and cursors',
    text: `A collection is an object with the list under its plural name, and \`nextCursor\`. To get the next page, repeat the
request with that value as \`cursor\`. On the last page \`nextCursor\` is \`null\`.

A page holds 50 entries by default; \`limit\` accepts 1 to 200. A cursor is opaque: do not build or change one.`,
  },
  {
    id: 'about-versions',
    title: 'Versions: ETag and If-Match',
    text: `A single resource has an \`ETag\` that identifies its version. Send it as \`If-Match\` with \`PATCH\` or \`DELETE\`: if the
resource has changed since, the response is 412 and nothing changes. Without \`If-Match\` the last change wins.

With \`If-None-Match\` a \`GET\` returns 304 without a body while you have the current version.`,
  },
  {
    id: 'about-retries',
    title: 'Safe retries: Idempotency-Key',
    text: `Every \`POST\` that creates or sends something accepts an \`Idempotency-Key\`: a unique text for this request, such as a
UUID. If the connection breaks, repeat the request with the same key. It is executed once, and the retry returns the first
response again, with \`Idempotency-Replayed: true\`.

A key belongs to the caller, the method and the path, and is stored for 24 hours. The same key with another body is a 409,
and so is a retry while the first request is still in progress. Server errors (5xx) and responses that contain a secret are
not stored: a retry runs again.`,
  },
  {
    id: 'about-strictness',
    title: 'Unknown fields are rejected',
    text: `An unknown field or query parameter is a 400, which names it and suggests the most similar known name. A misspelled
field is never ignored.`,
  },
  {
    id: 'about-limits',
    title: 'Limits',
    text: `While access is private, an instance limits the requests per minute and client. The \`RateLimit-*\` headers contain the
remaining number; \`Retry-After\` of a 429 contains the seconds to wait.`,
  },
  {
    id: 'about-problems',
    title: 'Problems',
    text: `Every error is \`application/problem+json\` (RFC 9457). \`detail\` is a message for people and may change; \`code\` is stable
for programs. \`requestId\` identifies the request in the log. \`errors\` lists each invalid field with its \`path\`. \`type\`
links to the code’s entry in the error catalogue below.`,
  },
]

/** The document's example of a problem with field errors. */
const problemExample = ({ paths }: OpenApiDocument): unknown =>
  Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .map(({ responses }) => responses['400']?.content as Record<string, { example?: unknown }> | undefined)
    .map((content) => content?.['application/problem+json']?.example)
    .find((example) => example !== undefined)

const conventionSection = ({ id, title, text }: Convention): SafeHtml =>
  html`<section class="convention" id="${id}">\n<h3>${title}</h3>\n${prose(text)}</section>\n`

const introduction = (document: OpenApiDocument): SafeHtml => {
  const example = problemExample(document)
  return html`<section class="chapter" id="section-introduction">
<h2>Introduction</h2>
<div class="lead">${prose(document.info.description)}</div>
${CONVENTIONS.map(conventionSection)}${example !== undefined && sample('A problem', example)}</section>\n`
}

interface Group {
  name: string
  description: string
  operations: PlacedOperation[]
}

/** Groups each operation under its first tag, also under a tag without description. */
const groupsOf = ({ tags, paths }: OpenApiDocument): Group[] => {
  const groups = new Map<string, Group>(tags.map((tag) => [tag.name, { ...tag, operations: [] }]))
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = operation.tags[0] ?? 'Other'
      const group = groups.get(name) ?? { name, description: '', operations: [] }
      group.operations.push({ method, path, operation })
      groups.set(name, group)
    }
  return [...groups.values()].filter(({ operations }) => operations.length > 0)
}

const groupId = ({ name }: Group): string => `tag-${anchor(name)}`

const navigationGroup = (group: Group): SafeHtml =>
  html`<li><a class="group" href="#${groupId(group)}">${group.name}</a>
<ul>
${group.operations.map(
  ({ method, operation }) =>
    html`<li><a href="#${anchor(operation.operationId)}">${operation.summary} ${methodBadge(method)}</a></li>\n`,
)}</ul></li>\n`

/** Folded at the top of narrow screens; always open beside the text on wide ones. */
const navigation = (groups: Group[], hasSchemas: boolean): SafeHtml =>
  html`<nav id="section-contents" aria-label="Contents">
<details>
<summary>Contents</summary>
<ul class="contents">
<li><a class="group" href="#section-introduction">Introduction</a>
<ul>
${CONVENTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></li>
${groups.map(navigationGroup)}<li><a class="group" href="#section-errors">Errors</a></li>
${hasSchemas && html`<li><a class="group" href="#section-schemas">Schemas</a></li>\n`}</ul>
</details>
</nav>\n`

const back = html`<p class="back"><a href="#section-contents">Back to the contents</a></p>\n`

const errorsChapter = html`<section class="chapter" id="section-errors">
<h2>Errors</h2>
<p>Every error <code>code</code>, its meaning, and what to do.</p>
${ERROR_CATALOGUE.map(
  ({ code, status, meaning, remedy }) => html`<section class="error" id="error-${anchor(code)}">
<h3><a href="#error-${anchor(code)}"><code>${code}</code></a> <span class="status">${status}</span></h3>
<p>${line(meaning)}</p>
<p class="remedy"><strong>What to do</strong> ${line(remedy)}</p>
</section>\n`,
)}${back}</section>\n`

const schemasChapter = (
  components: Record<string, Shape>,
  fields: ReturnType<typeof createFieldTables>,
): SafeHtml =>
  html`<section class="chapter" id="section-schemas">
<h2>Schemas</h2>
<p>The schemas that several operations share.</p>
${Object.entries(components).map(
  ([name, shape]) => html`<section class="schema" id="schema-${anchor(name)}">
<h3><a href="#schema-${anchor(name)}">${name}</a></h3>
${prose(shape.description)}${fields.tables(name, shape, 'answered') ?? html`<p>An object without fields.</p>\n`}</section>\n`,
)}${back}</section>\n`

/** Renders the whole reference as one page without scripts. The example commands call `baseUrl`. */
export const renderDocs = (document: OpenApiDocument, baseUrl = 'http://127.0.0.1:3000'): string => {
  const { info } = document
  const components = document.components.schemas as Record<string, Shape>
  const shapes = createShapes(components)
  const fields = createFieldTables(shapes)
  const groups = groupsOf(document)
  const hasSchemas = Object.keys(components).length > 0
  const chapters = groups.map(
    (group) => html`<section class="chapter" id="${groupId(group)}">
<h2>${group.name}</h2>
${prose(group.description)}
${group.operations.map((placed) => operationSection(placed, { shapes, fields, baseUrl }))}${back}</section>\n`,
  )
  return toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}: API reference</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#section-main">Skip to content</a>
<div class="sidebar">
<header>
<h1>${info.title} <span class="version">${info.version}</span></h1>
<p><a href="/api-docs">OpenAPI document</a></p>
</header>
${navigation(groups, hasSchemas)}</div>
<main id="section-main" tabindex="-1">
${introduction(document)}${chapters}${errorsChapter}${hasSchemas && schemasChapter(components, fields)}</main>
</body>
</html>
`)
}
