import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../src/platform/docs/error-catalogue.ts'

// TypeScript 7 of the project has no JavaScript API; the console uses version 6.
const ts = createRequire(new URL('../web/package.json', import.meta.url))('typescript')

/** Names of keys, HTTP headers and products. They are the same in every language. */
const NAMES =
  /^(Alt|ArrowDown|ArrowLeft|ArrowRight|ArrowUp|Backspace|Control|Delete|End|Enter|Esc|Escape|F\d+|Home|Meta|PageDown|PageUp|Shift|Space|Tab|Accept|Authorization|Bearer|Content-Type|Idempotency-Key|If-Match|Factotum|Monday|Europe\/\w+|UTC)$/

/** Words, names and examples that are the same in English and German. */
const SAME_IN_GERMAN = new Set(
  `Agenda Anthropic Audit Backups Bcc Board Bucket Budgets Cal.com Calendly Cc Code Details Export Filter Gold Google
  HTML Import Jobs Link Links Live Maildir Median Microsoft Name Newsletter Normal OK Offline Ollama Online OpenAI
  Optional Orange Overlay Passphrase Person Pink Port Region STARTTLS Server Spam Status Stream System TLS Text Thunderbird
  TickTick Todoist Version Vikunja Webhook Webhooks Website Websites iCalendar llama.cpp mbox vCard vLLM`
    .split(/\s+/)
    .concat('Google Takeout', 'Google Tasks', 'LM Studio', 'factotum doctor', 'ana@example.org'),
)
/** An example of a search operator. */
const SEARCH_OPERATOR = /^\w+:\S+$/

/** A part of a CSS selector that no sentence contains. */
const SELECTOR = /:(has|is|not)\(|\[[\w-]+(="[^"]*")?\]/

/** A sentence, or a word with a capital letter. Class names, identifiers and HTML tags are neither. */
const isText = (value: string): boolean => {
  const text = value.replaceAll(/<[^>]*>/g, ' ').trim()
  if (NAMES.test(text) || SELECTOR.test(text)) return false
  return /^\p{Lu}\p{Ll}+$/u.test(text) || /\p{L}[\p{L}’'.,:;!?…]*\s+[\p{L}“(]/u.test(text)
}

/** Attributes that hold no text for people. */
const CODE_ATTRIBUTES =
  /^(className|class|id|key|name|type|role|href|src|d|viewBox|points|style|htmlFor|rel|target|sizes|autoComplete|accept|pattern|sandbox|data-.*|aria-(controls|describedby|labelledby|keyshortcuts))$/
/** Calls whose string arguments are selectors, event names or messages for developers. */
const CODE_CALLS =
  /(querySelector(All)?|closest|matches|matchMedia|supports|setAttribute|addStyle|\w*Error|split|join|RegExp|console\.\w+)$/

interface Finding {
  line: number
  text: string
}

// biome-ignore lint/suspicious/noExplicitAny: the module is loaded at run time, without its types
type Node = any

/** Whether a literal is code: a type, an import, a key, a class name, a selector. */
const isCode = (literal: Node): boolean => {
  const { parent } = literal
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return true
  if (ts.isPropertyAssignment(parent) && parent.name === literal) return true
  for (let node = parent; node && !ts.isBlock(node) && !ts.isArrowFunction(node); node = node.parent) {
    if (ts.isJsxAttribute(node)) return CODE_ATTRIBUTES.test(node.name.getText())
    if (
      (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) &&
      /(class(es|Name)?|style)$/i.test(node.name.getText())
    )
      return true
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && CODE_CALLS.test(node.expression.getText()))
      return true
  }
  return false
}

const findTexts = (file: string): Finding[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const findings: Finding[] = []
  const add = (node: Node, text: string) =>
    findings.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: text.trim() })
  const visit = (node: Node): void => {
    if (ts.isJsxText(node)) {
      if (/\p{L}{2}/u.test(node.text) && !NAMES.test(node.text.trim())) add(node, node.text)
    } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (isText(node.text) && !isCode(node)) add(node, node.text)
    } else if (ts.isTemplateExpression(node)) {
      const text = [node.head.text, ...node.templateSpans.map((span: Node) => span.literal.text)].join('•')
      if (isText(text.replaceAll('•', ' ')) && /\p{L}{3}/u.test(text.replaceAll('•', '')) && !isCode(node))
        add(node, text)
      for (const span of node.templateSpans) visit(span.expression)
    } else ts.forEachChild(node, visit)
  }
  visit(source)
  return findings
}

const sources = globSync('web/src/**/*.{ts,tsx}').filter(
  (file) =>
    !file.startsWith('web/src/locales/') && file !== 'web/src/api/schema.ts' && !file.endsWith('.test.ts'),
)

type Catalogue = Readonly<Record<string, unknown>>

const readCatalogue = async (language: string, name: string): Promise<Catalogue> =>
  import(`../web/src/locales/${language}/${name}`)

/** Lists the texts of a catalogue with their paths; functions are listed with their number of parameters. */
const flatten = (value: unknown, path: string): [string, string | number][] => {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[`${path}()`, value.length]]
  return Object.entries(value as object).flatMap(([key, inner]) => flatten(inner, `${path}.${key}`))
}

/** The texts of error codes exist in translations only: the English ones come from the server. */
const isErrorCode = ([path]: [string, string | number]): boolean => path.startsWith('errors.ts.codes.')

describe('the texts of the console', () => {
  it('are in the catalogue', () => {
    const found = sources.flatMap((file) =>
      findTexts(file).map(({ line, text }) => `${file}:${line} ${text}`),
    )
    expect(found).toEqual([])
  })

  it('exist in German, with the same parameters', async () => {
    const names = globSync('web/src/locales/en/*.ts').map((file) => basename(file))
    expect(names.length).toBeGreaterThan(2)
    expect(
      globSync('web/src/locales/de/*.ts')
        .map((file) => basename(file))
        .sort(),
    ).toEqual(names.sort())
    for (const name of names) {
      const [english, german] = await Promise.all([readCatalogue('en', name), readCatalogue('de', name)])
      const shape = (catalogue: Catalogue) =>
        flatten(catalogue, name)
          .filter((entry) => !isErrorCode(entry))
          .map(([path, text]) => (typeof text === 'number' ? `${path} ${text}` : path))
          .sort()
      expect(shape(german)).toEqual(shape(english))
    }
  })

  it('are translated, not copied', async () => {
    const copied: string[] = []
    for (const file of globSync('web/src/locales/en/*.ts')) {
      const name = basename(file)
      const english = new Map(flatten(await readCatalogue('en', name), name))
      for (const [path, text] of flatten(await readCatalogue('de', name), name))
        if (typeof text === 'string' && /\p{L}{2}/u.test(text) && english.get(path) === text)
          if (!SAME_IN_GERMAN.has(text) && !SEARCH_OPERATOR.test(text)) copied.push(`${path}: ${text}`)
    }
    expect(copied).toEqual([])
  })

  it('describe every error code of the API in German', async () => {
    const { codes } = await readCatalogue('de', 'errors.ts')
    expect(Object.keys(codes as object).sort()).toEqual(ERROR_CATALOGUE.map(({ code }) => code).sort())
  })
})
