import type { OpenApiDocument } from '../http/openapi.ts'
import { html, type SafeHtml } from './html.ts'
import { prose, sample } from './text.ts'

interface Convention {
  id: string
  title: string
  text: string
}

/** What holds for every operation, so that none of them has to repeat it. */
export const CONVENTIONS: readonly Convention[] = [
  {
    id: 'about-json',
    title: 'JSON in, JSON out',
    text: `Bodies are JSON with camelCase names. Send them with \`Content-Type: application/json\`; where an operation takes
or gives something else, it says so. A JSON body may be up to 1 MiB.

A single resource is the bare object, without an envelope. Creating one answers 201 and names its address in \`Location\`;
changing one answers 200 with the whole resource; deleting one answers 204 with nothing. \`HEAD\` works wherever \`GET\` does,
and \`OPTIONS\` lists the methods a path takes. Take an id as it comes, and do not calculate with it.`,
  },
  {
    id: 'about-access',
    title: 'Who may call',
    text: `Each operation says who may call it. A credential goes into the header \`Authorization: Bearer …\`: the access
token from signing in, or a personal access token, which starts with \`fct_\` and reaches only what its scopes cover.

A credential that is sent is always checked, even where none is needed: a bad one is a 401, one that falls short a 403.
Pages of other sites are turned away unless the operator has let them in.`,
  },
  {
    id: 'about-times',
    title: 'Times',
    text: `Answers give times in UTC as RFC 3339 has them, with milliseconds: \`2026-03-09T08:30:00.000Z\`.

Requests may use any offset, as in \`2026-03-09T09:30:00+01:00\`. A bare date such as \`2026-03-09\` is read in the
instance’s own time zone.`,
  },
  {
    id: 'about-collections',
    title: 'Collections and cursors',
    text: `A collection is an object with the list under its plural name, and \`nextCursor\`. To get the next page, repeat the
request with that value as \`cursor\`; when \`nextCursor\` is \`null\`, you have it all.

A page holds 50 entries, or as many as \`limit\` says: 1 to 200. A cursor is opaque: do not build or change one.`,
  },
  {
    id: 'about-versions',
    title: 'Versions: ETag and If-Match',
    text: `A single resource comes with an \`ETag\` that names its version. Send it as \`If-Match\` with \`PATCH\` or \`DELETE\`, and
the change is made only if nobody else was faster; otherwise the answer is 412 and nothing has changed. Without
\`If-Match\` the last change wins.

With \`If-None-Match\` a \`GET\` answers 304, and no body, as long as you have the current version.`,
  },
  {
    id: 'about-retries',
    title: 'Safe retries: Idempotency-Key',
    text: `Every \`POST\` that creates or sends something takes an \`Idempotency-Key\`: any text you make up for this one request,
a UUID for instance. If the connection breaks, repeat the request with the same key. It is done once, and the repeat gets
the first answer again, marked \`Idempotency-Replayed: true\`.

A key belongs to the caller, the method and the path, and is remembered for 24 hours. The same key with another body is a
409, and so is a repeat while the first request is still at work. Failures on this side (5xx) and answers that hold a
secret are not remembered: a repeat runs anew.`,
  },
  {
    id: 'about-strictness',
    title: 'Nothing is ignored',
    text: `A field or query parameter that an operation does not know is a 400, which names it and the known name nearest to it.
A misspelt field can never be dropped in silence.`,
  },
  {
    id: 'about-limits',
    title: 'Limits',
    text: `An instance that is reached over a network limits how many requests a client may make in a minute. The \`RateLimit-*\`
headers tell how many are left; a 429 says in \`Retry-After\` how many seconds to wait.`,
  },
  {
    id: 'about-problems',
    title: 'Problems',
    text: `Every error is \`application/problem+json\` as RFC 9457 describes it. \`detail\` is for people and may change its words;
\`code\` is for programs and stays. \`requestId\` names the request in the log. When fields are wrong, \`errors\` lists each of
them with its \`path\`. \`type\` leads to the code’s entry in the error catalogue below.`,
  },
]

/** The document's own example of a problem that names fields. */
const problemExample = ({ paths }: OpenApiDocument): unknown =>
  Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .map(({ responses }) => responses['400']?.content as Record<string, { example?: unknown }> | undefined)
    .map((content) => content?.['application/problem+json']?.example)
    .find((example) => example !== undefined)

const conventionSection = ({ id, title, text }: Convention): SafeHtml =>
  html`<section class="convention" id="${id}">\n<h3>${title}</h3>\n${prose(text)}</section>\n`

export const introduction = (document: OpenApiDocument): SafeHtml => {
  const example = problemExample(document)
  return html`<section class="chapter" id="section-introduction">
<h2>Introduction</h2>
<div class="lead">${prose(document.info.description)}</div>
${CONVENTIONS.map(conventionSection)}${example !== undefined && sample('A problem', example)}</section>\n`
}
