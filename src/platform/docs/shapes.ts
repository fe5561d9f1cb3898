import { html, type SafeHtml, toText } from './html.ts'
import { anchor, either, line } from './text.ts'

/** As much of OpenAPI 3.0's schema object as the reference puts into words. */
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
  /** The component it is, when it is one. */
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

/** The components of a document, and its schemas in words. */
export const createShapes = (components: Record<string, Shape>) => {
  const nameOf = ({ $ref }: Shape): string | undefined => {
    const name = $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined
    return name !== undefined && Object.hasOwn(components, name) ? name : undefined
  }

  /** The schema that a reference or an intersection stands for. */
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
