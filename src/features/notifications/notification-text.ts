import Type from 'typebox'
import { compileChecker } from '../../platform/checker.ts'
import { type Language, toLanguage } from '../../platform/language.ts'
import { definitionOf, isKind, type Kind, type Rendering } from './kinds.ts'
import { de } from './locales/de.ts'
import { en, type NotificationTexts } from './locales/en.ts'
import { Moments, type Reader } from './moments.ts'
import { toBody, toTitle } from './plain-line.ts'
import type { NotificationRecord } from './repository.ts'

const TEXTS: Readonly<Record<Language, NotificationTexts>> = { en, de }

/** The texts in the language of an account. */
export const textsFor = ({ locale }: { locale: string }): NotificationTexts => TEXTS[toLanguage(locale)]

export type NotificationData = Readonly<Record<string, unknown>>

/** Many occurrences of a kind as one notification. */
const Combined = Type.Object({
  count: Type.Integer(),
  first: Type.Array(Type.Record(Type.String(), Type.Unknown())),
})

export type CombinableKind = Kind & keyof NotificationTexts['combined']

/** Security notifications and failures are never combined. */
export const isCombinable = (kind: Kind): kind is CombinableKind => Object.hasOwn(en.combined, kind)

export interface RenderedText {
  title: string
  body: string
}

const renderOne = (kind: Kind, data: NotificationData, rendering: Rendering): RenderedText | undefined => {
  const { data: schema, write } = definitionOf(kind)
  if (!compileChecker(schema).Check(data)) return undefined
  const text = write(data, rendering)
  return text && { title: toTitle(text.title), body: toBody(text.body ?? '') }
}

/** Renders the text in the language of the reader, as of now. Undefined for data that this version does not know. */
export const renderData = (
  kind: Kind,
  data: NotificationData,
  reader: Reader,
  now: Date,
): RenderedText | undefined => {
  const rendering: Rendering = { t: textsFor(reader), times: new Moments(reader, now) }
  if (!isCombinable(kind) || !compileChecker(Combined).Check(data)) return renderOne(kind, data, rendering)
  return {
    title: rendering.t.combined[kind](data.count),
    body: toBody(data.first.flatMap((one) => renderOne(kind, one, rendering)?.title ?? []).join(' · ')),
  }
}

/** Rows of earlier versions have no data. They show the text of their creation. */
export const renderNotification = (
  { kind, data, title, body }: Pick<NotificationRecord, 'kind' | 'data' | 'title' | 'body'>,
  reader: Reader,
  now: Date,
): RenderedText =>
  (data !== null && isKind(kind) ? renderData(kind, JSON.parse(data), reader, now) : undefined) ?? {
    title,
    body,
  }

/** The fields of a notification that the API and webhooks share. */
export const toNotificationData = (row: NotificationRecord, reader: Reader, now: Date) => ({
  id: row.id,
  kind: row.kind as Kind,
  data: row.data === null ? null : (JSON.parse(row.data) as NotificationData),
  ...renderNotification(row, reader, now),
  link: row.link,
  createdAt: row.createdAt,
})
