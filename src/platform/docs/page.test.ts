import { describe, expect, it } from 'vitest'
import { describeApi, type OpenApiDocument } from '../http/openapi.ts'
import type { RouteEntry } from '../http/route-table.ts'
import { readDocsStyle } from './html.ts'
import { renderDocs } from './page.ts'

/** Repeats every code, so that a test fails if the catalogue loses one. */
const CODES = `validation_failed unauthorized invalid_credentials two_factor_required invalid_two_factor_code
  invalid_refresh_token refresh_token_reused forbidden origin_not_allowed host_not_allowed registration_closed invalid_reset_token
  page_unavailable spending_limit reset_mail_not_seen reset_other_browser system_mail unreadable_calendar unreadable_captions unreadable_message
  insufficient_scope not_found method_not_allowed conflict email_taken not_configured payment_refused meeting_refused idempotency_mismatch
  precondition_failed too_large unsupported_media_type rate_limited internal upstream_failed unavailable
  upstream_timeout`.split(/\s+/)

const HOSTILE = `<script>alert("1")</script><img src=x onerror='alert(2)'>`

const Note = {
  title: 'Note',
  type: 'object',
  description: 'Something to remember',
  required: ['id', 'text'],
  properties: {
    id: { type: 'integer', examples: [7] },
    text: { type: 'string', examples: [HOSTILE] },
    author: {
      anyOf: [
        { title: 'Author', type: 'object', properties: { name: { type: 'string' } } },
        { type: 'null' },
      ],
    },
  },
}

const routes = [
  {
    method: 'GET',
    url: '/api/notes',
    access: 'switched',
    scope: 'tasks:read',
    config: {},
    schema: {
      operationId: 'listNotes',
      summary: `List ${HOSTILE}`,
      description: 'What was noted, `newest` first.\n\nNothing is **bold** here.',
      tags: ['Notes & more'],
      querystring: {
        type: 'object',
        required: ['since'],
        properties: {
          since: { type: 'string', description: HOSTILE, examples: ['2026-03-09 & later'] },
          limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
        },
      },
      response: { 200: { type: 'object', properties: { notes: { type: 'array', items: Note } } } },
    },
  },
  {
    method: 'POST',
    url: '/api/notes',
    access: 'session',
    config: { idempotency: 'kept' },
    schema: {
      operationId: 'createNote',
      summary: 'Write a note',
      tags: ['Notes & more'],
      body: {
        type: 'object',
        required: ['text', 'place'],
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 500, examples: [`it's <b>`] },
          place: {
            type: 'object',
            required: ['section'],
            properties: { section: { type: 'string', enum: ['upper', 'lower'] } },
          },
        },
      },
      response: { 201: Note },
    },
  },
  {
    method: 'GET',
    url: '/api/notes/:id',
    access: 'public',
    config: {},
    schema: {
      operationId: 'getNote',
      summary: 'Read a note',
      tags: ['Undescribed'],
      params: { type: 'object', properties: { id: { type: 'integer', examples: [7] } } },
      response: { 200: Note },
    },
  },
] as unknown as RouteEntry[]

const describeNotes = (): OpenApiDocument =>
  describeApi(
    { entries: () => routes },
    {
      title: `Notes ${HOSTILE}`,
      version: '1.2.3',
      description: 'All about notes.',
      access: 'private',
      publicUrl: null,
      tags: [{ name: 'Notes & more', description: HOSTILE }],
    },
  )

const page = renderDocs(describeNotes(), 'https://notes.example.com/')

const idsOf = (markup: string): string[] =>
  [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id as string)
const tagsOf = (markup: string): string[] => markup.match(/<[^>]*>/g) ?? []
const sectionOf = (id: string): string =>
  page.slice(page.indexOf(`<section class="operation" id="${id}"`)).split('</section>', 1)[0] as string

describe('the reference page', () => {
  it('escapes hostile text', () => {
    expect(page).toContain('&lt;script&gt;alert(')
    expect(page.match(/<\/?(script|img|b|style|iframe)\b/gi)).toBeNull()
    expect(sectionOf('listNotes')).toContain(
      '&quot;&lt;script&gt;alert(\\&quot;1\\&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&quot;',
    )
  })

  it('has no inline code that the page policy would block', () => {
    for (const tag of tagsOf(page)) expect(tag).not.toMatch(/\s(style|on\w+)\s*=|javascript:/i)
    expect(tagsOf(page).filter((tag) => /\s(src|srcset|action)=/i.test(tag))).toEqual([])
    expect(tagsOf(page).filter((tag) => tag.startsWith('<link'))).toEqual([
      '<link rel="icon" href="/favicon.svg">',
      '<link rel="stylesheet" href="/docs/style.css">',
    ])
  })

  it('has an anchor for every operation, every error code and every schema', () => {
    const ids = idsOf(page)
    expect(ids).toEqual(
      expect.arrayContaining(['listNotes', 'createNote', 'getNote', 'schema-Note', 'schema-Author']),
    )
    expect(ids.filter((id) => id.startsWith('error-')).sort()).toEqual(
      CODES.map((code) => `error-${code}`).sort(),
    )
  })

  it('never uses an id twice', () => {
    const ids = idsOf(page)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('resolves every link within the page', () => {
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target as string)
    expect(targets.length).toBeGreaterThan(CODES.length)
    expect(targets.filter((target) => !idsOf(page).includes(target))).toEqual([])
  })

  it('has headings in order, with one first-level heading', () => {
    const levels = [...page.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    for (const [index, level] of levels.entries())
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1)
  })

  it('lists an operation whose tag has no description', () => {
    expect(page).toContain('<a class="group" href="#tag-Undescribed">Undescribed</a>')
  })

  it('renders backticks and blank lines in a description, and no other markup', () => {
    expect(sectionOf('listNotes')).toContain('<p>What was noted, <code>newest</code> first.</p>')
    expect(sectionOf('listNotes')).toContain('<p>Nothing is **bold** here.</p>')
  })

  it('describes who may call an operation', () => {
    expect(sectionOf('getNote')).toContain('Anyone, without a credential.')
    expect(sectionOf('createNote')).toContain('Only a signed-in user.')
    expect(sectionOf('listNotes')).toContain(
      'Only a signed-in user or a personal access token with the scope.',
    )
  })

  it('renders nested fields below their parent field', () => {
    const rows = sectionOf('createNote')
      .split('<h4>Body</h4>')[1]
      ?.match(/<tr class="depth-\d">\s*<th[^>]*><code>\w+/g)
    expect(rows?.slice(0, 3).map((row) => row.replace(/\s*<th[^>]*><code>/, ' '))).toEqual([
      '<tr class="depth-0"> text',
      '<tr class="depth-0"> place',
      '<tr class="depth-1"> section',
    ])
    expect(sectionOf('createNote')).toContain('1 to 500 characters')
    expect(sectionOf('createNote')).toContain('one of <code>upper</code> or <code>lower</code>')
  })

  it('links a component inside a response to its schema, nullable or not', () => {
    expect(sectionOf('listNotes')).toContain('array of <a href="#schema-Note">Note</a>')
    expect(sectionOf('getNote')).toContain('<a href="#schema-Author">Author</a> or null')
  })

  it('lists the errors of an operation with links to the catalogue', () => {
    expect(sectionOf('getNote')).toContain(
      '<li><a href="#error-not_found"><span class="status">404</span> <code>not_found</code></a> — Not found</li>',
    )
  })
})

/** Returns the command as the reader sees and copies it. */
const commandOf = (id: string): string =>
  (/<pre class="command"[^>]*><code>([^<]*)/.exec(sectionOf(id))?.[1] ?? '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

describe('the example commands', () => {
  it('call the configured instance, with path and query filled in', () => {
    expect(commandOf('getNote')).toBe(`curl 'https://notes.example.com/api/notes/7'`)
    expect(commandOf('listNotes')).toBe(
      `curl 'https://notes.example.com/api/notes?since=2026-03-09+%26+later' \\\n  -H "Authorization: Bearer $TOKEN"`,
    )
    expect(renderDocs(describeNotes())).toContain('http://127.0.0.1:3000/api/notes/7')
  })

  it('quote a body for the shell', () => {
    expect(commandOf('createNote')).toBe(
      `curl -X POST 'https://notes.example.com/api/notes' \\\n  -H "Authorization: Bearer $TOKEN" \\\n` +
        `  -H 'Content-Type: application/json' \\\n  -d '{\n    "text": "it'\\''s <b>",\n    "place": {\n      "section": "upper"\n    }\n  }'`,
    )
  })
})

describe('the stylesheet', () => {
  it('loads nothing from other places, and supports dark screens and print', () => {
    const style = readDocsStyle()
    expect(style).not.toMatch(/url\(|@import|@font-face/)
    expect(style).toContain('prefers-color-scheme: dark')
    expect(style).toContain('@media print')
  })
})
