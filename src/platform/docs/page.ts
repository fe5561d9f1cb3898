import type { OpenApiDocument } from '../http/openapi.ts'
import { ERROR_CATALOGUE } from './error-catalogue.ts'
import { createFieldTables } from './fields.ts'
import { html, type SafeHtml, toText } from './html.ts'
import { CONVENTIONS, introduction } from './introduction.ts'
import { methodBadge, operationSection, type PlacedOperation } from './operation.ts'
import { createShapes, type Shape } from './shapes.ts'
import { anchor, line, prose } from './text.ts'

interface Group {
  name: string
  description: string
  operations: PlacedOperation[]
}

/** Each operation once, under its first tag; a tag that nobody described still gets its group. */
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

/** Folded on narrow screens, where it stands on top; always open beside the text on wide ones. */
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
<p>Every <code>code</code> that a problem may carry, what it means, and what helps.</p>
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
<p>The shapes that several operations share.</p>
${Object.entries(components).map(
  ([name, shape]) => html`<section class="schema" id="schema-${anchor(name)}">
<h3><a href="#schema-${anchor(name)}">${name}</a></h3>
${prose(shape.description)}${fields.tables(name, shape, 'answered') ?? html`<p>An object without fields.</p>\n`}</section>\n`,
)}${back}</section>\n`

/** The whole reference as one page without any script. `baseUrl` is where the example commands call. */
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
<a class="skip" href="#section-main">Skip to the text</a>
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
