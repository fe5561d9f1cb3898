import { type ContentLine, fold, readLine, unfold } from '../../../platform/icalendar/text.ts'

/** A property: its line as written, and its parts. */
export interface Property extends ContentLine {
  raw: string
}

/** A component of a calendar resource, in the order of the text. */
export interface Component {
  name: string
  properties: Property[]
  components: Component[]
}

/** Reads the text of a resource that a backend has written; it is well-formed. */
export const parseComponent = (text: string): Component => {
  const root: Component = { name: '', properties: [], components: [] }
  const open: Component[] = [root]
  for (const raw of unfold(text, 0, text.length)) {
    const line = readLine(raw)
    if (!line) continue
    const parent = open.at(-1) as Component
    if (line.name === 'BEGIN') {
      const component = { name: line.value.trim().toUpperCase(), properties: [], components: [] }
      parent.components.push(component)
      open.push(component)
    } else if (line.name === 'END') {
      if (open.length > 1) open.pop()
    } else parent.properties.push({ ...line, raw })
  }
  return root.components[0] ?? root
}

export const writeComponent = ({ name, properties, components }: Component): string =>
  `BEGIN:${name}\r\n${properties.map(({ raw }) => fold(raw)).join('')}${components.map(writeComponent).join('')}END:${name}\r\n`

export const findProperty = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((property) => property.name === name)

/** Writes a property with a new value. */
export const toProperty = (name: string, value: string, parameters = ''): Property => ({
  name,
  value,
  parameters: [],
  raw: `${name}${parameters}:${value}`,
})
