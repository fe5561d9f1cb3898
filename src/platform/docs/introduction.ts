import { ERROR_CATALOGUE } from './error-catalogue.ts'

/** Rules that apply to every operation. */
const CONVENTIONS: readonly { title: string; text: string }[] = [
  {
    title: 'JSON bodies',
    text: `Bodies are JSON with camelCase names. Send them with \`Content-Type: application/json\`. Operations with other media
types name them. The limit of a JSON body is 1 MiB.

A single resource is a plain object, without an envelope. A create returns 201 with the address in \`Location\`, an update
returns 200 with the whole resource, a delete returns 204 without a body. \`HEAD\` works wherever \`GET\` does, and
\`OPTIONS\` lists the methods of a path. Ids are opaque.`,
  },
  {
    title: 'Who may call',
    text: `Each operation lists who may call it. Send the credential as \`Authorization: Bearer …\`: the access token of a
session, or a personal access token, which starts with \`fct_\` and is limited to its scopes.

A credential is always verified, even where none is required: an invalid one is a 401, one without permission a 403.
Requests from pages of other sites are rejected unless the operator has allowed the site.`,
  },
  {
    title: 'Times',
    text: `Responses contain times in UTC (RFC 3339) with milliseconds: \`2026-03-09T08:30:00.000Z\`.

Requests may use any offset, as in \`2026-03-09T09:30:00+01:00\`. A date without a time, such as \`2026-03-09\`, is
interpreted in the time zone of the instance.`,
  },
  {
    title: 'Collections and cursors',
    text: `A collection is an object with the list under its plural name, and \`nextCursor\`. To get the next page, repeat the
request with that value as \`cursor\`. On the last page \`nextCursor\` is \`null\`.

A page holds 50 entries by default; \`limit\` accepts 1 to 200. A cursor is opaque: do not build or change one.`,
  },
  {
    title: 'Versions: ETag and If-Match',
    text: `A single resource has an \`ETag\` that identifies its version. Send it as \`If-Match\` with \`PATCH\` or \`DELETE\`: if the
resource has changed since, the response is 412 and nothing changes. Without \`If-Match\` the last change wins.

With \`If-None-Match\` a \`GET\` returns 304 without a body while you have the current version.`,
  },
  {
    title: 'Safe retries: Idempotency-Key',
    text: `Every \`POST\` that creates or sends something accepts an \`Idempotency-Key\`: a unique text for this request, such as a
UUID. If the connection breaks, repeat the request with the same key. It is executed once, and the retry returns the first
response again, with \`Idempotency-Replayed: true\`.

A key belongs to the caller, the method and the path, and is stored for 24 hours. The same key with another body is a 409,
and so is a retry while the first request is still in progress. Server errors (5xx) and responses that contain a secret are
not stored: a retry runs again.`,
  },
  {
    title: 'Unknown fields are rejected',
    text: `An unknown field or query parameter is a 400, which names it and suggests the most similar known name. A misspelled
field is never ignored.`,
  },
  {
    title: 'Limits',
    text: `While access is private, an instance limits the requests per minute and client. The \`RateLimit-*\` headers contain the
remaining number; \`Retry-After\` of a 429 contains the seconds to wait.`,
  },
  {
    title: 'Problems',
    text: `Every error is \`application/problem+json\` (RFC 9457). \`detail\` is a message for people and may change; \`code\` is stable
for programs. \`requestId\` identifies the request in the log. \`errors\` lists each invalid field with its \`path\`. \`type\`
links to the code’s entry under Errors.`,
  },
]

const describeErrors = (): string =>
  ERROR_CATALOGUE.map(
    ({ code, status, meaning, remedy }) =>
      `### ${code}\n\nStatus ${status}. ${meaning}\n\n**What to do:** ${remedy}`,
  ).join('\n\n')

/** The description of the API in Markdown: the rules of every operation, and every error code. */
export const describeConventions = (summary: string): string =>
  [
    summary,
    'The OpenAPI document is at [/api-docs](/api-docs).',
    ...CONVENTIONS.map(({ title, text }) => `## ${title}\n\n${text}`),
    '## Errors\n\nEvery error `code`, its meaning, and what to do.',
    describeErrors(),
  ].join('\n\n')
