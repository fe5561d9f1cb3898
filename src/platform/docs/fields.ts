import { html, type SafeHtml } from './html.ts'
import { type Resolved, type Shape, type Shapes, variantsOf } from './shapes.ts'
import { line } from './text.ts'

export interface Field {
  name: string
  shape: Shape
  required: boolean
  /** Where a parameter stands: path, query or header. */
  place?: string
}

/**
 * What is sent is written out down to the last field, and marks what is required. What is answered links to the
 * components inside it, and marks what may be absent.
 */
type Direction = 'sent' | 'answered'

const PRESENCE: Record<Direction, (required: boolean) => SafeHtml | undefined> = {
  sent: (required) => (required ? html` <span class="required">required</span>` : undefined),
  answered: (required) => (required ? undefined : html` <span class="place">optional</span>`),
}

/** As deep as the stylesheet indents. */
const DEEPEST = 4

const fieldsOf = ({ properties = {}, required = [] }: Shape): Field[] =>
  Object.entries(properties).map(([name, shape]) => ({ name, shape, required: required.includes(name) }))

export const createFieldTables = (shapes: Shapes) => {
  /** The objects that a value is made of: itself, its items, the values of a map, or the variants of a union. */
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

  /** `seen` holds the components on the way here: one that holds itself is written out once. */
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

  /** A schema's fields as a table, or one table for each variant that it may have; nothing when it has no fields. */
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
