import { escapeHtml, htmlToText } from '../html-text.ts'
import type { Fields } from '../seeds.ts'
import type { Sender } from '../use-draft.ts'

/** The fields of a template, in the order of the help. */
export const TEMPLATE_FIELDS = [
  'firstName',
  'lastName',
  'name',
  'email',
  'subject',
  'date',
  'time',
  'myName',
  'myEmail',
] as const
type TemplateField = (typeof TEMPLATE_FIELDS)[number]

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

const isField = (name: string): name is TemplateField => (TEMPLATE_FIELDS as readonly string[]).includes(name)

interface Context {
  fields: Fields
  sender: Sender | undefined
  date: string
  time: string
}

const toValues = ({ fields, sender, date, time }: Context): Readonly<Record<TemplateField, string>> => {
  const [recipient] = fields.to
  const name = recipient?.name.trim() ?? ''
  const words = name.split(/\s+/)
  return {
    firstName: words[0] ?? '',
    lastName: words.length > 1 ? (words.at(-1) ?? '') : '',
    name,
    email: recipient?.address ?? '',
    subject: fields.subject,
    date,
    time,
    myName: sender?.name ?? '',
    myEmail: sender?.address ?? '',
  }
}

/** Replaces the fields of a template. A field without a value stays, so that the user fills it in. */
export const fillTemplate = (template: string, context: Context, { isHtml }: { isHtml: boolean }): string => {
  const values = toValues(context)
  return template.replace(PLACEHOLDER, (whole, name: string) => {
    const value = isField(name) ? values[name] : ''
    return value === '' ? whole : isHtml ? escapeHtml(value) : value
  })
}

/** Fields that were not filled in, as written. */
export const listUnfilledFields = ({ subject, text, html }: Fields): string[] => {
  const written = `${subject}\n${html === null ? text : htmlToText(html)}`
  return [
    ...new Set(
      [...written.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => (isField(name) ? [`{{${name}}}`] : [])),
    ),
  ]
}
