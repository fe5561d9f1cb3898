import { escapeXml, type XmlElement } from '../../platform/xml.ts'

/** XML that is ready to be sent. */
export class Xml {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Content = Xml | string | readonly Content[]
type Attributes = Readonly<Record<string, string>>

/** Characters that XML 1.0 cannot contain (section 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

const escapeText = (text: string): string => escapeXml(text.toWellFormed().replace(FORBIDDEN, ''))

const writeContent = (content: Content): string => {
  if (content instanceof Xml) return content.text
  return typeof content === 'string' ? escapeText(content) : content.map(writeContent).join('')
}

/** An element: a function that writes it, with its name as the reader returns it. */
export interface Element {
  (...content: Content[]): Xml
  readonly key: string
  /** Writes it with attributes. */
  with(attributes: Attributes, ...content: Content[]): Xml
}

const declare = (prefix: string, namespace: string, local: string): Element => {
  const name = `${prefix}:${local}`
  const write = (attributes: string, content: Content[]): Xml => {
    const inner = writeContent(content)
    return new Xml(inner === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner}</${name}>`)
  }
  return Object.assign((...content: Content[]) => write('', content), {
    key: `{${namespace}}${local}`,
    with: (attributes: Attributes, ...content: Content[]) =>
      write(
        Object.entries(attributes)
          .map(([attribute, value]) => ` ${attribute}="${escapeText(value)}"`)
          .join(''),
        content,
      ),
  })
}

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S

type Elements<N extends string> = { readonly [K in N as CamelCase<K>]: Element }

const NAMESPACES = {
  D: 'DAV:',
  C: 'urn:ietf:params:xml:ns:caldav',
  A: 'urn:ietf:params:xml:ns:carddav',
  S: 'http://calendarserver.org/ns/',
  I: 'http://apple.com/ns/ical/',
} as const

/** Declares elements by their names. The property of `sync-token` is `syncToken`. */
const elements = <const N extends string>(
  prefix: keyof typeof NAMESPACES,
  names: readonly N[],
): Elements<N> =>
  Object.fromEntries(
    names.map((name) => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      declare(prefix, NAMESPACES[prefix], name),
    ]),
  ) as Elements<N>

/** RFC 4918 §14 and §15, RFC 3744, RFC 3253 §3.8, RFC 5397, RFC 5689, RFC 6578. */
export const D = elements('D', [
  'all',
  'allprop',
  'authenticated',
  'bind',
  'collection',
  'creationdate',
  'current-user-principal',
  'current-user-privilege-set',
  'displayname',
  'error',
  'getcontentlength',
  'getcontenttype',
  'getetag',
  'getlastmodified',
  'href',
  'include',
  'mkcol',
  'mkcol-response',
  'multistatus',
  'number-of-matches-within-limits',
  'owner',
  'principal',
  'principal-collection-set',
  'principal-URL',
  'privilege',
  'prop',
  'propertyupdate',
  'propfind',
  'propfind-finite-depth',
  'propname',
  'propstat',
  'read',
  'read-current-user-privilege-set',
  'remove',
  'report',
  'resource-must-be-null',
  'resourcetype',
  'response',
  'responsedescription',
  'set',
  'status',
  'supported-report',
  'supported-report-set',
  'sync-collection',
  'sync-level',
  'sync-token',
  'limit',
  'nresults',
  'unbind',
  'valid-resourcetype',
  'valid-sync-token',
  'write',
  'write-content',
  'write-properties',
  'cannot-modify-protected-property',
  'need-privileges',
  'resource',
])

/** RFC 4791. */
export const C = elements('C', [
  'calendar',
  'calendar-collection-location-ok',
  'calendar-data',
  'calendar-description',
  'calendar-query',
  'calendar-timezone',
  'comp-filter',
  'allcomp',
  'allprop',
  'expand',
  'filter',
  'free-busy-query',
  'is-not-defined',
  'limit-recurrence-set',
  'max-date-time',
  'max-instances',
  'min-date-time',
  'param-filter',
  'prop',
  'prop-filter',
  'supported-collation',
  'supported-collation-set',
  'text-match',
  'time-range',
  'timezone',
  'valid-filter',
  'calendar-home-set',
  'calendar-multiget',
  'comp',
  'max-resource-size',
  'mkcalendar',
  'mkcalendar-response',
  'no-uid-conflict',
  'read-free-busy',
  'supported-calendar-component',
  'supported-calendar-component-set',
  'supported-calendar-data',
  'valid-calendar-data',
  'valid-calendar-object-resource',
])

/** RFC 6352. */
export const A = elements('A', [
  'address-data',
  'addressbook',
  'addressbook-home-set',
  'addressbook-multiget',
  'max-resource-size',
  'no-uid-conflict',
  'valid-address-data',
])

/** Extensions of calendarserver.org that clients rely on. */
export const S = elements('S', ['getctag'])

/** Properties that Apple Calendar sets. */
export const I = elements('I', ['calendar-color'])

/** Writes an element that is not declared, such as a property that only a client knows. */
export const writeUndeclared = (key: string): Xml => {
  const [, namespace = '', local = ''] = /^\{(.*)\}([^}]*)$/s.exec(key) ?? []
  return new Xml(
    namespace === '' ? `<${local} xmlns=""/>` : `<X:${local} xmlns:X="${escapeText(namespace)}"/>`,
  )
}

/** Writes a document. Every namespace is declared at its root. */
export const writeDocument = (root: Xml): string => {
  const declarations = Object.entries(NAMESPACES)
    .map(([prefix, namespace]) => ` xmlns:${prefix}="${namespace}"`)
    .join('')
  return `<?xml version="1.0" encoding="utf-8"?>\n${root.text.replace(/^<[^\s/>]+/, (start) => start + declarations)}`
}

/** Writes an element as it was read, for a property that only a client knows. */
export const writeAsRead = ({ name, attributes, text, children }: XmlElement): string => {
  const [, namespace = '', local = ''] = /^\{(.*)\}([^}]*)$/s.exec(name) ?? []
  const said = Object.entries(attributes)
    .filter(([attribute]) => !attribute.startsWith('xmlns') && !attribute.includes(':'))
    .map(([attribute, value]) => ` ${attribute}="${escapeText(value)}"`)
    .join('')
  const inner = children.length > 0 ? children.map(writeAsRead).join('') : escapeText(text)
  return `<X:${local} xmlns:X="${escapeText(namespace)}"${said}>${inner}</X:${local}>`
}
