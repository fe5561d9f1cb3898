// Generates src/api/schema.ts from an OpenAPI description. The source is optional:
//   npm run schema                                      uses http://127.0.0.1:3000.
//   npm run schema -- http://127.0.0.1:3201/api-docs    uses another instance.
//   npm run schema -- description.json                  uses a file.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'

const source = process.argv[2] ?? 'http://127.0.0.1:3000/api-docs'
const target = new URL('../src/api/schema.ts', import.meta.url)

const read = async () =>
  /^https?:/.test(source) ? (await fetch(source)).json() : JSON.parse(readFileSync(source, 'utf8'))

/**
 * Removes OpenAPI examples. They only serve readers of the API reference and would enlarge the generated
 * file.
 */
const withoutExamples = (node, isMapOfNames = false) => {
  if (Array.isArray(node)) return node.map((entry) => withoutExamples(entry))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).filter(([key]) => isMapOfNames || !/^examples?$/.test(key))
  return Object.fromEntries(
    entries.map(([key, value]) => [key, withoutExamples(value, key === 'properties')]),
  )
}

const header = `// Written by \`npm run schema\` from the API's description. Change the API, not this file.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated

`
const types = await openapiTS(withoutExamples(await read()), { alphabetize: true })
writeFileSync(target, header + astToString(types))
process.stdout.write(`${fileURLToPath(target)} follows ${source}\n`)
