import type { XmlElement } from '../../platform/xml.ts'
import type { DavBackend } from './backend.ts'
import type { TrackedCollection } from './collection-log.ts'
import { A, C, D, type Element, I, S, Xml } from './elements.ts'
import { COLLATION_NAMES } from './icalendar/filter.ts'
import type { PropertyResult } from './multistatus.ts'
import type { Target } from './paths.ts'
import type { ResourceRecord } from './repository.ts'
import { canWrite, type Listed, type Session } from './session.ts'
import type { TokenWriter } from './sync-token.ts'

/** The resource of a property. */
export type Subject =
  | { type: Exclude<Target['type'], 'collection' | 'resource' | 'home'> }
  | { type: 'home'; home: 'calendars' | 'addressbooks' }
  | { type: 'collection'; collection: TrackedCollection }
  | { type: 'resource'; collection: TrackedCollection; row: ResourceRecord; etag: string; text?: string }

export interface PropertyContext {
  session: Session
  tokens: TokenWriter
  /** Reads the text of a resource. */
  readText(collection: TrackedCollection, uid: string): Promise<string | undefined>
}

interface Property {
  element: Element
  /** Whether allprop contains it. RFC 4791 §5.2 and RFC 6578 §4: their properties should not be there. */
  isBasic?: true
  /** Undefined if the subject does not have the property. */
  write(subject: Subject, context: PropertyContext): Xml | undefined | Promise<Xml | undefined>
}

const REPORTS = {
  calendars: [C.calendarMultiget, C.calendarQuery, C.freeBusyQuery, D.syncCollection],
  addressbooks: [A.addressbookMultiget, D.syncCollection],
} as const

const isAddressBook = ({ kind }: Listed): boolean => kind === 'addressBook'

/** RFC 4791 §5.2 and RFC 6352 §5.2: a collection has both types. */
const writeType = (subject: Subject): Xml => {
  if (subject.type === 'resource') return D.resourcetype()
  if (subject.type === 'principal') return D.resourcetype(D.collection(), D.principal())
  if (subject.type !== 'collection') return D.resourcetype(D.collection())
  return D.resourcetype(D.collection(), isAddressBook(subject.collection) ? A.addressbook() : C.calendar())
}

/** RFC 3744 §5.4. Aggregated privileges are listed with those that they contain. */
const writePrivileges = (subject: Subject): Xml => {
  const names: Element[] = []
  const collection = 'collection' in subject ? subject.collection : undefined
  if (collection?.rights !== 'freeBusy') names.push(D.read, D.readCurrentUserPrivilegeSet)
  if (collection && !isAddressBook(collection)) names.push(C.readFreeBusy)
  if (collection && canWrite(collection)) {
    if (collection.rights === 'owner') names.push(D.write)
    names.push(D.writeContent, D.writeProperties, D.bind, D.unbind)
  }
  if (subject.type === 'home') names.push(D.bind, D.unbind)
  return D.currentUserPrivilegeSet(names.map((name) => D.privilege(name())))
}

/** RFC 4791 §9.6: the content of a resource is a property in reports only. */
const writeData = (element: Element, type: string, subject: Subject): Xml | undefined =>
  subject.type === 'resource' &&
  subject.text !== undefined &&
  subject.collection.backend.contentType.startsWith(type)
    ? element(subject.text)
    : undefined

type Limits = NonNullable<DavBackend['limits']>

const writeLimit = (subject: Subject, write: (limits: Limits) => Xml): Xml | undefined => {
  const limits = subject.type === 'collection' ? subject.collection.backend.limits : undefined
  return limits && write(limits)
}

const PROPERTIES: readonly Property[] = [
  { element: D.resourcetype, isBasic: true, write: writeType },
  {
    element: D.displayname,
    isBasic: true,
    write(subject, { session }) {
      if (subject.type === 'principal') return D.displayname(session.person.name)
      return subject.type === 'collection' ? D.displayname(subject.collection.displayName) : undefined
    },
  },
  {
    element: D.getetag,
    isBasic: true,
    write: (subject) => (subject.type === 'resource' ? D.getetag(subject.etag) : undefined),
  },
  {
    element: D.getcontenttype,
    isBasic: true,
    write: (subject) =>
      subject.type === 'resource' ? D.getcontenttype(subject.collection.backend.contentType) : undefined,
  },
  {
    element: D.getcontentlength,
    async write(subject, { readText }) {
      if (subject.type !== 'resource') return undefined
      const text = subject.text ?? (await readText(subject.collection, subject.row.uid)) ?? ''
      return D.getcontentlength(String(Buffer.byteLength(text)))
    },
  },
  {
    element: C.calendarData,
    write: (subject) => writeData(C.calendarData, 'text/calendar', subject),
  },
  {
    element: A.addressData,
    write: (subject) => writeData(A.addressData, 'text/vcard', subject),
  },
  {
    element: D.currentUserPrincipal,
    write: (_subject, { session }) => D.currentUserPrincipal(D.href(session.principalPath())),
  },
  {
    element: D.principalURL,
    write: ({ type }, { session }) =>
      type === 'principal' ? D.principalURL(D.href(session.principalPath())) : undefined,
  },
  {
    element: D.owner,
    // The principals of other accounts are not visible.
    write: (subject, { session }) =>
      subject.type === 'home' || ('collection' in subject && subject.collection.ownerId === session.account)
        ? D.owner(D.href(session.principalPath()))
        : undefined,
  },
  {
    element: D.principalCollectionSet,
    write: (_subject, { session }) => D.principalCollectionSet(D.href(session.path('principals'))),
  },
  { element: D.currentUserPrivilegeSet, write: writePrivileges },
  {
    element: D.supportedReportSet,
    write(subject) {
      const reports: readonly Element[] =
        subject.type === 'collection'
          ? REPORTS[isAddressBook(subject.collection) ? 'addressbooks' : 'calendars']
          : []
      return D.supportedReportSet(reports.map((report) => D.supportedReport(D.report(report()))))
    },
  },
  {
    element: C.calendarHomeSet,
    write: ({ type }, { session }) =>
      type === 'principal' ? C.calendarHomeSet(D.href(session.homePath('calendars'))) : undefined,
  },
  {
    element: A.addressbookHomeSet,
    write: ({ type }, { session }) =>
      type === 'principal' ? A.addressbookHomeSet(D.href(session.homePath('addressbooks'))) : undefined,
  },
  {
    element: C.supportedCalendarComponentSet,
    write: (subject) =>
      subject.type === 'collection' && subject.collection.backend.component
        ? C.supportedCalendarComponentSet(C.comp.with({ name: subject.collection.backend.component }))
        : undefined,
  },
  {
    element: C.supportedCalendarData,
    write: (subject) =>
      subject.type === 'collection' && !isAddressBook(subject.collection)
        ? C.supportedCalendarData(C.calendarData.with({ 'content-type': 'text/calendar', version: '2.0' }))
        : undefined,
  },
  {
    element: C.supportedCollationSet,
    write: (subject) =>
      subject.type === 'collection' && !isAddressBook(subject.collection)
        ? C.supportedCollationSet(COLLATION_NAMES.map((name) => C.supportedCollation(name)))
        : undefined,
  },
  {
    element: C.maxResourceSize,
    write: (subject) =>
      subject.type === 'collection' && !isAddressBook(subject.collection)
        ? C.maxResourceSize(String(subject.collection.backend.maxResourceSize))
        : undefined,
  },
  {
    element: C.minDateTime,
    write: (subject) => writeLimit(subject, ({ minDateTime }) => C.minDateTime(minDateTime)),
  },
  {
    element: C.maxDateTime,
    write: (subject) => writeLimit(subject, ({ maxDateTime }) => C.maxDateTime(maxDateTime)),
  },
  {
    element: C.maxInstances,
    write: (subject) => writeLimit(subject, ({ maxInstances }) => C.maxInstances(String(maxInstances))),
  },
  {
    element: A.maxResourceSize,
    write: (subject) =>
      subject.type === 'collection' && isAddressBook(subject.collection)
        ? A.maxResourceSize(String(subject.collection.backend.maxResourceSize))
        : undefined,
  },
  {
    element: D.syncToken,
    write: (subject, { tokens }) =>
      subject.type === 'collection' && subject.collection.rights !== 'freeBusy'
        ? D.syncToken(tokens.write(subject.collection.log))
        : undefined,
  },
  {
    element: S.getctag,
    write: (subject, { tokens }) =>
      subject.type === 'collection' && subject.collection.rights !== 'freeBusy'
        ? S.getctag(tokens.write(subject.collection.log))
        : undefined,
  },
  {
    element: I.calendarColor,
    write: (subject) =>
      subject.type === 'collection' && subject.collection.color !== null
        ? I.calendarColor(subject.collection.color)
        : undefined,
  },
]

const BY_KEY = new Map(PROPERTIES.map((property) => [property.element.key, property]))
const BASIC = PROPERTIES.filter(({ isBasic }) => isBasic).map(({ element }) => element.key)

/** Whether clients cannot set the property (RFC 4918 §15). */
export const isComputed = (key: string): boolean =>
  BY_KEY.has(key) && key !== D.displayname.key && key !== I.calendarColor.key

/** The properties that a client set and the server only keeps: XML by name. */
export const readKept = ({ properties }: { properties: string }): Map<string, string> =>
  new Map(Object.entries(JSON.parse(properties) as Record<string, string>))

/** The properties that a client asks for: some, or all with some more. */
export type Wanted =
  | { kind: 'names' }
  | { kind: 'some'; keys: readonly string[] }
  | { kind: 'all'; keys: readonly string[] }

/** RFC 4918 §9.1: no body means all. */
export const readWanted = (root: XmlElement | undefined): Wanted | undefined => {
  const keysOf = (name: string): string[] =>
    root?.children
      .filter((child) => child.name === name)
      .flatMap(({ children }) => children.map((one) => one.name)) ?? []
  if (root === undefined) return { kind: 'all', keys: [] }
  if (root.children.some(({ name }) => name === D.propname.key)) return { kind: 'names' }
  if (root.children.some(({ name }) => name === D.allprop.key))
    return { kind: 'all', keys: keysOf(D.include.key) }
  return root.children.some(({ name }) => name === D.prop.key)
    ? { kind: 'some', keys: keysOf(D.prop.key) }
    : undefined
}

/** Reads the wanted properties of a subject. Other properties have the status 404. */
export const readProperties = async (
  subject: Subject,
  wanted: Wanted,
  context: PropertyContext,
): Promise<PropertyResult> => {
  const kept = subject.type === 'collection' ? readKept(subject.collection.own) : new Map<string, string>()
  const keys =
    wanted.kind === 'some'
      ? wanted.keys
      : [
          ...new Set([
            ...(wanted.kind === 'names' ? BY_KEY.keys() : BASIC),
            ...kept.keys(),
            ...(wanted.kind === 'all' ? wanted.keys : []),
          ]),
        ]
  const found: Xml[] = []
  const missing: string[] = []
  for (const key of new Set(keys)) {
    const property = BY_KEY.get(key)
    const stored = kept.get(key)
    const xml =
      (await property?.write(subject, context)) ?? (stored === undefined ? undefined : new Xml(stored))
    if (xml) found.push(wanted.kind === 'names' && property ? property.element() : xml)
    else missing.push(key)
  }
  return { found, missing: new Map(wanted.kind === 'some' && missing.length > 0 ? [[404, missing]] : []) }
}
