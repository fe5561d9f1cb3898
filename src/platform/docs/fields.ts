import { anchor, either, html, line, type SafeHtml, toText } from './html.ts'

/** The parts of OpenAPI 3.0's schema object that the reference renders. */
export interface Shape {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: unknown[]
  default?: unknown
  nullable?: boolean
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
}

export interface Resolved extends Shape {
  /** The name of the component, if it is one. */
  name?: string
}

export type Shapes = ReturnType<typeof createShapes>

const REFERENCE = '#/components/schemas/'

const isNull = ({ enum: values }: Shape): boolean => values?.length === 1 && values[0] === null

const allVariantsOf = ({ anyOf, oneOf }: Shape): Shape[] => anyOf ?? oneOf ?? []

export const variantsOf = (shape: Shape): Shape[] =>
  allVariantsOf(shape).filter((variant) => !isNull(variant))

const isNullable = (shape: Shape): boolean => shape.nullable === true || allVariantsOf(shape).some(isNull)

const unique = (markups: SafeHtml[]): SafeHtml[] => [
  ...new Map(markups.map((markup) => [toText(markup), markup])).values(),
]

const range = (least?: number, most?: number, unit = ''): string | undefined => {
  const [from, to] = [least, most].map((bound) => bound?.toLocaleString('en'))
  if (from === undefined && to === undefined) return undefined
  if (to === undefined) return `at least ${from}${unit}`
  if (from === undefined || (least === 0 && unit !== '')) return `at most ${to}${unit}`
  return least === most ? `exactly ${to}${unit}` : `${from} to ${to}${unit}`
}

const code = (value: unknown): SafeHtml =>
  html`<code>${typeof value === 'string' ? value || '""' : JSON.stringify(value)}</code>`

const constraintsOf = (shape: Shape): SafeHtml[] => {
  const values = [shape, ...variantsOf(shape)].flatMap((one) => one.enum ?? [])
  const words = [
    range(shape.minLength, shape.maxLength, ' characters'),
    range(shape.minimum, shape.maximum),
    range(shape.minItems, shape.maxItems, ' items'),
    shape.uniqueItems && 'no item twice',
    shape.minProperties !== undefined && `at least ${shape.minProperties} of its fields`,
  ].filter((word) => typeof word === 'string')
  return [
    ...(values.length > 0 ? [html`${values.length > 1 && 'one of '}${either(values.map(code))}`] : []),
    ...words.map(line),
    ...(shape.pattern !== undefined ? [html`matches ${code(shape.pattern)}`] : []),
    ...(shape.default !== undefined ? [html`${code(shape.default)} by default`] : []),
    ...(shape.items ? constraintsOf(shape.items).map((words) => html`each ${words}`) : []),
  ]
}

/** Resolves and renders the schemas of a document. */
export const createShapes = (components: Record<string, Shape>) => {
  const nameOf = ({ $ref }: Shape): string | undefined => {
    const name = $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined
    return name !== undefined && Object.hasOwn(components, name) ? name : undefined
  }

  /** Resolves a reference or an intersection. */
  const resolve = (shape: Shape): Resolved => {
    const name = nameOf(shape)
    if (name !== undefined) return { ...components[name], name }
    const { allOf, ...own } = shape
    if (!allOf) return own
    const parts = [...allOf.map(resolve), own]
    return {
      ...(allOf.length === 1 ? parts[0] : { type: 'object' }),
      ...own,
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    }
  }

  const plainType = (shape: Shape): SafeHtml => {
    const { name, type, format, items, properties, additionalProperties } = resolve(shape)
    if (name !== undefined) return html`<a href="#schema-${anchor(name)}">${name}</a>`
    const variants = variantsOf(shape)
    if (variants.length > 0) return either(unique(variants.map(typeOf)))
    if (type === 'array' && items) return html`array of ${typeOf(items)}`
    if (type === 'object' && !properties && typeof additionalProperties === 'object')
      return html`map of ${typeOf(additionalProperties)}`
    if (format === 'binary') return html`bytes`
    return html`${type ?? 'any value'}${format !== undefined && html` <span class="format">(${format})</span>`}`
  }

  const typeOf = (shape: Shape): SafeHtml => html`${plainType(shape)}${isNullable(shape) && ' or null'}`

  return { resolve, typeOf, constraintsOf }
}

export interface Field {
  name: string
  shape: Shape
  required: boolean
  /** Location of a parameter: path, query or header. */
  place?: string
}

/**
 * Request fields are expanded completely, and required ones are marked. Response fields link to their
 * components, and optional ones are marked.
 */
type Direction = 'sent' | 'answered'

const PRESENCE: Record<Direction, (required: boolean) => SafeHtml | undefined> = {
  sent: (required) => (required ? html` <span class="required">required</span>` : undefined),
  answered: (required) => (required ? undefined : html` <span class="place">optional</span>`),
}

/** Maximum depth that the stylesheet indents. */
const DEEPEST = 4

const fieldsOf = ({ properties = {}, required = [] }: Shape): Field[] =>
  Object.entries(properties).map(([name, shape]) => ({ name, shape, required: required.includes(name) }))

export const createFieldTables = (shapes: Shapes) => {
  /** The objects inside a value: itself, its items, the values of a map, or the variants of a union. */
  const objectsIn = (shape: Shape, above: string[] = []): Resolved[] => {
    const resolved = shapes.resolve(shape)
    const { name, items, additionalProperties, properties } = resolved
    if (properties && Object.keys(properties).length > 0) return [resolved]
    if (name !== undefined && above.includes(name)) return []
    const path = name === undefined ? above : [...above, name]
    if (items) return objectsIn(items, path)
    if (typeof additionalProperties === 'object') return objectsIn(additionalProperties, path)
    return variantsOf(resolved).flatMap((variant) => objectsIn(variant, path))
  }

  const row = ({ name, shape, required, place }: Field, direction: Direction, depth: number): SafeHtml => {
    const constraints = shapes.constraintsOf(shape)
    return html`<tr class="depth-${Math.min(depth, DEEPEST)}">
<th scope="row"><code>${name}</code>${PRESENCE[direction](required)}${
      place !== undefined && html` <span class="place">${place}</span>`
    }</th>
<td><span class="type">${shapes.typeOf(shape)}</span></td>
<td>${line(shape.description ?? shapes.resolve(shape).description)}${
      constraints.length > 0 &&
      html`<ul class="constraints">${constraints.map((constraint) => html`<li>${constraint}</li>`)}</ul>`
    }</td>
</tr>\n`
  }

  /** `seen` holds the enclosing components: a recursive component is expanded once. */
  const rows = (fields: Field[], direction: Direction, depth: number, seen: string[]): SafeHtml[] =>
    fields.flatMap((field) => {
      const inside = objectsIn(field.shape).filter(
        ({ name }) => name === undefined || (direction === 'sent' && !seen.includes(name)),
      )
      return [
        row(field, direction, depth),
        ...inside.flatMap((object, index) => [
          ...(inside.length > 1 ? [variantRow(index, depth + 1)] : []),
          ...rows(
            fieldsOf(object),
            direction,
            depth + 1,
            object.name === undefined ? seen : [...seen, object.name],
          ),
        ]),
      ]
    })

  const variantRow = (index: number, depth: number): SafeHtml =>
    html`<tr class="variant depth-${Math.min(depth, DEEPEST)}"><td colspan="3">${index === 0 ? 'either' : 'or'}</td></tr>\n`

  const table = (label: string, fields: Field[], direction: Direction, seen: string[] = []): SafeHtml =>
    html`<table>
<caption class="unseen">${label}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows(fields, direction, 0, seen)}</tbody>
</table>\n`

  /** Renders a schema's fields as a table, or one table per variant; nothing if it has no fields. */
  const tables = (label: string, shape: Shape, direction: Direction): SafeHtml | undefined => {
    const objects = objectsIn(shape)
    if (objects.length === 0) return undefined
    return html`${objects.map((object, index) => {
      const seen = object.name === undefined ? [] : [object.name]
      return html`${
        objects.length > 1 && html`<p class="either">${index === 0 ? 'Either' : 'Or'}</p>\n`
      }${table(label, fieldsOf(object), direction, seen)}`
    })}`
  }

  return { table, tables }
}
